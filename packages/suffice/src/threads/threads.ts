/** `threads`: how many, whether the model can cross, and sweeps by them; or in this one, where "auto" finds that better. */
import type { Block, Chunk, Learner, Sweep } from "../contract.ts"
import { sweep } from "../engine/sweep.ts"
import { list, SufficeError } from "../errors.ts"
import { CannotCross, Crew, type Task } from "./crew.ts"
import type { Workers } from "./kept.ts"
import { KNOWN } from "./known.ts"

export type Threads = number | "auto"

/**
 * "auto": less work than this stays here. A row takes as long as some 256 parameters do beside it, and workers a tenth of a second to
 * begin and to warm up: below it 20 sweeps take no longer than a second (bench/threads.ts).
 */
const SMALL = 6e7
const ROW = 256

interface Rows {
  readonly rows: number
  /** Rows of a chunk. */
  readonly chunk: number
  chunks(): Iterable<Chunk> | AsyncIterable<Chunk>
  /** Can workers keep the chunks? Else they are read anew for each sweep. */
  readonly held: Chunk[] | undefined
}

/** How many workers sweep; 1: none, the rows stay here. */
export function workersFor(
  asked: Threads,
  learner: Learner,
  { laid, certain }: Task,
  { rows, chunk }: Pick<Rows, "rows" | "chunk">,
  workers: Pick<Workers, "cores">,
): number {
  if (asked === 1 || !learner.sweeps) return 1
  const own = laid.parts.map(part => part.family)
  const strangers = [...new Set(own.filter(name => !KNOWN.has(name)))]
  if (strangers.length > 0) {
    if (asked === "auto") return 1
    throw new SufficeError(
      "threads",
      `fit: threads is ${asked}, but ${list(strangers)} ${strangers.length === 1 ? "is a family" : "are families"} of your own. Workers know the families of Suffice by their names; the code of yours cannot cross to them. Write threads: 1, or leave it out.`,
      { threads: asked, families: strangers },
    )
  }
  const chunks = Math.ceil(rows / chunk)
  if (asked !== "auto") return Math.min(asked, chunks)
  // Counting is one sweep: handing the rows over would take longer.
  if (certain || rows * (ROW + laid.parameters) < SMALL) return 1
  return Math.min(workers.cores(), chunks)
}

/** Sweeps by workers, which begin with the first and are let go with `end`. */
export class SharedSweeps {
  readonly #asked: Threads
  readonly #count: number
  readonly #task: Task
  readonly #rows: Rows
  readonly #probe: Block
  readonly #workers: Workers
  readonly #signal: AbortSignal | undefined
  /** The sweep before this one: workers have one θ at a time. */
  #last: Promise<unknown> = Promise.resolve()
  #begun = false
  #ended = false
  /** None, where the work stays here. */
  #crew: Crew | undefined

  constructor(
    { asked, count, workers }: { asked: Threads; count: number; workers: Workers },
    task: Task,
    rows: Rows,
    probe: Block,
    signal: AbortSignal | undefined,
  ) {
    this.#asked = asked
    this.#count = count
    this.#workers = workers
    this.#task = task
    this.#rows = rows
    this.#probe = probe
    this.#signal = signal
  }

  /** Have the rows gone to the workers? */
  get gone(): boolean {
    return this.#crew !== undefined && this.#rows.held !== undefined
  }

  sweep(params: Float64Array): Promise<Sweep> {
    const swept = this.#last.then(() => this.#sweep(params))
    this.#last = swept.catch(() => undefined)
    return swept
  }

  async #sweep(params: Float64Array): Promise<Sweep> {
    if (!this.#begun) await this.#begin(params)
    const { laid, certain } = this.#task
    const { held } = this.#rows
    if (this.#crew) return this.#crew.sweep(params, held ? undefined : this.#rows.chunks())
    return sweep(laid, this.#rows.chunks(), params, { certain, signal: this.#signal })
  }

  end(): void {
    this.#ended = true
    this.#crew?.end()
  }

  async #begin(params: Float64Array): Promise<void> {
    this.#begun = true
    let crew: Crew
    try {
      crew = await Crew.gather(this.#workers, this.#count, this.#task, this.#probe, params, this.#signal)
    } catch (error) {
      if (!(error instanceof CannotCross)) throw error
      if (this.#asked === "auto") return
      throw refusal(this.#asked, error)
    }
    this.#crew = crew
    // a learner that does not wait for its sweep may be gone by now
    if (this.#ended) return crew.end()
    const held = this.#rows.held ?? []
    for (const chunk of held) crew.own(chunk)
    held.length = 0
  }
}

function refusal(asked: number, { what, message }: CannotCross): SufficeError {
  return new SufficeError(
    "threads",
    what === "start"
      ? `fit: threads is ${asked}, but a worker does not begin: ${message}. Its file must stand beside the program, and a page must allow workers. Make it so, or leave threads out: then one thread is enough.`
      : `fit: threads is ${asked}, but a worker cannot take the model: ${message}. Workers know the families and structures of Suffice by their names; those of your own cannot cross to them. Write threads: 1, or leave it out.`,
    { threads: asked, why: message },
  )
}
