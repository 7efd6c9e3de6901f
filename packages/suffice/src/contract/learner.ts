/** A learner chooses the weights; it sees a model only as something learnable. */
import type { Block } from "./block.ts"
import type { Column, TextOptions } from "./columns.ts"
import type { Dice } from "./dice.ts"
import type { Course, Grown, Moving, MovingState } from "./moving.ts"
import type { Description, Diagnostic } from "./report.ts"

export interface Learner {
  readonly name: string
  readonly options: Description
  /** How documents are scaled where the model leaves it open; absent: as they are. */
  readonly scaling?: TextOptions["scaling"]
  /**
   * Learns from rows that come once and may never end, after this many have come. Absent: it needs to read them again. The states of its
   * steps have `moments`; where the model grows, it gets them back as `grown`, in counts.
   */
  readonly warmup?: number
  /** It goes over the rows by `sweep` alone, after `start`: they may then live in other threads. Absent: it learns in one. */
  readonly sweeps?: true
  /** What rows weigh in which a column is missing; absent: as much as the others. */
  readonly unlabelled?: Unlabelled
  /** `from`: the state of an earlier step, after which it goes on. The dice are the same as then. */
  learn(problem: Learnable, dice: Dice, from?: LearnerState): AsyncGenerator<LearnerStep, void, void>
}

/** What a learner yields: parameters are `solve(stats + prior·α)`. */
export interface LearnerStep {
  readonly iteration: number
  readonly run: number
  /** What the learner climbs: EM: log-likelihood + ln prior. */
  readonly objective: number
  readonly logLikelihood: number
  readonly entropy: number
  readonly change: number
  readonly rows: number
  /** Large ones may be made for who asks before the next step, and not kept. */
  readonly stats: Float64Array
  readonly prior: number
  /** The spread that prior and floors go by; without it V(stats). */
  readonly spread?: Float64Array | undefined
  /** θ(stats + prior·α), where the learner knows it and leaves it as it is: whoever makes a model of the step need not solve again. */
  readonly params?: Float64Array
  readonly diagnostics: readonly Diagnostic[]
  /** Posteriors of this column are given out at this temperature, p^(1/T), unless the caller calibrates the model otherwise. */
  readonly calibration?: { readonly target: string; readonly temperature: number }
  /** The iteration with which this run ends at the latest, where it goes by epochs. */
  readonly of?: number
  /** Set on the last step of a run. */
  readonly stopped?: "tolerance" | "maxIterations" | "counted" | "epochs" | "holdout" | "ended"
  /** With it `learn` goes on after this step as if it had never been interrupted. Ask before the next step is made. */
  state?(): LearnerState
}

/** Where a learner stands: plain numbers, and arrays that go by the statistics, but for `spread`. */
export interface LearnerState {
  readonly numbers: Readonly<Record<string, number>>
  readonly arrays: Readonly<Record<string, Float64Array>>
}

/**
 * λ: what a row in which a column is missing weighs beside those that have it (Nigam et al. 2000), where some have it.
 * Given for the column, or for the model's label; or chosen on labelled rows, by learners that `trial` makes.
 */
export type Unlabelled =
  | { readonly column?: string | undefined; readonly weight: number }
  | { readonly trial: (weight: number) => Learner }

/**
 * What a row contributes to the statistics: with its target seen (+), and against that with the target hidden or with its
 * best wrong value (−). EM: +seen. Conditional likelihood: +seen −hidden. Hinge: +seen −rival, rows past the margin left out.
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

/** A model laid out on data, as learners see it. */
export interface Learnable {
  /** Total weight and number of rows. */
  readonly weight: number
  readonly rows: number
  /** Rows that one pass brings in batches: of an update, the new ones alone. */
  readonly passRows: number
  /** α at strength 1, before anything was seen. */
  readonly prior: Float64Array
  /** V: how far rows lie apart within slots, by these counts (Leaf.spread); `spreads` numbers. */
  readonly spreads: number
  spread(stats: Float64Array): Float64Array
  /** stats + strength·α, around the means of these statistics. */
  withPrior(stats: Float64Array, strength: number, spread?: Float64Array): Float64Array
  /** Do all leaves move entry by entry, from entries that begin with some inertia? Then few passes are enough. */
  readonly isSparse: boolean
  /** Statistics to begin with: first guesses for what is hidden, on a sample of the rows. */
  start(dice: Dice): Promise<Float64Array>
  /** Statistics of a described model, total mass 1. */
  adopt(description: Description): Float64Array
  /** Is nothing hidden? Then the weights do not depend on θ. */
  readonly certain: boolean
  /** Where nothing is hidden it needs no θ. */
  sweep(params?: Float64Array): Promise<Sweep>
  /** Rows that come as they come and cannot be read again; `ended` says, after the last batch, that no more will. */
  readonly stream?: { readonly ended: boolean } | undefined
  /** Rows in mini-batches, in an order the dice choose, or as they stand: one pass over the data; of a stream, what comes next. */
  batches(size: number, dice: Dice | undefined): AsyncIterable<Block>
  /** The target of discriminative learning: the column, or the model's label; throws where it cannot be one. */
  target(column: string | undefined, against: "hidden" | "rival"): Column
  /** The moments of these statistics, those of a state, or those of a model that has grown since, set in motion. */
  moving(from: Float64Array | MovingState | Grown, course: Course): Moving
  /**
   * ln p(target = l | rest of the row) at θ, of the rows whose target is seen; weights times the factors. Absent: the rows are not all there to be
   * asked, as in a stream or an update.
   */
  posteriors?(
    params: Float64Array,
    target: string,
    factors: Float64Array | undefined,
  ): Promise<{
    /** Rows × levels, up to what a row has in common. */
    readonly logs: Float64Array
    readonly levels: number
    readonly truth: Int32Array
    readonly weights: Float64Array
  }>
  /** Two parts of the rows, chosen by the dice: a share of them held out, and the rest. */
  holdOut(share: number, dice: Dice): Promise<{ readonly rest: Learnable; readonly heldOut: Learnable }>
  /** θ(stats + strength·α); without a spread by V(stats). */
  solve(
    stats: Float64Array,
    strength: number,
    spread?: Float64Array,
  ): { readonly params: Float64Array; readonly held: number }
  value(stats: Float64Array, params: Float64Array): number
  /** value(α, θ), α around the means of θ: the logarithm of the prior's density, up to a constant. */
  logPrior(params: Float64Array, spread: Float64Array): number
  /** How many values of hidden switches hold less than one row. */
  starved(stats: Float64Array): number
  /** The same statistics with every starved value put on the row that is explained worst; undefined if no row is left for any. */
  reseed(stats: Float64Array, params: Float64Array, dice: Dice): Promise<Float64Array | undefined>
}

/** One pass over the data at θ. */
export interface Sweep {
  /** Σ_i w_i E[s | row i], in counts, without the prior. */
  readonly stats: Float64Array
  /** Σ_i w_i ln p(row i | θ); undefined when nothing was hidden and no upward pass was needed: then it is value(stats, θ). */
  readonly logLikelihood: number | undefined
  /** Σ_i w_i H(hidden | row i): what ICL charges. */
  readonly entropy: number
  /** Did any weight depend on θ? If not, EM ends after one step. */
  readonly guessed: boolean
}
