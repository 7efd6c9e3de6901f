/**
 * Moments that move entry by entry, for leaves with many entries (words) of which a step touches few. What a step does to all entries
 * alike, such as the prior's pull, is kept as a few numbers per slot, or as a debt that is settled now and then.
 */
import type { Block, Weights } from "./block.ts"
import type { Work } from "./leaf.ts"

export interface Sparse {
  /** Pseudo-counts that every entry starts with: how slowly entries move. Absent: none. */
  readonly inertia?: number
  /** What fast kernels are to have in their memory. Absent: it does not move by them. */
  readonly room?: Room
  /** They move under online EM too, where every step also shrinks what was there (SparseStep.towards). Absent: only by direction. */
  readonly shrinks?: true
  /** Moments that begin here, and move by steps. */
  move(start: SparseStart): SparseMoving
}

/** Memory of fast kernels: for moments and θ, and besides for what is listed here. */
export interface Room {
  /** How many numbers of its own the leaf asks for, and how many a call needs. */
  readonly numbers: number
  readonly scratch: number
  /** The number of entries that a row has at most. */
  readonly longest: number
  /** The number of entries in the rows of a block, each row counted: they are remembered between steps. */
  kept(block: Block): number
}

/** The leaf's own ranges of the moments, of θ (computed from them), and of α. */
export interface SparseStart {
  readonly moments: Float64Array
  readonly params: Float64Array
  readonly prior: Float64Array
  /** Strength of the prior, and how much of it is added beside the moments: θ(n·η + added·α). Online EM adds all of it, sdEM nothing. */
  readonly strength: number
  readonly added: number
  /** n: the weight of all rows. */
  readonly weight: number
  /** n when the moments began to move: on a stream it grows, and what is relative to it must not. */
  readonly begun: number
  readonly inertia: number
  /** The first moments hold the prior already: nothing is added to them until the first step. */
  readonly holdsPrior: boolean
  /** Online EM: every step also shrinks what was there. */
  readonly shrinks: boolean
  /** Words are to be averaged over steps, too. */
  readonly averaged?: boolean
}

export interface SparseMoving {
  /** Brings θ of the entries of a block up to date before it is scored. Absent: θ is always up to date. */
  refresh?(block: Block): void
  /** Weights for the next step. They are copied, since nodes reuse their arrays. `work`: what `score` of this block returned. */
  take(weights: Weights, block: Block, work?: Work): void
  /**
   * Adds the rows' statistics to the entries they contain, and updates θ there; the rows are those that the weights were given to, for a part inside steps the
   * steps. Returns how many slots were moved back into the domain.
   */
  step(block: Block, step: SparseStep): number
  /** Applies every debt and recomputes everything from the moments, so that the state no longer depends on how it was reached. */
  settle(): void
  /** The present moments; absent: they are always in the array they began in. */
  write?(moments: Float64Array): void
  /** A mean over further steps that continues from this one; absent: these moments are not averaged. */
  average?(mean: Float64Array, steps: number): LazyMean
}

/** A mean over steps of numbers that rarely change, brought up to date when it is read. */
export interface LazyMean {
  /** Count the present moments. */
  add(): void
  write(mean: Float64Array): void
  /** Count no further step. */
  end(): void
}

/** The factors of one step. */
export interface SparseStep {
  /** For leaves whose rows add up (bags, whose length is given): the factor on a row's weight, and the amount of the prior's pull due. */
  readonly each: number
  readonly due: number
  /** Under online EM: η ← (1 − towards)·η + towards·(mean over rows), `each` being the factor on a row's weight. Otherwise 0. */
  readonly towards: number
  /** n: the weight of all rows so far. */
  readonly weight: number
  /** For leaves that move by the mean over rows: the factor on a row's weight, and that on the prior's pull. */
  readonly mean: number
  readonly pull: number
  /** The weight delivered to each slot, and the mass that the pull on the switches above moves there. */
  readonly delivered: Float64Array
  readonly pulledMass: Float64Array
  /** The mass each slot has after the step, if a part counts it. */
  readonly mass: Float64Array | undefined
  /** How often a step that leaves the domain is halved before it is dropped. */
  readonly halvings: number
}
