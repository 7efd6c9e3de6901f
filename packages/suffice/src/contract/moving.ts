/** Moments that move in small steps: what stochastic learners ask for. */
import type { Block } from "./block.ts"
import type { Regime } from "./learner.ts"

/** How moments move. */
export interface Course {
  readonly regime: Regime
  /** λ: the weight of the plain log-likelihood mixed in. */
  readonly generative: number
  /** Strength of the prior, and the spread it goes by; without it V(n·η), anew at every step. */
  readonly prior: number
  readonly spread?: Float64Array | undefined
  /** What every entry starts with above what was counted, if not the leaf's own choice (Sparse.inertia). */
  readonly inertia?: number | undefined
}

/** Moments η (one row's worth: total mass 1) on their way, with θ(η) beside them. */
export interface Moving {
  /**
   * One step: the mean direction of the block's rows, times ρ, of which a short block is given its share. A block whose rows weigh more than others moves further. Bags of words, where `words` is given: the sum, each document
   * counting `words` documents.
   */
  step(
    block: Block,
    rho: number,
    words: number | undefined,
  ): { readonly loss: number; readonly weight: number; readonly guarded: number }
  /** Judges blocks by the loss of what `stats` hands out now. */
  judge(): (block: Block) => number
  /** Add the present moments to the averages. */
  average(): void
  /** Begin a new average; the one begun before goes on until the next call. */
  restart(): void
  /** Settle what waits. Call it between steps, always at the same ones: the bits depend on it. */
  settle(): void
  /** The older average, where there is one, or the moments themselves: in counts. */
  stats(): Float64Array
  state(): MovingState
}

/** All there is to know of moments between two steps, once settled. Arrays go by the statistics. */
export interface MovingState {
  readonly moments: Float64Array
  readonly averages: readonly { readonly mean: Float64Array; readonly steps: number }[]
  /** Rows met so far: all of them, and those that were set against something; absent: none. */
  readonly met?: { readonly all: Tally; readonly contrasted: Tally }
}

/** So many rows, of this weight together. */
export interface Tally {
  readonly rows: number
  readonly weight: number
}

/** Statistics of a model that has grown by values of a switch, in counts: slots that hold nothing begin at the prior. */
export interface Grown {
  readonly grown: Float64Array
  readonly met?: MovingState["met"]
}
