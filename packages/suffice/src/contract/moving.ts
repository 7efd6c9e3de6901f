/** Moments η that move in small steps, with θ(η). */
import type { Block } from "./block.ts"

/** The moments, normalised to one row (total mass 1), and their averages over steps. */
export interface Moving {
  /** η ← η + ρ · (mean direction of the rows). `words`: bags move by the sum over documents, times `words`. `guarded`: slots with a shortened step. */
  step(
    block: Block,
    rho: number,
    words: number | undefined,
  ): { readonly loss: number; readonly weight: number; readonly guarded: number }
  /** Loss of a block under the model of `stats`. */
  judge(): (block: Block) => number
  /** Adds the present moments to the averages. */
  average(): void
  /** Begins a new average; the previous one continues until the next call. */
  restart(): void
  /** Applies pending updates (SparseMoving.settle). Bits depend on when: call it after the same steps in every run. */
  settle(): void
  /** The older average, or the moments if there is none, in counts. */
  stats(): Float64Array
  state(): MovingState
}

/** Options of the steps. */
export interface Course {
  readonly regime: Regime
  /** λ: the weight of the plain log-likelihood in the objective. */
  readonly generative: number
  /** Strength of the prior, and the spread it is relative to; by default V(n·η), recomputed at every step. */
  readonly prior: number
  readonly spread?: Float64Array | undefined
  /** Initial pseudo-counts of each entry. Undefined: Sparse.inertia. */
  readonly inertia?: number | undefined
  /** True if latent values inside leaves (topics) are iterated to convergence in every step. */
  readonly isExact?: boolean | undefined
  /** True if words are averaged too, which is slower. */
  readonly averagesWords?: boolean
}

/** Contrast of a row: "nothing" (EM), the target hidden (conditional likelihood), or its most violating value (hinge), within the margin. */
export type Regime =
  | { readonly against: "nothing" }
  | ({ readonly against: "hidden" } & Contrasted)
  | ({ readonly against: "rival"; readonly margin: number } & Contrasted)

export interface Contrasted {
  readonly target: string
  /** Factors on the weight of rows, by level of the target. */
  readonly factors?: Float64Array | undefined
}

/** The complete state of settled moments between two steps. Arrays are as long as the statistics. */
export interface MovingState {
  readonly moments: Float64Array
  readonly averages: readonly { readonly mean: Float64Array; readonly steps: number }[]
  /** The rows seen so far: all of them, and those with a target; absent: none. */
  readonly met?: { readonly all: Tally; readonly contrasted: Tally }
  /** n when they began to move; absent: n of the table. */
  readonly begun?: number
}

/** A number of rows, and their total weight. */
export interface Tally {
  readonly rows: number
  readonly weight: number
}

/** The statistics, in counts, of a model whose switch has new values: their slots are empty, and begin at the prior. */
export interface Grown {
  readonly grown: Float64Array
  readonly met?: MovingState["met"]
}
