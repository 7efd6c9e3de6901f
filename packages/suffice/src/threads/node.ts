/** Workers of Node. */
import { availableParallelism } from "node:os"
// not the global ones, which test runners replace
import { clearTimeout, setTimeout } from "node:timers"
import { Worker } from "node:worker_threads"
import { type Spill, SpilledSource } from "../frames/spill.ts"
import type { Listener, Reply, WorkerHandle } from "./messages.ts"
import { disk } from "./node-disk.ts"

export const spill: Spill = (source, columns, options) => new SpilledSource(source, columns, disk, options)

export function cores(): number {
  return availableParallelism()
}

export function later(milliseconds: number, act: () => void): () => void {
  const timer = setTimeout(act, milliseconds).unref()
  return () => clearTimeout(timer)
}

/** Workers do not inherit the flags of the program: loaders, --input-type, --inspect. */
export const NO_FLAGS = { execArgv: [] }

export function spawn(listener: Listener): WorkerHandle {
  return handleOf(new Worker(new URL("./node-worker.js", import.meta.url), NO_FLAGS), listener)
}

export function handleOf(worker: Worker, { onReply, onExit }: Listener): WorkerHandle {
  let why: string | undefined
  worker.on("message", (reply: Reply) => onReply(reply))
  worker.on("messageerror", error => onExit(error.message))
  // an exit without an error: it ran out of memory, or something in it ended the process
  worker.on("error", error => {
    why = error instanceof Error ? error.message : String(error)
  })
  worker.on("exit", code => onExit(why ?? `it ended with code ${code}`))
  return {
    post: (command, transfer) => worker.postMessage(command, transfer),
    keepAlive: waiting => (waiting ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  }
}
