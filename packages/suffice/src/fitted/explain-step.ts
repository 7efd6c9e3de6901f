/**
 * Why this state and not that one, at one step of a chain: what comes before, what stands in the step, and what comes after.
 *
 *     ln γ_t(a)/γ_t(b)  =  ln (Σ_i α_{t−1}(i) a_ia)/(Σ_i α_{t−1}(i) a_ib)  +  ln b_a(x_t)/b_b(x_t)  +  ln β_t(a)/β_t(b)
 *                              past                                            terms                   future
 */
import { rowsOf } from "../blocks/encoded.ts"
import type { Level, Row } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import { SufficeError, show, wrongOption } from "../errors.ts"
import { hasNetwork } from "../structures/arrows.ts"
import type { Knowledge, SolvedModel } from "./knowledge.ts"
import { addTerms, chosenPair } from "./odds.ts"
import { scaledStep } from "./scaled.ts"
import { type StepTarget, stepsOf, stepTarget, withoutTarget } from "./step-target.ts"
import { type ExplanationTerm, Terms } from "./terms.ts"

/** What `explain` was asked. */
interface Asked {
  readonly target?: string
  readonly level?: Level
  readonly against?: Level
  readonly step?: number
}

/** Why one state and not another, at one step of a row. */
export interface StepExplanation<L extends Level = Level> {
  readonly target: string
  readonly step: number
  readonly level: L
  readonly against: L
  /** ln p(level at this step | row) − ln p(against | row) = past + Σ contribution + future. */
  readonly logOdds: number
  /** What the steps before it say; at the first step, how sequences begin. */
  readonly past: number
  /** What stands in the step itself, largest first: a term per cell, or per word of a bag. */
  readonly terms: readonly ExplanationTerm[]
  /** What the steps after it say. */
  readonly future: number
  /** Levels and words of the row that training never saw: they count as missing. */
  readonly unseen?: Readonly<Record<string, Level | readonly string[]>>
}

/** The state of a chain that is asked for; without a name, that of the only one. */
export function stateAsked(known: Knowledge, { target, step }: Asked): StepTarget | undefined {
  const asked = stepTarget(known, target)
  const chains = known.laid.switches.filter(({ walk }) => walk)
  const isOnly = target === undefined && step !== undefined && chains.length === 1
  const found = asked ?? (isOnly ? stepTarget(known, chains[0].column) : undefined)
  if (!found) {
    if (step === undefined) return undefined
    throw wrongOption(
      "explain",
      "step",
      step,
      `It tells the steps of a row apart, but ${target === undefined ? "what is asked for" : show(target)} is not the state of one chain. Leave it out, or name the state.`,
    )
  }
  const [node] = found.states
  if (found.states.length === 1 && node.part.slots === 1) return found
  throw new SufficeError(
    "target",
    `explain: ${show(found.column)} is ${node ? "the state of a chain below a switch" : "a column of the steps, not their state"}. An explanation weighs what comes before, at and after a step for the state of a chain that stands alone or beside other columns. Ask for ${node ? "the switch" : "the state"}, or use predict().`,
    { column: found.column },
  )
}

export function explainStep(
  solved: SolvedModel,
  row: Row,
  target: StepTarget,
  options: Asked,
): StepExplanation {
  const { known, params } = solved
  if (hasNetwork(known.model.spec)) throw inNetwork(target.column)
  const question = questionBlocks(known.schema, [row])
  const block = withoutTarget(question.next()!, target)
  const { offsets, block: steps } = stepsOf(block, target)
  const t = stepAsked(options.step, offsets[1] - offsets[0])
  const [node] = target.states
  const { past, future } = node.walk!.sides(block, params)
  const k = node.levels.length
  const step = rowsOf(steps, t, t + 1)
  const here = new Float64Array(k)
  node.walk!.body.up(step, params, here)
  const joint = here.map((score, l) => past[t * k + l] + score + future[t * k + l])
  const pair = chosenPair({ column: target.column, levels: node.levels }, joint, options)
  const [a, b] = pair
  const { columns } = known.schema.columns[target.outer] as Extract<Column, { kind: "steps" }>
  const unseen = question.unseen.get(0)
  const terms = new Terms([], step, target.column, {})
  const asked = { columns, block: step, column: target.column }
  addTerms(known, scaledStep(solved, step, target), pair, [here[a], here[b]], asked, terms)
  const difference = (of: Float64Array): number => of[t * k + a] - of[t * k + b]
  return {
    target: target.column,
    step: t,
    level: node.levels[a],
    against: node.levels[b],
    logOdds: joint[a] - joint[b],
    past: difference(past),
    // the step is said already
    terms: terms.sorted().map(({ step: _, ...term }) => term),
    future: difference(future),
    ...(unseen && { unseen }),
  }
}

function inNetwork(column: string): SufficeError {
  return new SufficeError(
    "target",
    `explain: the steps of ${show(column)} are modelled by a network. What a cell of a step says depends on those it is given, and no share of its own is told there. Use predict(), or posterior().`,
    { column },
  )
}

function stepAsked(step: number | undefined, count: number): number {
  if (Number.isInteger(step) && step! >= 0 && step! < count) return step!
  throw wrongOption(
    "explain",
    "step",
    step,
    count === 0
      ? "The row has no steps, so that none can be explained. Ask about a row that has some."
      : `The row has the steps 0 to ${count - 1}, and each has a state of its own. Name one: { step: 0 }.`,
  )
}
