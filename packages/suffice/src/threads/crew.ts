/**
 * Workers that sweep. Chunk c belongs to worker c mod T; whoever is done first, chunks are added in their order, so that the
 * bits do not depend on T.
 */
import type { Block, Chunk, Model, Sweep } from "../contract.ts"
import type { Laid } from "../engine/lay.ts"
import { ChunkSweep, SweepTotal, type Swept } from "../engine/sweep.ts"
import { SufficeError } from "../errors.ts"
import { kernelsInUse } from "../kernels/wasm/use.ts"
import { buffersOf, type Hand, type Platform } from "./orders.ts"

export interface Task {
  readonly model: Pick<Model, "spec">
  readonly laid: Laid
  readonly certain: boolean
}

/** The work cannot be given to workers; nothing is lost yet. */
export class CannotCross extends Error {
  /** "start": no worker begins. "model": it does not compute there what it computes here. */
  readonly what: "start" | "model"

  constructor(what: "start" | "model", why: string) {
    super(why)
    this.what = what
  }
}

/** Chunks that may wait in and behind one worker: enough that it never idles, few where statistics are large. */
const AHEAD = 8
const AHEAD_LARGE = 2
const LARGE = 1 << 17

interface Waiting<T> {
  resolve(value: T): void
  reject(error: unknown): void
}

export class Crew {
  readonly #task: Task
  readonly #signal: AbortSignal | undefined
  readonly #hands: Hand[] = []
  /** Who waits for which chunk. */
  readonly #chunks = new Map<number, Waiting<Swept>>()
  readonly #starting = new Map<number, Waiting<Swept>>()
  #owned = 0
  /** Why no more is to come. */
  #over: { readonly error: unknown } | undefined

  private constructor(task: Task, signal: AbortSignal | undefined) {
    this.#task = task
    this.#signal = signal
    signal?.addEventListener("abort", this.#abort)
  }

  /** Workers that have shown on one block at θ that they compute what is computed here. Throws CannotCross where they do not. */
  static async gather(
    { spawn }: Pick<Platform, "spawn">,
    count: number,
    task: Task,
    probe: Block,
    params: Float64Array,
    signal: AbortSignal | undefined,
  ): Promise<Crew> {
    signal?.throwIfAborted()
    const crew = new Crew(task, signal)
    try {
      const shown = Array.from({ length: count }, (_, index) => crew.#begin(spawn, index, probe, params))
      const expected = new ChunkSweep(task.laid, params, task.certain)
      expected.add(probe)
      for (const swept of await Promise.all(shown.map(heeded))) {
        if (isSame(swept, expected)) continue
        throw new CannotCross("model", "it computes something else there")
      }
      crew.#hold(false)
      return crew
    } catch (error) {
      crew.end()
      throw error
    }
  }

  async #begin(spawn: Platform["spawn"], index: number, probe: Block, params: Float64Array): Promise<Swept> {
    const { model, laid, certain } = this.#task
    const shown = heeded(
      new Promise<Swept>((resolve, reject) => {
        this.#starting.set(index, { resolve, reject })
      }),
    )
    try {
      this.#hands[index] = spawn({
        answer: answer => {
          if (answer.answer === "swept") {
            this.#chunks.get(answer.number)?.resolve(answer.swept)
            this.#chunks.delete(answer.number)
            return
          }
          const starting = this.#starting.get(index)
          this.#starting.delete(index)
          if (answer.answer === "laid") starting?.resolve(answer.swept)
          else starting?.reject(new CannotCross("model", answer.why))
        },
        died: why => {
          const starting = this.#starting.get(index)
          if (starting) starting.reject(new CannotCross("start", why))
          else this.#fail(died(index, this.#hands.length, why))
        },
      })
    } catch (error) {
      throw new CannotCross("start", messageOf(error))
    }
    try {
      this.#hands[index].post(
        {
          ...{ order: "lay", spec: model.spec, columns: laid.columns, certain, params, probe },
          kernels: kernelsInUse(),
        },
        [],
      )
    } catch (error) {
      // options of one's own may hold what no message can, a function for example
      throw new CannotCross("model", messageOf(error))
    }
    return shown
  }

  /** The chunk lives in a worker from now on. */
  own(chunk: Chunk): void {
    const number = this.#owned++
    this.#hand(number).post({ order: "own", number, chunk }, buffersOf(chunk))
  }

  /** One pass over the chunks that workers own, or over those that are given, which are then gone. */
  async sweep(params: Float64Array, chunks?: Iterable<Chunk> | AsyncIterable<Chunk>): Promise<Sweep> {
    const { laid, certain } = this.#task
    const total = new SweepTotal()
    const ahead = this.#hands.length * (laid.statistics > LARGE ? AHEAD_LARGE : AHEAD)
    const queue: Promise<Swept>[] = []
    this.#hold(true)
    try {
      this.#check()
      for (const hand of this.#hands) hand.post({ order: "turn", params }, [])
      let number = 0
      for await (const chunk of chunks ?? new Array<undefined>(this.#owned).fill(undefined)) {
        queue.push(heeded(this.#ask(number++, chunk)))
        if (queue.length >= ahead) total.add(await queue.shift()!)
      }
      for (const swept of queue) total.add(await swept)
      return total.sweep(certain, laid.statistics)
    } catch (error) {
      // an answer that comes later would be taken for one to the next sweep
      this.end()
      throw error
    } finally {
      this.#hold(false)
    }
  }

  /** No worker is left when this returns. */
  end(): void {
    this.#fail(new Error("the workers have been ended"))
  }

  #ask(number: number, chunk: Chunk | undefined): Promise<Swept> {
    this.#check()
    return new Promise((resolve, reject) => {
      this.#chunks.set(number, { resolve, reject })
      if (chunk) this.#hand(number).post({ order: "sweep", number, chunk }, buffersOf(chunk))
      else this.#hand(number).post({ order: "sweep", number }, [])
    })
  }

  #hand(number: number): Hand {
    return this.#hands[number % this.#hands.length]
  }

  #hold(waiting: boolean): void {
    if (!this.#over) for (const hand of this.#hands) hand.hold(waiting)
  }

  #check(): void {
    if (this.#over) throw this.#over.error
  }

  #abort = (): void => this.#fail(this.#signal!.reason)

  /** Nobody waits for what will not come. */
  #fail(error: unknown): void {
    if (this.#over) return
    this.#over = { error }
    this.#signal?.removeEventListener("abort", this.#abort)
    for (const waiting of [this.#chunks, this.#starting]) {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    for (const hand of this.#hands) hand?.end()
  }
}

/** A rejection that is looked at later is no unhandled one. */
function heeded<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

function died(index: number, count: number, why: string): SufficeError {
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
