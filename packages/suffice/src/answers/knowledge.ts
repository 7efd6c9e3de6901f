/** What a fitted model knows, and what every answer is computed from. */
import type { Model } from "../contract/model.ts"
import type { Diagnostic, Training } from "../contract/report.ts"
import type { Schema } from "../data/discover.ts"
import { type Laid, solve, spreadOf } from "../engine/lay.ts"
import type { Calibration } from "../measure/calibration.ts"
import type { Question } from "./question.ts"

/** Everything a fitted model knows; θ = θ(stats + prior·α), with α and floors from the spread, or from V(stats) if there is none. */
export interface Knowledge {
  readonly model: Model
  readonly laid: Laid
  readonly schema: Schema
  readonly stats: Float64Array
  readonly prior: number
  readonly spread?: Float64Array | undefined
  readonly training: Training | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** How posteriors of one column are corrected before they are returned. */
  readonly calibration?: Calibration | undefined
}

/** θ of the known statistics. */
export function paramsOf({ laid, stats, prior, spread = spreadOf(laid, stats) }: Knowledge): Float64Array {
  return solve(laid, stats, prior, spread).params
}

/** Knowledge with θ solved: what every answer is computed from. */
export interface SolvedModel {
  readonly known: Knowledge
  readonly params: Float64Array
  /** Questions prepared earlier, by target; undefined: the model's label. */
  readonly questions: Map<string | undefined, Question>
}
