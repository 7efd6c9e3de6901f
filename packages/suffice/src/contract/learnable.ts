/** A model laid out on data, as learners see it: sweeps and batches in, statistics and parameters out. */
import type { Block } from "./block.ts"
import type { Column } from "./columns.ts"
import type { Dice } from "./dice.ts"
import type { Course, Grown, Moving, MovingState } from "./moving.ts"
import type { Description, Diagnostic } from "./report.ts"
import type { Round, Rounded } from "./round.ts"

/** What a learner is given: the model and the data, behind operations that name neither. */
export interface Learnable {
  /** Σ_i w_i and the number of rows, those of the model that is updated included. */
  readonly weight: number
  readonly rows: number
  /** The number of rows in one pass of `batches`; in an update, only the new ones. */
  readonly passRows: number
  /** Nothing is hidden: the weights do not depend on θ. */
  readonly certain: boolean
  /** Something hides inside a leaf (Leaf.start), and nothing is known of it yet: online EM finds it better than EM (learners/passes.ts). */
  readonly hidesInLeaves: boolean

  /** Statistics to begin with: first guesses for hidden values, made on a sample of the rows. `isAgain`: not those of the first run. */
  start(dice: Dice, isAgain?: boolean): Promise<Float64Array>
  /** The statistics of a described model, with total mass 1. */
  adopt(description: Description): Float64Array
  /** One pass over the rows at θ, which may be omitted if nothing is hidden. */
  sweep(params?: Float64Array): Promise<Sweep>
  /**
   * Present if nothing is hidden but tags of steps (the states of a chain, seen in part): the statistics of those that are seen, as if the others counted nothing. Undefined
   * if a state is seen nowhere.
   */
  countSeen?(): Promise<Float64Array | undefined>
  /** One pass in mini-batches of `size` rows, shuffled by the dice, or without dice in blocks, in order; of a stream, the `size` rows that come next, and so on. */
  batches(size: number, dice: Dice | undefined): AsyncIterable<Block>
  /**
   * Rows on other machines: an epoch in which each of them learns from its own rows, all from the same state, and the states are averaged by weight. Absent: rows are
   * read by `batches`.
   */
  round?(round: Round, dice: Dice): Promise<Rounded>
  /** Present if the rows can be read only once; `ended` is true after the last batch. */
  readonly stream?: { readonly ended: boolean } | undefined
  /** Splits the rows by the dice: a share of them held out, and the rest. */
  holdOut(share: number, dice: Dice): Promise<{ readonly rest: Learnable; readonly heldOut: Learnable }>

  /** α at strength 1, before any row is seen. */
  readonly prior: Float64Array
  /** stats + strength·α, α around the means of these statistics. */
  withPrior(stats: Float64Array, strength: number, spread?: Float64Array): Float64Array
  /** V(stats), the variation within slots (Leaf.spread): `spreads` numbers. */
  spread(stats: Float64Array): Float64Array
  readonly spreads: number
  /** θ(stats + strength·α), by default with V(stats), and the number of slots clamped to the edge of the domain. */
  solve(
    stats: Float64Array,
    strength: number,
    spread?: Float64Array,
  ): { readonly params: Float64Array; readonly clamped: number }
  /** Σ_parts ⟨stats, θ⟩ − n A(θ): the log-likelihood of fully seen rows. */
  value(stats: Float64Array, params: Float64Array): number
  /** value(α, θ), α around the means of θ: the log-density of the prior, up to a constant. */
  logPrior(params: Float64Array, spread: Float64Array): number

  /** How many values of hidden variables have less than the mass of one row. */
  starved(stats: Float64Array): number
  /** How many of them hide inside a leaf (topics), and which, in words. */
  starvedInside(stats: Float64Array): {
    readonly count: number
    readonly diagnostics: readonly Diagnostic[]
  }
  /** These statistics with each starved value restarted at the row that is explained worst; undefined if there are no rows left. */
  reseed(stats: Float64Array, params: Float64Array, dice: Dice): Promise<Float64Array | undefined>

  /** The target of discriminative learning: `column`, or the model's label. Throws if it cannot be one. */
  target(column: string | undefined, against: "hidden" | "rival"): TargetColumn
  /** Moments that start from these statistics, from a state, or from those of a model that has grown, and move by steps. */
  moving(from: Float64Array | MovingState | Grown, course: Course): Moving
  /** All leaves move entry by entry (Leaf.sparse), from entries with inertia: then few passes are enough. */
  readonly isSparse: boolean
  /** Rows have steps that follow each other in a chain; absent: they have not. */
  readonly isChained?: boolean
  /**
   * ln p(target = l | rest of row i) at θ, for the rows whose target is seen, and their weights times `factors` by level. Absent: not
   * all rows are available, as in a stream or an update.
   */
  posteriors?(
    params: Float64Array,
    target: string,
    factors: Float64Array | undefined,
  ): Promise<{
    /** Rows × levels, up to a constant per row. */
    readonly logs: Float64Array
    readonly levels: number
    readonly truth: Int32Array
    readonly weights: Float64Array
  }>
}

/** A column to predict; `steps`: it stands in the steps of this one, and all its cells in a row are predicted together. */
export type TargetColumn = Column & { readonly steps?: string }

/** One pass over the data at θ. */
export interface Sweep {
  /** Σ_i w_i E[s | row i], in counts, without the prior. */
  readonly stats: Float64Array
  /** Σ_i w_i ln p(row i | θ). Undefined if nothing is hidden: no upward pass is made, and it equals value(stats, θ). */
  readonly logLikelihood: number | undefined
  /** Σ_i w_i H(hidden | row i): what ICL subtracts. */
  readonly entropy: number
  /** Did any weight depend on θ? If not, EM ends after one step. */
  readonly guessed: boolean
}
