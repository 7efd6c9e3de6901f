/** What a fitted model knows, and what every answer is computed from. */
import type { Description, Diagnostic, Model } from "../contract.ts"
import type { Schema } from "../data/discover.ts"
import type { Laid } from "../engine/lay.ts"
import type { Calibration } from "../measure/calibration.ts"

/** How the model came about. */
export interface Training {
  readonly learner: { readonly name: string; readonly options: Description }
  readonly seed: number
  /** Rows learned from, and their weight; a model that was specified and then updated weighs 1 itself. */
  readonly rows: number
  readonly weight: number
  readonly run: number
  readonly iterations: number
  /** What the learner climbed. EM: logLikelihood + ln prior. */
  readonly objective: number
  /**
   * Σ_i w_i ln p(row i | θ) over all rows. After an update the earlier rows are there as statistics only, which say the same where
   * nothing was hidden in them; else (`continued`) their part is the expected log-likelihood of rows and guesses together.
   */
  readonly logLikelihood: number
  /** Σ_i w_i H(hidden | row i); after an update, of the rows it brought. */
  readonly entropy: number
  /** The objective after every step of this run. */
  readonly trace: readonly number[]
  readonly runs: readonly {
    readonly run: number
    readonly iterations: number
    readonly objective: number
    readonly stopped: string
    /** Ended with a parameter set held at the edge of its domain: chosen only where every run did. */
    readonly held?: true
  }[]
  /** Learning went on from statistics that are not counts: some of what they hold was guessed, or specified. */
  readonly continued?: true
}

/** Everything a fitted model knows; θ = θ(stats + prior·α). */
export interface Knowledge {
  readonly model: Model
  readonly laid: Laid
  readonly schema: Schema
  readonly stats: Float64Array
  readonly prior: number
  readonly training: Training | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** How posteriors of one column are corrected before they are given out. */
  readonly calibration?: Calibration | undefined
}

/** What every answer is computed from. */
export interface Asked {
  readonly known: Knowledge
  readonly params: Float64Array
}
