/** Sparse updates of leaves with many entries (words). Changes common to all entries are applied lazily. */
import type { Block, Weights } from "./block.ts"
import type { Work } from "./leaf.ts"

export interface Sparse {
  /** Initial pseudo-counts of each entry, which slow it down. Undefined: none. */
  readonly inertia?: number
  /** Memory of fast kernels. Undefined if they are not used. */
  readonly room?: Room
  /** True if online EM is supported, whose steps also shrink all entries (SparseStep.towards). */
  readonly shrinks?: true
  /** Starts at these moments. */
  move(start: SparseStart): SparseMoving
}

/** Memory of fast kernels, beside moments and θ. */
export interface Room {
  /** Numbers kept by the leaf, and scratch numbers of a call. */
  readonly numbers: number
  readonly scratch: number
  /** Largest number of entries in a row. */
  readonly longest: number
  /** Number of entries in the rows of a block, kept between steps. */
  kept(block: Block): number
}

/** The leaf's ranges of the moments, θ and α. */
export interface SparseStart {
  readonly moments: Float64Array
  readonly params: Float64Array
  readonly prior: Float64Array
  /** Strength of the prior, and its part in θ(n·η + added·α): all under online EM, 0 under sdEM. */
  readonly strength: number
  readonly added: number
  /** n, the weight of all rows, now and at the first step. */
  readonly weight: number
  readonly begun: number
  readonly inertia: number
  /** True if the first moments contain the prior. */
  readonly holdsPrior: boolean
  /** True under online EM. */
  readonly shrinks: boolean
  /** True if words are averaged over steps. */
  readonly averaged?: boolean
}

export interface SparseMoving {
  /** Updates θ of the entries of a block before it is scored. Undefined if θ is always up to date. */
  refresh?(block: Block): void
  /** Copies the weights of the next step. `work`: result of `score` for this block. */
  take(weights: Weights, block: Block, work?: Work): void
  /** Adds the statistics of the rows (or steps) and updates θ of their entries. Returns the number of slots moved back into the domain. */
  step(block: Block, step: SparseStep): number
  /** Applies pending updates and recomputes all derived numbers from the moments. */
  settle(): void
  /** moments ← the present moments. Undefined if their array is always up to date. */
  write?(moments: Float64Array): void
  /** Continues this mean over further steps. Undefined if the moments are not averaged. */
  average?(mean: Float64Array, steps: number): LazyMean
}

/** A mean over steps, updated when read. */
export interface LazyMean {
  /** Counts the present moments. */
  add(): void
  write(mean: Float64Array): void
  /** Counts no further step. */
  end(): void
}

/** The factors of one step. */
export interface SparseStep {
  /** For leaves whose rows add up (bags): factor on the weight of a row, and the due pull of the prior. */
  readonly each: number
  readonly due: number
  /** Online EM: η ← (1 − towards)·η + towards·(mean over rows). Otherwise 0. */
  readonly towards: number
  /** n: the weight of all rows. */
  readonly weight: number
  /** For leaves that move by the mean over rows: factors on the weight of a row, and on the pull. */
  readonly mean: number
  readonly pull: number
  /** Weight delivered to each slot, and mass moved there by the pull on the switches above. */
  readonly delivered: Float64Array
  readonly pulledMass: Float64Array
  /** Mass of each slot after the step. Undefined if no part counts it. */
  readonly mass: Float64Array | undefined
  /** Halvings of a step that leaves the domain, before it is dropped. */
  readonly halvings: number
}
