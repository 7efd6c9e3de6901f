/**
 * Sweeps by a pool of T workers. Chunk c belongs to worker c mod T, and sums are added in the order of the chunks, not of the replies, so that
 * the bits do not depend on T.
 */

import { buffersOf } from "../blocks/encoded.ts"
import type { Block, Chunk } from "../contract/block.ts"
import type { Sweep } from "../contract/learnable.ts"
import type { Model } from "../contract/model.ts"
import type { Laid } from "../engine/lay.ts"
import { ChunkSweep } from "../engine/sweep.ts"
import { SweepTotal, type Swept } from "../engine/sweep-total.ts"
import { SufficeError } from "../errors.ts"
import type { FramePlace } from "../frames/spill.ts"
import type { Door, SweepTask } from "../frames/sweeper.ts"
import { kernelsInUse } from "../kernels/fast/use.ts"
import type { AcquiredWorker, Workers } from "./idle.ts"

export interface Task {
  readonly model: Pick<Model, "spec">
  readonly laid: Laid
  readonly certain: boolean
  /** Its leaves are those that posteriors are learned with. */
  readonly isBelieved?: boolean
  /** How rows of frames are read. */
  readonly door?: Door | undefined
}

/** The task as plain data. */
export function plainTask({ model, laid, certain, isBelieved, door }: Task): SweepTask {
  return { spec: model.spec, columns: laid.columns, certain, isBelieved, kernels: kernelsInUse(), door }
}

/** The work cannot be given to workers; nothing has been handed over yet. */
export class CannotDelegate extends Error {
  /** "start": no worker starts. "model": a worker does not compute what this thread computes. */
  readonly what: "start" | "model"

  constructor(what: "start" | "model", why: string) {
    super(why)
    this.what = what
  }
}

/** Chunks in flight per worker: enough that it never idles, few if their statistics are large. */
const AHEAD = 8
const AHEAD_LARGE = 2
const LARGE = 1 << 17
/** How many numbers a worker sums before it replies: on every reply this thread takes a core from a worker. */
const PER_REPLY = 1 << 14

interface Deferred<T> {
  resolve(value: T): void
  reject(error: unknown): void
}

export class WorkerPool {
  readonly #task: Task
  readonly #signal: AbortSignal | undefined
  readonly #workers: AcquiredWorker[] = []
  /** Requests without a reply, by the number of their first chunk. */
  readonly #pending = new Map<number, Deferred<readonly Swept[]>>()
  readonly #starting = new Map<number, Deferred<Swept>>()
  #stored = 0
  /** Set when the pool is finished: what later calls throw. */
  #finished: { readonly error: unknown } | undefined

  private constructor(task: Task, signal: AbortSignal | undefined) {
    this.#task = task
    this.#signal = signal
    signal?.addEventListener("abort", this.#abort)
  }

  /** Starts workers and checks on one block at θ that each computes what this thread computes. Throws CannotDelegate if one does not. */
  static async start(
    { acquire }: Pick<Workers, "acquire">,
    count: number,
    task: Task,
    probe: Block,
    params: Float64Array,
    signal: AbortSignal | undefined,
  ): Promise<WorkerPool> {
    signal?.throwIfAborted()
    const pool = new WorkerPool(task, signal)
    try {
      const shown = Array.from({ length: count }, (_, index) => pool.#begin(acquire, index, probe, params))
      const expected = new ChunkSweep(task.laid, params, task.certain)
      expected.add(probe)
      for (const swept of await Promise.all(shown.map(handled))) {
        if (isSame(swept, expected)) continue
        throw new CannotDelegate("model", "it computes something else there")
      }
      pool.#keepAlive(false)
      return pool
    } catch (error) {
      pool.#fail(error)
      throw error
    }
  }

  async #begin(
    acquire: Workers["acquire"],
    index: number,
    probe: Block,
    params: Float64Array,
  ): Promise<Swept> {
    const shown = handled(
      new Promise<Swept>((resolve, reject) => {
        this.#starting.set(index, { resolve, reject })
      }),
    )
    try {
      this.#workers[index] = acquire({
        onReply: reply => {
          if (reply.type === "swept") {
            this.#pending.get(reply.number)?.resolve(reply.swept)
            this.#pending.delete(reply.number)
            return
          }
          if (reply.type === "failed") {
            const { number, code, message, details } = reply
            this.#pending.get(number)?.reject(new SufficeError(code, message, details))
            this.#pending.delete(number)
            return
          }
          const starting = this.#starting.get(index)
          this.#starting.delete(index)
          if (reply.type === "laid") starting?.resolve(reply.swept)
          else starting?.reject(new CannotDelegate("model", reply.why))
        },
        onExit: why => {
          const starting = this.#starting.get(index)
          if (starting) starting.reject(new CannotDelegate("start", why))
          else this.#fail(deathOf(index, this.#workers.length, why))
        },
      })
    } catch (error) {
      throw new CannotDelegate("start", messageOf(error))
    }
    try {
      this.#workers[index].post({ type: "lay", task: plainTask(this.#task), params, probe }, [])
    } catch (error) {
      // the options of a user's family may hold what cannot be cloned: a function, for example
      throw new CannotDelegate("model", messageOf(error))
    }
    return shown
  }

  /** Moves the chunk to a worker, which keeps it. */
  store(chunk: Chunk): void {
    const number = this.#stored++
    this.#workerFor(number).post({ type: "store", number, chunk }, buffersOf(chunk))
  }

  /** One pass over the stored chunks; over `chunks`, which are moved to the workers and lost here; or over frames, which they read themselves. */
  async sweep(
    params: Float64Array,
    chunks?: Iterable<Chunk> | AsyncIterable<Chunk>,
    frames?: readonly FramePlace[],
  ): Promise<Sweep> {
    const { laid, certain } = this.#task
    const total = new SweepTotal()
    const ahead = laid.statistics > LARGE ? AHEAD_LARGE : AHEAD
    const queue: Promise<readonly Swept[]>[] = []
    const add = async (): Promise<void> => (await queue.shift())?.forEach(swept => void total.add(swept))
    this.#keepAlive(true)
    try {
      this.#check()
      for (const worker of this.#workers) worker.post({ type: "params", params }, [])
      if (frames) {
        const each = Math.min(8, Math.max(1, Math.floor(PER_REPLY / laid.statistics)))
        for (let number = 0, turn = 0; number < frames.length; number += each, turn++) {
          queue.push(handled(this.#frames(turn, number, frames.slice(number, number + each))))
          if (queue.length >= ahead * this.#workers.length) await add()
        }
      } else if (chunks) {
        let number = 0
        for await (const chunk of chunks) {
          queue.push(handled(this.#request([number++], chunk)))
          if (queue.length >= ahead * this.#workers.length) await add()
        }
      } else {
        const round = this.#workers.length * Math.max(1, Math.floor(PER_REPLY / laid.statistics))
        for (let first = 0; first < this.#stored; first += round) {
          queue.push(handled(this.#round(first, Math.min(first + round, this.#stored))))
          if (queue.length >= ahead) await add()
        }
      }
      while (queue.length > 0) await add()
      return total.sweep(certain, laid.statistics)
    } catch (error) {
      // a late reply would be taken for one to the next sweep
      this.#fail(error)
      throw error
    } finally {
      this.#keepAlive(false)
    }
  }

  /** Releases workers that owe no reply, so that the next fit can have them, and ends the others. */
  end(): void {
    this.#fail(new Error("the workers have been ended"), this.#pending.size === 0)
  }

  #request(numbers: readonly number[], chunk?: Chunk): Promise<readonly Swept[]> {
    this.#check()
    return new Promise((resolve, reject) => {
      this.#pending.set(numbers[0], { resolve, reject })
      if (chunk) this.#workerFor(numbers[0]).post({ type: "sweep", numbers, chunk }, buffersOf(chunk))
      else this.#workerFor(numbers[0]).post({ type: "sweep", numbers }, [])
    })
  }

  #frames(turn: number, number: number, places: readonly FramePlace[]): Promise<readonly Swept[]> {
    this.#check()
    return new Promise((resolve, reject) => {
      this.#pending.set(number, { resolve, reject })
      this.#workerFor(turn).post({ type: "frames", number, places }, [])
    })
  }

  /** Sweeps the stored chunks from `first` to `end`, with one request per worker. */
  async #round(first: number, end: number): Promise<readonly Swept[]> {
    const count = this.#workers.length
    const length = end - first
    const shares = Array.from({ length: Math.min(count, length) }, (_, w) =>
      Array.from({ length: Math.ceil((length - w) / count) }, (_, i) => first + w + i * count),
    )
    const swept = await Promise.all(shares.map(numbers => handled(this.#request(numbers))))
    return Array.from({ length }, (_, i) => swept[i % count][Math.floor(i / count)])
  }

  #workerFor(number: number): AcquiredWorker {
    return this.#workers[number % this.#workers.length]
  }

  #keepAlive(waiting: boolean): void {
    if (!this.#finished) for (const worker of this.#workers) worker.keepAlive(waiting)
  }

  #check(): void {
    if (this.#finished) throw this.#finished.error
  }

  #abort = (): void => this.#fail(this.#signal!.reason)

  /** Rejects everything that is pending and lets the workers go; `gracefully`, if none owes a reply. */
  #fail(error: unknown, gracefully = false): void {
    if (this.#finished) return
    this.#finished = { error }
    this.#signal?.removeEventListener("abort", this.#abort)
    for (const waiting of [this.#pending, this.#starting]) {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    for (const worker of this.#workers) gracefully ? worker.release() : worker?.end()
  }
}

/** Marks a rejection as handled: it is awaited later. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

function deathOf(index: number, count: number, why: string): SufficeError {
  return new SufficeError(
    "threads",
    `fit: worker ${index + 1} of ${count} has died: ${why}. Its rows are gone, and the sweep cannot be finished. Fit again, with the same checkpoint to go on after the last step, and with fewer threads if memory ran out.`,
    { worker: index, workers: count, why },
  )
}

function isSame(a: Swept, b: Swept): boolean {
  return (
    Object.is(a.logLikelihood, b.logLikelihood) &&
    Object.is(a.entropy, b.entropy) &&
    a.guessed === b.guessed &&
    a.stats.length === b.stats.length &&
    a.stats.every((value, j) => Object.is(value, b.stats[j]))
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
