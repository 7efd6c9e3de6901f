/** Moments η that move in small steps, with θ(η): what stochastic learners ask for. */
import type { Block } from "./block.ts"

/** The moments, normalised to one row (total mass 1), and their averages over steps. */
export interface Moving {
  /**
   * η ← η + ρ · (the mean direction of the block's rows). A block that is shorter or lighter than usual moves less, a heavier one more. With `words`,
   * bags of words move by the sum over documents instead, each counting `words` times. `guarded`: slots whose step was shortened.
   */
  step(
    block: Block,
    rho: number,
    words: number | undefined,
  ): { readonly loss: number; readonly weight: number; readonly guarded: number }
  /** The loss of a block under the model that `stats` returns now. */
  judge(): (block: Block) => number
  /** Add the present moments to the averages. */
  average(): void
  /** Begin a new average; the previous one continues until the next call. */
  restart(): void
  /** Apply what lazy entries have not received yet (SparseMoving.settle). The bits depend on when: call it after the same steps in every run. */
  settle(): void
  /** The older average if there is one, else the moments: in counts. */
  stats(): Float64Array
  state(): MovingState
}

/** How moments move. */
export interface Course {
  readonly regime: Regime
  /** λ: the weight of the plain log-likelihood in the objective. */
  readonly generative: number
  /** Strength of the prior, and the spread it is relative to; by default V(n·η), recomputed at every step. */
  readonly prior: number
  readonly spread?: Float64Array | undefined
  /** Pseudo-counts that every entry starts with; absent: the leaf decides (Sparse.inertia). */
  readonly inertia?: number | undefined
  /** What is hidden inside a leaf (topics) is found to the last digit in every step, as laws ask; otherwise roughly. */
  readonly isExact?: boolean | undefined
  /** Averages are over words as well, which is slower; absent: words are those of the last step. */
  readonly averagesWords?: boolean
}

/**
 * What a row contributes to the statistics: + with its target seen, − with the target hidden or replaced by its best wrong value.
 * "nothing" (EM): +seen. "hidden" (conditional likelihood): +seen −hidden. "rival" (hinge): +seen −rival, for rows within the margin.
 */
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
