/** What a fitted model knows, and what every answer is computed from. */
import type { Description, Diagnostic, Model } from "../contract.ts"
import type { Schema } from "../data/discover.ts"
import type { Laid } from "../engine/lay.ts"
import type { Calibration } from "../measure/calibration.ts"

/** How the model came about. */
export interface Training {
  readonly learner: { readonly name: string; readonly options: Description }
  readonly seed: number
  readonly rows: number
  readonly weight: number
  readonly run: number
  readonly iterations: number
  readonly objective: number
  readonly logLikelihood: number
  readonly entropy: number
  /** The objective after every step of this run. */
  readonly trace: readonly number[]
  readonly runs: readonly {
    readonly run: number
    readonly iterations: number
    readonly objective: number
    readonly stopped: string
  }[]
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
