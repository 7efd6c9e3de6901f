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
 *
 * Along the arrows of a network a cell is evidence, and chooses what others mean: there all columns are revealed one by one, parents first. Below a label that is
 * ln p(x_j | parents, a) − ln p(x_j | parents, b).
 */

import { blankRows, isHole } from "../blocks/encoded.ts"
import type { Block, Encoded } from "../contract/block.ts"
import type { Level, Row } from "../contract/cells.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import { arrowsIn, hasNetwork, revealed } from "../declare/arrows.ts"
import { refuseUnknown } from "../errors.ts"
import { explainedStep, type StepExplanation, stateAsked } from "./explain-step.ts"
import type { SolvedModel } from "./knowledge.ts"
import { addTerms, chosenPair, type Pair } from "./odds.ts"
import { scaledRow } from "./scaled.ts"
import { type RowTarget, rowTarget, unreadIn } from "./target.ts"
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

const OPTIONS = ["target", "level", "against", "step"]

/** A row, or one step of it, to be explained. */
export interface Explained {
  /** ln p(row, level), up to a constant. */
  readonly joint: Float64Array
  /** The number of a step, with the scores of each level by the steps before and after. Undefined for a row. */
  readonly around?: { readonly step: number; readonly past: Float64Array; readonly future: Float64Array }
  /** The odds of the pair before anything is seen, and the terms. */
  odds(pair: Pair): { readonly prior: number; readonly terms: readonly ExplanationTerm[] }
}

/** The explanation of a row, or of one of its steps. */
export function explain(
  solved: SolvedModel,
  row: Row,
  options: ExplainOptions = {},
): Explanation | StepExplanation {
  refuseUnknown("explain", options, OPTIONS)
  const { known } = solved
  const target = stateAsked(known, options) ?? rowTarget(known, options.target)
  const question = questionBlocks(known.schema, [row], unreadIn(target))
  const block = question.next()!
  const unseen = question.unseen.get(0)
  const { joint, around, odds } =
    target.frame === "step"
      ? explainedStep(solved, block, target, options.step)
      : explainedRow(solved, block, target, unseen)
  const { column } = target
  const levels = target.levels!
  const pair = chosenPair({ column, levels }, joint, options)
  const [a, b] = pair
  const { prior, terms } = odds(pair)
  return {
    target: column,
    ...(around && { step: around.step }),
    level: levels[a],
    against: levels[b],
    logOdds: joint[a] - joint[b],
    ...(around
      ? { past: around.past[a] - around.past[b], terms, future: around.future[a] - around.future[b] }
      : { prior, terms }),
    ...(unseen && { unseen }),
  } as Explanation | StepExplanation
}

function explainedRow(
  solved: SolvedModel,
  block: Block,
  target: RowTarget,
  unseen: Explanation["unseen"] = {},
): Explained {
  const { known, params } = solved
  const { columns } = known.schema
  const { column, levels } = target
  const joint = new Float64Array(levels.length)
  known.laid.root.open(block, params, column, joint)
  return {
    joint,
    odds(pair) {
      const [a, b] = pair
      const terms = new Terms(columns, block, column, unseen)
      if (hasNetwork(known.model.spec)) {
        const revealed = revealedTerms(solved, block, target, pair)
        for (const [column, contribution] of revealed.terms) terms.add({ column }, contribution)
        return { prior: revealed.prior, terms: terms.sorted() }
      }
      const scaled = scaledRow(solved, block, column)
      const prior = addTerms(known, scaled, pair, [joint[a], joint[b]], { columns, block, column }, terms)
      return { prior, terms: terms.sorted() }
    },
  }
}

/** The log-odds of a row as its cells are revealed one by one, each column after those it depends on. */
function revealedTerms(
  { known, params }: SolvedModel,
  block: Block,
  { column, levels }: RowTarget,
  [a, b]: readonly [number, number],
): { readonly prior: number; readonly terms: readonly (readonly [string, number])[] } {
  const { columns } = known.schema
  const cells: Encoded[] = blankRows(columns, 1).cells.slice()
  const odds = (): number => {
    const joint = new Float64Array(levels.length)
    known.laid.root.open({ ...block, cells: cells.slice() }, params, column, joint)
    return joint[a] === joint[b] ? 0 : joint[a] - joint[b]
  }
  const prior = odds()
  let before = prior
  const terms = revealed(arrowsIn(known.model.spec)).flatMap(name => {
    const place = columns.findIndex(other => other.name === name)
    if (place < 0 || name === column || isHole(columns[place], block.cells[place], 0)) return []
    cells[place] = block.cells[place]
    const now = odds()
    // where the odds are infinite, the first cell that makes them so takes it all
    const change = now === before ? 0 : now - before
    before = now
    return [[name, change] as const]
  })
  return { prior, terms }
}
