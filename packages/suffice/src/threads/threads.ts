/** The option `threads`: how many workers, whether they can take the model, and their sweeps; "auto" may stay in this thread. */
import type { Block, Chunk } from "../contract/block.ts"
import type { Lifetime } from "../contract/door.ts"
import type { Sweep } from "../contract/learnable.ts"
import type { Learner } from "../contract/learner.ts"
import { sweep } from "../engine/sweep.ts"
import { list, SufficeError } from "../errors.ts"
import { FAMILY_NAMES } from "../families/names.ts"
import type { FramePlace } from "../frames/spill.ts"
import type { Workers } from "./idle.ts"
import { CannotDelegate, type Task, WorkerPool } from "./pool.ts"

export type Threads = number | "auto"

/**
 * "auto" keeps less work than this in one thread: 20 sweeps of it take at most a second, and workers need a tenth of a second to start and warm
 * up (bench/studies/threads.md). A row costs as much as some 256 parameters.
 */
const SMALL = 6e7
const ROW = 256

interface Rows {
  readonly rows: number
  /** Rows of a chunk. */
  readonly chunk: number
  chunks(lifetime?: Lifetime): Iterable<Chunk> | AsyncIterable<Chunk>
  /** The chunks, if they are in memory and can move to the workers; otherwise they are read again for each sweep. */
  readonly inMemory: Chunk[] | undefined
  /** One frame per chunk, which workers read themselves, if the source was packed. */
  frames?(): readonly FramePlace[] | undefined
  /** The learner reads the rows in memory again after a sweep: workers get copies of them. */
  readonly stay?: boolean
}

/** How many workers sweep; 1 means none: the rows stay in this thread. */
export function workersFor(
  requested: Threads,
  learner: Learner,
  { laid, certain }: Task,
  { rows, chunk }: Pick<Rows, "rows" | "chunk">,
  workers: Pick<Workers, "cores">,
): number {
  if (requested === 1 || !learner.sweeps) return 1
  // choices belong to structures
  const own = laid.parts.flatMap(part => (part.role !== "leaf" ? [] : [part.family]))
  const unknown = [...new Set(own.filter(name => !FAMILY_NAMES.has(name)))]
  if (unknown.length > 0) {
    if (requested === "auto") return 1
    throw new SufficeError(
      "threads",
      `fit: threads is ${requested}, but ${list(unknown)} ${unknown.length === 1 ? "is a family" : "are families"} of your own. Workers know the families of Suffice by their names; the code of yours cannot cross to them. Write threads: 1, or leave it out.`,
      { threads: requested, families: unknown },
    )
  }
  const chunks = Math.ceil(rows / chunk)
  if (requested !== "auto") return Math.min(requested, chunks)
  // counting is a single sweep: moving the rows would take longer
  if (certain || rows * (ROW + laid.parameters) < SMALL) return 1
  return Math.min(workers.cores(), chunks)
}

/** Sweeps by workers, which start with the first sweep and are released by `end`. */
export class SharedSweeps {
  readonly #requested: Threads
  readonly #count: number
  readonly #task: Task
  readonly #rows: Rows
  readonly #probe: Block
  readonly #workers: Workers
  readonly #signal: AbortSignal | undefined
  /** The previous sweep: workers hold one θ at a time. */
  #last: Promise<unknown> = Promise.resolve()
  #begun = false
  #ended = false
  /** None if the work stays in this thread. */
  #pool: WorkerPool | undefined

  constructor(
    { requested, count, workers }: { requested: Threads; count: number; workers: Workers },
    task: Task,
    rows: Rows,
    probe: Block,
    signal: AbortSignal | undefined,
  ) {
    this.#requested = requested
    this.#count = count
    this.#workers = workers
    this.#task = task
    this.#rows = rows
    this.#probe = probe
    this.#signal = signal
  }

  /** Whether the rows have moved to the workers. */
  get gone(): boolean {
    return this.#pool !== undefined && this.#rows.inMemory !== undefined && !this.#rows.stay
  }

  sweep(params: Float64Array): Promise<Sweep> {
    const swept = this.#last.then(() => this.#sweep(params))
    this.#last = swept.catch(() => undefined)
    return swept
  }

  async #sweep(params: Float64Array): Promise<Sweep> {
    if (!this.#begun) await this.#begin(params)
    const { laid, certain } = this.#task
    const { inMemory } = this.#rows
    if (this.#pool) {
      const frames = this.#rows.frames?.()
      return this.#pool.sweep(params, inMemory || frames ? undefined : this.#rows.chunks(), frames)
    }
    return sweep(laid, this.#rows.chunks("chunk"), params, { certain, signal: this.#signal })
  }

  end(): void {
    this.#ended = true
    this.#pool?.end()
  }

  async #begin(params: Float64Array): Promise<void> {
    this.#begun = true
    let pool: WorkerPool
    try {
      pool = await WorkerPool.start(this.#workers, this.#count, this.#task, this.#probe, params, this.#signal)
    } catch (error) {
      if (!(error instanceof CannotDelegate)) throw error
      if (this.#requested === "auto") return
      throw refusal(this.#requested, error)
    }
    this.#pool = pool
    // a learner that does not await its sweep may have ended by now
    if (this.#ended) return pool.end()
    const chunks = this.#rows.inMemory ?? []
    const { stay } = this.#rows
    for (const chunk of chunks) pool.store(stay ? structuredClone(chunk) : chunk)
    if (!stay) chunks.length = 0
  }
}

function refusal(requested: number, { what, message }: CannotDelegate): SufficeError {
  return new SufficeError(
    "threads",
    what === "start"
      ? `fit: threads is ${requested}, but a worker does not begin: ${message}. Its file must stand beside the program, and a page must allow workers. Make it so, or leave threads out: then one thread is enough.`
      : `fit: threads is ${requested}, but a worker cannot take the model: ${message}. Workers know the families and structures of Suffice by their names; those of your own cannot cross to them. Write threads: 1, or leave it out.`,
    { threads: requested, why: message },
  )
}
