/** Workers of browsers. A bundler that knows `new Worker(new URL(…))` (Vite, webpack, Parcel) brings the worker along. */
import type { Answer, Hand, Listener } from "./orders.ts"

export function cores(): number {
  return globalThis.navigator?.hardwareConcurrency ?? 1
}

export function later(milliseconds: number, act: () => void): () => void {
  const timer = setTimeout(act, milliseconds)
  return () => clearTimeout(timer)
}

export function spawn({ answer, died }: Listener): Hand {
  const worker = new Worker(new URL("./browser-worker.js", import.meta.url), { type: "module" })
  worker.onmessage = ({ data }: MessageEvent<Answer>) => answer(data)
  worker.onmessageerror = () => died("a message could not be read")
  worker.onerror = event => {
    // it is told here, and not on the page
    event.preventDefault()
    died(event.message || "its file could not be loaded")
  }
  return {
    post: (order, transfer) => worker.postMessage(order, transfer),
    hold: () => undefined,
    end: () => worker.terminate(),
  }
}
