/**
 * Why this state and not that one, at one step of a chain: what comes before, what stands in the step, and what comes after.
 *
 *     ln γ_t(a)/γ_t(b)  =  ln p(a | x_<t)/p(b | x_<t)  +  ln p(x_t | a, x_<t)/p(x_t | b, x_<t)  +  ln p(x_>t | a, x_≤t)/p(x_>t | b, x_≤t)
 *                              past                        terms                                      future
 *
 * Of a chain that stands alone these are Σ_i α_{t−1}(i) a_ia, b_a(x_t) and β_t(a). Below a switch each is summed over its values, which the steps so far make more or less
 * probable; what the rest of the row says of them counts as past.
 */
import { rowsOf } from "../blocks/encoded.ts"
import type { Block } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import { hasNetwork } from "../declare/arrows.ts"
import { SufficeError, show, wrongOption } from "../errors.ts"
import { log } from "../kernels/log.ts"
import { logSumExp } from "../kernels/log-sum-exp.ts"
import type { Explained } from "./explain.ts"
import type { Knowledge, SolvedModel } from "./knowledge.ts"
import { addTerms } from "./odds.ts"
import { scaledStep } from "./scaled.ts"
import { contextWeights } from "./step-contexts.ts"
import { type StepTarget, stepsOf, stepTarget, withoutTarget } from "./target.ts"
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
  const { states, column } = found
  if (states.length === 1 && hasNetwork(known.model.spec)) throw inNetwork(column)
  if (states.length === 1) return found
  throw new SufficeError(
    "target",
    `explain: ${show(column)} is ${states.length > 1 ? `the state of ${states.length} chains, one in each body` : "a column of the steps, not their state"}. An explanation weighs what comes before, at and after a step for the state of one chain. Ask for ${states.length > 1 ? "the switch above them" : "the state"}, or use predict().`,
    { column },
  )
}

export function explainedStep(
  solved: SolvedModel,
  row: Block,
  target: StepTarget,
  asked: number | undefined,
): Explained {
  const { known } = solved
  const { column, outer } = target
  const hidden = withoutTarget(row, target)
  const { offsets, block: steps } = stepsOf(hidden, target)
  const t = stepAsked(asked, offsets[1] - offsets[0])
  const block = rowsOf(steps, t, t + 1)
  const { past, here, future, contexts } = sidesAt(solved, hidden, block, target, t)
  const { columns } = known.schema.columns[outer] as Extract<Column, { kind: "steps" }>
  return {
    joint: past.map((before, l) => before + here[l] + future[l]),
    around: { step: t, past, future },
    odds(pair) {
      const terms = new Terms([], block, column, {})
      const scaled = scaledStep(solved, block, target, contexts)
      const ends = [here[pair[0]], here[pair[1]]] as const
      const prior = addTerms(known, scaled, pair, ends, { columns, block, column }, terms)
      // without the number of the step, which is known
      return { prior, terms: terms.sorted().map(({ step: _, ...term }) => term) }
    },
  }
}

/**
 * ln p(z_t = l | x_<t), ln p(x_t | l, x_<t) and ln p(x_>t | l, x_≤t), each at l, the first and the last up to a constant. `contexts`: ln p(context p | l, x_<t), at l·P + p.
 */
function sidesAt(
  solved: SolvedModel,
  block: Block,
  step: Block,
  target: StepTarget,
  t: number,
): Record<"past" | "here" | "future" | "contexts", Float64Array> {
  const { params } = solved
  const [node] = target.states
  const { slots } = node.part.leaf.shape
  const k = node.levels.length
  const own = new Float64Array(k * slots)
  node.walk!.body.up(step, params, own)
  const shares = contextWeights(solved, block, target)
  // ln p(p, x_<t, z_t = l), with the step, and with all that follows, at l·P + p
  const before = new Float64Array(k * slots).fill(-Infinity)
  const after = new Float64Array(k * slots).fill(-Infinity)
  for (let p = 0; p < slots; p++) {
    if (shares[p] === 0) continue
    const sides = node.walk!.sides(block, params, p)
    const sum = (from: number, to?: number): number =>
      sides.steps.subarray(from, to).reduce((total, each) => total + each, 0)
    const [earlier, later] = [sum(0, t), sum(t + 1)]
    const ends = Float64Array.from(
      { length: k },
      (_, l) => sides.past[t * k + l] + own[l * slots + p] + sides.future[t * k + l],
    )
    // ln p(p, rest of the row) = ln p(p | row) − ln p(steps | p)
    const prior = slots === 1 ? 0 : log(shares[p]) - (earlier + logSumExp(ends, 0, k, 1) + later)
    for (let l = 0; l < k; l++) {
      before[l * slots + p] = prior + earlier + sides.past[t * k + l]
      after[l * slots + p] = later + sides.future[t * k + l]
    }
  }
  const over = (of: (s: number) => number) =>
    Float64Array.from({ length: k }, (_, l) => {
      const terms = Float64Array.from({ length: slots }, (_, p) => of(l * slots + p))
      return logSumExp(terms, 0, slots, 1)
    })
  const past = over(s => before[s])
  // a state that the past forbids is judged by the contexts as they are
  const contexts = before.map((value, s) => {
    const l = Math.trunc(s / slots)
    return past[l] > -Infinity ? value - past[l] : -log(slots)
  })
  const here = over(s => contexts[s] + own[s])
  const all = over(s => contexts[s] + own[s] + after[s])
  const future = all.map((value, l) => (here[l] > -Infinity ? value - here[l] : 0))
  return { past, here, future, contexts }
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
