/** Parts of many entries, of which a step touches few. */
import type { Block, Weights } from "./block.ts"

/**
 * Moments that move entry by entry: a step touches the entries of its rows, and θ of those. What it does to all entries alike, such as the prior's pull, is kept as
 * a few numbers by slot, or as a debt that is settled now and then.
 */
export interface Sparse {
  /** What every entry starts with above what was counted: how firmly entries stay where they are. Absent: nothing. */
  readonly inertia?: number
  /** How many entries the rows of a block have, each row counted: the kernels keep what they read again and again. Absent: they keep nothing. */
  kept?(block: Block): number
  /** Sets the moments in motion. */
  move(start: SparseStart): SparseMoving
}

/** The leaf's own stretches of the moments, of θ, which is computed from them, and of α. */
export interface SparseStart {
  readonly moments: Float64Array
  readonly params: Float64Array
  readonly prior: Float64Array
  /** Of the prior. */
  readonly strength: number
  /** n: of all rows. */
  readonly weight: number
  readonly inertia: number
}

export interface SparseMoving {
  /** Weights that the next step goes by; copied, since nodes use their arrays again. */
  take(weights: Weights): void
  /** Adds what the rows give to the entries they have: the rows that the weights were given to, inside steps those of the steps. Returns how many slots were moved back into the domain. */
  step(block: Block, step: SparseStep): number
  /** Every entry gets what it is owed, and everything is computed from the moments: the same state whatever the way to it. */
  settle(): void
  /** The moments as they are; absent: they always stand in the array they began in. */
  write?(moments: Float64Array): void
  /** A mean over steps to come, which goes on from this one; absent: these moments are not averaged. */
  average?(mean: Float64Array, steps: number): LazyMean
}

/** A mean that is brought up to date when somebody looks: of numbers that mostly stay as they are. */
export interface LazyMean {
  /** The present moments count. */
  add(): void
  write(mean: Float64Array): void
  /** No step counts any more. */
  end(): void
}

export interface SparseStep {
  /** What a row's unit of weight is worth where rows add up (bags, whose length is given), and how much of the prior's pull is due for it. */
  readonly each: number
  readonly due: number
  /** What it is worth where the mean over rows counts, and what a unit of the prior's pull is worth then. */
  readonly mean: number
  readonly pull: number
  /** Weight that came to each slot, what the pull brings to it from above, and the mass it should have then, where a part counts it. */
  readonly came: Float64Array
  readonly brought: Float64Array
  readonly mass: Float64Array | undefined
  /** A step out of the domain is halved this often at most; then it is not taken. */
  readonly halvings: number
}
