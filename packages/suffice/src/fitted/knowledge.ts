/** What a fitted model knows, and what every answer is computed from. */
import type { Diagnostic, Model, Training } from "../contract.ts"
import type { Schema } from "../data/discover.ts"
import { type Laid, solve, spreadOf } from "../engine/lay.ts"
import type { Calibration } from "../measure/calibration.ts"
import type { Question } from "./question.ts"

/** Everything a fitted model knows; θ = θ(stats + prior·α), α and floors by the spread, or where there is none by V(stats). */
export interface Knowledge {
  readonly model: Model
  readonly laid: Laid
  readonly schema: Schema
  readonly stats: Float64Array
  readonly prior: number
  readonly spread?: Float64Array | undefined
  readonly training: Training | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** How posteriors of one column are corrected before they are given out. */
  readonly calibration?: Calibration | undefined
}

/** θ of what is known. */
export function paramsOf({ laid, stats, prior, spread = spreadOf(laid, stats) }: Knowledge): Float64Array {
  return solve(laid, stats, prior, spread).params
}

/** What every answer is computed from. */
export interface Asked {
  readonly known: Knowledge
  readonly params: Float64Array
  /** What was asked before, by target; undefined: the model's own. */
  readonly questions: Map<string | undefined, Question>
}
