/** A learner chooses the weights; it sees a model only as something learnable (learnable.ts). */
import type { BeliefKind } from "./belief.ts"
import type { TextOptions } from "./columns.ts"
import type { Dice } from "./dice.ts"
import type { Learnable } from "./learnable.ts"
import type { Description, Diagnostic } from "./report.ts"

export interface Learner {
  readonly name: string
  readonly options: Description
  /** Yields a step at a time. `from`: the state after an earlier step, to continue from, with the same dice. */
  learn(problem: Learnable, dice: Dice, from?: LearnerState): AsyncGenerator<LearnerStep, void, void>
  /** How counts of words are scaled if the model does not choose; absent: not at all. */
  readonly scaling?: TextOptions["scaling"]
  /**
   * It learns from a stream, whose first `warmup` rows determine the columns. The states of its steps contain `moments`; if the model grows, it
   * continues from them as `Grown`, in counts. Absent: it reads the rows more than once.
   */
  readonly warmup?: number
  /** It reads the rows by `start` and `sweep` only, so that they may be in other threads. Absent: it runs in one thread. */
  readonly sweeps?: true
  /** It learns a posterior: the problem solves for expected parameters, and the fitted model integrates over them. */
  readonly beliefs?: readonly BeliefKind[]
  /** The weight of rows without a label; absent: that of the others. */
  readonly unlabelled?: Unlabelled
  /** What learning from this many rows comes to, for those who choose within a budget; absent: one sweep. */
  effort?(rows: number, of: Ease): Effort
}

/** What makes a model easy to learn. */
export interface Ease {
  /** Nothing is hidden, nor missing where that matters: one sweep counts everything. */
  readonly certain: boolean
  /** It is of bags of words alone (Learnable.isSparse). */
  readonly sparse: boolean
}

/** Counted, not timed: rows gone over, upward and downward, and how often θ is solved. */
export interface Effort {
  readonly rows: number
  readonly solves: number
}

/** What a learner yields. The parameters are θ(stats + prior·α). */
export interface LearnerStep {
  readonly iteration: number
  readonly run: number
  /** What the learner climbs; EM: log-likelihood + ln prior. */
  readonly objective: number
  readonly logLikelihood: number
  readonly entropy: number
  readonly change: number
  readonly rows: number
  /** May be computed when it is read; read it before the next step. */
  readonly stats: Float64Array
  readonly prior: number
  /** V, which the prior and the floors are relative to; by default V(stats). */
  readonly spread?: Float64Array | undefined
  /** θ(stats + prior·α), if the learner has it and will not change it. */
  readonly params?: Float64Array
  readonly diagnostics: readonly Diagnostic[]
  /** The fitted model reports posteriors of this column at this temperature, p^(1/T), unless the caller calibrates it. */
  readonly calibration?: { readonly target: string; readonly temperature: number }
  /** The last iteration this run can have, if it is limited by epochs. */
  readonly of?: number
  /** Set on the last step of a run. */
  readonly stopped?: "tolerance" | "maxIterations" | "counted" | "epochs" | "holdout" | "ended"
  /** What `learn` needs to continue after this step as if it had never stopped. Call it before the next step. */
  state?(): LearnerState
}

/** The state of a learner: numbers, and arrays that are as long as the statistics (`spread`: as the spreads). */
export interface LearnerState {
  readonly numbers: Readonly<Record<string, number>>
  readonly arrays: Readonly<Record<string, Float64Array>>
}

/**
 * λ: the weight of a row without the label relative to a row with it (Nigam et al. 2000), if there are both. Either given, for
 * `column` or the model's label, or chosen by cross-validation on labelled rows with the learners that `trial` makes.
 */
export type Unlabelled =
  | { readonly column?: string | undefined; readonly weight: number }
  | { readonly trial: (weight: number) => Learner }
