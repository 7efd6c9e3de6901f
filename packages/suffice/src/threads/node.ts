/** Workers of Node. */
import { availableParallelism } from "node:os"
// not the global ones, which test runners replace
import { clearTimeout, setTimeout } from "node:timers"
import { Worker } from "node:worker_threads"
import type { Answer, Hand, Listener } from "./orders.ts"

export function cores(): number {
  return availableParallelism()
}

export function later(milliseconds: number, act: () => void): () => void {
  const timer = setTimeout(act, milliseconds).unref()
  return () => clearTimeout(timer)
}

/** Flags of the program are not for its workers: loaders, --input-type, --inspect. */
export const ALONE = { execArgv: [] }

export function spawn(listener: Listener): Hand {
  return handOf(new Worker(new URL("./node-worker.js", import.meta.url), ALONE), listener)
}

/** The worker as the crew wants it. */
export function handOf(worker: Worker, { answer, died }: Listener): Hand {
  let why: string | undefined
  worker.on("message", (said: Answer) => answer(said))
  worker.on("messageerror", error => died(error.message))
  // Without a word it has run out of memory, or something in it has ended the process.
  worker.on("error", error => {
    why = error instanceof Error ? error.message : String(error)
  })
  worker.on("exit", code => died(why ?? `it ended with code ${code}`))
  return {
    post: (order, transfer) => worker.postMessage(order, transfer),
    hold: waiting => (waiting ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  }
}
