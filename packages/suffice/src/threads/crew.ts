/**
 * Workers that sweep. Chunk c belongs to worker c mod T; whoever is done first, chunks are added in their order, so that the
 * bits do not depend on T.
 */

import { buffersOf } from "../blocks/held.ts"
import type { Block, Chunk, Model, Sweep } from "../contract.ts"
import type { Laid } from "../engine/lay.ts"
import { ChunkSweep, SweepTotal, type Swept } from "../engine/sweep.ts"
import { SufficeError } from "../errors.ts"
import { kernelsInUse } from "../kernels/wasm/use.ts"
import type { Hired, Workers } from "./kept.ts"

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

/** Orders that may wait in and behind one worker: enough that it never idles, few where statistics are large. */
const AHEAD = 8
const AHEAD_LARGE = 2
const LARGE = 1 << 17
/** Statistics, in numbers, that a worker gathers before it answers: on every answer this thread takes a core from one that sweeps. */
const GATHERED = 1 << 14

interface Waiting<T> {
  resolve(value: T): void
  reject(error: unknown): void
}

export class Crew {
  readonly #task: Task
  readonly #signal: AbortSignal | undefined
  readonly #hands: Hired[] = []
  /** Who waits for which chunks, by the number of the first. */
  readonly #asked = new Map<number, Waiting<readonly Swept[]>>()
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
    { hire }: Pick<Workers, "hire">,
    count: number,
    task: Task,
    probe: Block,
    params: Float64Array,
    signal: AbortSignal | undefined,
  ): Promise<Crew> {
    signal?.throwIfAborted()
    const crew = new Crew(task, signal)
    try {
      const shown = Array.from({ length: count }, (_, index) => crew.#begin(hire, index, probe, params))
      const expected = new ChunkSweep(task.laid, params, task.certain)
      expected.add(probe)
      for (const swept of await Promise.all(shown.map(heeded))) {
        if (isSame(swept, expected)) continue
        throw new CannotCross("model", "it computes something else there")
      }
      crew.#hold(false)
      return crew
    } catch (error) {
      crew.#fail(error)
      throw error
    }
  }

  async #begin(hire: Workers["hire"], index: number, probe: Block, params: Float64Array): Promise<Swept> {
    const { model, laid, certain } = this.#task
    const shown = heeded(
      new Promise<Swept>((resolve, reject) => {
        this.#starting.set(index, { resolve, reject })
      }),
    )
    try {
      this.#hands[index] = hire({
        answer: answer => {
          if (answer.answer === "swept") {
            this.#asked.get(answer.number)?.resolve(answer.swept)
            this.#asked.delete(answer.number)
            return
          }
          if (answer.answer === "failed") {
            const { number, code, message, details } = answer
            this.#asked.get(number)?.reject(new SufficeError(code, message, details))
            this.#asked.delete(number)
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
    const ahead = laid.statistics > LARGE ? AHEAD_LARGE : AHEAD
    const queue: Promise<readonly Swept[]>[] = []
    const add = async (): Promise<void> => (await queue.shift())?.forEach(swept => void total.add(swept))
    this.#hold(true)
    try {
      this.#check()
      for (const hand of this.#hands) hand.post({ order: "turn", params }, [])
      if (chunks) {
        let number = 0
        for await (const chunk of chunks) {
          queue.push(heeded(this.#ask([number++], chunk)))
          if (queue.length >= ahead * this.#hands.length) await add()
        }
      } else {
        const round = this.#hands.length * Math.max(1, Math.floor(GATHERED / laid.statistics))
        for (let first = 0; first < this.#owned; first += round) {
          queue.push(heeded(this.#round(first, Math.min(first + round, this.#owned))))
          if (queue.length >= ahead) await add()
        }
      }
      while (queue.length > 0) await add()
      return total.sweep(certain, laid.statistics)
    } catch (error) {
      // an answer that comes later would be taken for one to the next sweep
      this.#fail(error)
      throw error
    } finally {
      this.#hold(false)
    }
  }

  /** Nothing more is asked. Workers that have answered everything are kept for the next fit, and else ended. */
  end(): void {
    this.#fail(new Error("the workers have been ended"), this.#asked.size === 0)
  }

  #ask(numbers: readonly number[], chunk?: Chunk): Promise<readonly Swept[]> {
    this.#check()
    return new Promise((resolve, reject) => {
      this.#asked.set(numbers[0], { resolve, reject })
      if (chunk) this.#hand(numbers[0]).post({ order: "sweep", numbers, chunk }, buffersOf(chunk))
      else this.#hand(numbers[0]).post({ order: "sweep", numbers }, [])
    })
  }

  /** Chunks that workers own, from `first` up to `end`: each worker is asked once for all of its own. */
  async #round(first: number, end: number): Promise<readonly Swept[]> {
    const count = this.#hands.length
    const length = end - first
    const shares = Array.from({ length: Math.min(count, length) }, (_, w) =>
      Array.from({ length: Math.ceil((length - w) / count) }, (_, i) => first + w + i * count),
    )
    const swept = await Promise.all(shares.map(numbers => heeded(this.#ask(numbers))))
    return Array.from({ length }, (_, i) => swept[i % count][Math.floor(i / count)])
  }

  #hand(number: number): Hired {
    return this.#hands[number % this.#hands.length]
  }

  #hold(waiting: boolean): void {
    if (!this.#over) for (const hand of this.#hands) hand.hold(waiting)
  }

  #check(): void {
    if (this.#over) throw this.#over.error
  }

  #abort = (): void => this.#fail(this.#signal!.reason)

  /** Nobody waits for what will not come. `inPeace`: no worker owes an answer. */
  #fail(error: unknown, inPeace = false): void {
    if (this.#over) return
    this.#over = { error }
    this.#signal?.removeEventListener("abort", this.#abort)
    for (const waiting of [this.#asked, this.#starting]) {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    for (const hand of this.#hands) inPeace ? hand.release() : hand?.end()
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
