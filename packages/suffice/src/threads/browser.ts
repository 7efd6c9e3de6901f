/** Workers of browsers. A bundler that knows `new Worker(new URL(…))` (Vite, webpack, Parcel) bundles the worker too. */
import type { Spill } from "../frames/spill.ts"
import type { Listener, Reply, WorkerHandle } from "./messages.ts"

/** A page has no files: a source is read again for each sweep. */
export const spill: Spill | undefined = undefined

export function cores(): number {
  return globalThis.navigator?.hardwareConcurrency ?? 1
}

export function later(milliseconds: number, act: () => void): () => void {
  const timer = setTimeout(act, milliseconds)
  return () => clearTimeout(timer)
}

export function spawn({ onReply, onExit }: Listener): WorkerHandle {
  const worker = new Worker(new URL("./browser-worker.js", import.meta.url), { type: "module" })
  worker.onmessage = ({ data }: MessageEvent<Reply>) => onReply(data)
  worker.onmessageerror = () => onExit("a message could not be read")
  worker.onerror = event => {
    // reported here instead of on the page
    event.preventDefault()
    onExit(event.message || "its file could not be loaded")
  }
  return {
    post: (command, transfer) => worker.postMessage(command, transfer),
    keepAlive: () => undefined,
    end: () => worker.terminate(),
  }
}
