/**
 * Why this level and not that one: the log-odds of one row as a sum over what the row holds.
 *
 *     ln p(a | row) − ln p(b | row) = prior + Σ_columns (or words) contribution
 *
 * With nothing hidden below the target a contribution is ln p(x_j | a) − ln p(x_j | b). Where switches have to be summed out, all
 * leaf scores grow together from 0 to their value, t · score (Aumann & Shapley 1974; Sundararajan, Taly & Yan 2017, arXiv:1703.01365):
 *
 *     contribution_j = Σ_p ( ∫_0^1 r_p(t | a) dt − ∫_0^1 r_p(t | b) dt ) · score_jp         r: the weights that come down
 *
 * The prior is the log-odds before anything is seen. Labels other than the target are revealed first, one by one from the outermost;
 * each contributes the change it makes. A missing cell contributes 0.
 */

import type { Level, Row } from "../contract/cells.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import { refuseUnknown } from "../errors.ts"
import { explainStep, type StepExplanation, stateAsked } from "./explain-step.ts"
import type { SolvedModel } from "./knowledge.ts"
import { addTerms, chosenPair } from "./odds.ts"
import { scaledRow } from "./scaled.ts"
import { targetOf } from "./target.ts"
import { type ExplanationTerm, Terms } from "./terms.ts"

export interface ExplainOptions<Name extends string = string, L extends Level = Level> {
  /** The column to explain; by default the model's label. */
  readonly target?: Name
  /** The level to argue for; by default the most probable one. */
  readonly level?: L
  /** The level to argue against; by default the most probable other one. */
  readonly against?: L
  /** Which step, from 0, if the column is the state of a chain. */
  readonly step?: number
}

export interface Explanation<L extends Level = Level> {
  readonly target: string
  readonly level: L
  readonly against: L
  /** ln p(level | row) − ln p(against | row) = prior + Σ contribution. */
  readonly logOdds: number
  readonly prior: number
  /** Largest first. A bag of words has a term per word; value: how often the word occurs. */
  readonly terms: readonly ExplanationTerm[]
  /** Levels and words of the row that training never saw: they count as missing. */
  readonly unseen?: Readonly<Record<string, Level | readonly string[]>>
}

/** Of a row, or of one of its steps. */
export function explainRowOrStep(
  solved: SolvedModel,
  row: Row,
  options: ExplainOptions,
): Explanation | StepExplanation {
  refuseUnknown("explain", options, OPTIONS)
  const inSteps = stateAsked(solved.known, options)
  return inSteps ? explainStep(solved, row, inSteps, options) : explain(solved, row, options)
}

const OPTIONS = ["target", "level", "against", "step"]

export function explain(solved: SolvedModel, row: Row, options: ExplainOptions = {}): Explanation {
  refuseUnknown("explain", options, OPTIONS)
  const { known, params } = solved
  const { columns } = known.schema
  const target = targetOf(known, options.target)
  const question = questionBlocks(known.schema, [row], target.column)
  const block = question.next()!
  const unseen = question.unseen.get(0)
  const joint = new Float64Array(target.levels.length)
  known.laid.root.open(block, params, target.column, joint)
  const pair = chosenPair(target, joint, options)
  const [a, b] = pair
  const scaled = scaledRow(solved, block, target.column)
  const terms = new Terms(columns, block, target.column, unseen ?? {})
  const asked = { columns, block, column: target.column }
  const prior = addTerms(known, scaled, pair, [joint[a], joint[b]], asked, terms)
  return {
    target: target.column,
    level: target.levels[a],
    against: target.levels[b],
    logOdds: joint[a] - joint[b],
    prior,
    terms: terms.sorted(),
    ...(unseen && { unseen }),
  }
}
