/**
 * Answers about a column of the steps: what each step holds, given everything else in its row.
 *
 *     p(z_t = l | row) = γ_t(l)          p(x_t | row) = Σ_l γ_t(l) p(x_t | l)          up to t alone: `past`
 */
import { outOf } from "../blocks/encoded.ts"
import type { Block } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { SufficeError, show } from "../errors.ts"
import { log } from "../kernels/log.ts"
import { columnMemory } from "../kernels/twins.ts"
import type { SolvedModel } from "./knowledge.ts"
import { beliefs, levelOdds, type Reached, reach, weightsOf } from "./numeric.ts"
import { type StepTarget, stepsOf, withoutTarget } from "./step-target.ts"
import type { LevelPrediction, NumberPrediction } from "./types.ts"

/** p(target = l | the rest of the row), at l·steps + t. `past`: given the steps up to t only. */
export function stepChances(
  solved: SolvedModel,
  block: Block,
  target: StepTarget,
  past: boolean,
  hides = true,
): Float64Array {
  const asked = hides ? withoutTarget(block, target) : block
  const { block: steps } = stepsOf(asked, target)
  const count = target.levels!.length
  const out = new Float64Array(count * steps.rows)
  if (past) {
    const [node] = target.states
    checkPast(target)
    const byStep = new Float64Array(out.length)
    node.walk!.filtered(asked, solved.params, byStep)
    for (let t = 0; t < steps.rows; t++)
      for (let l = 0; l < count; l++) out[l * steps.rows + t] = byStep[t * count + l]
    return addingUp(out, steps.rows)
  }
  const own = new Set(target.states.map(({ part }) => part))
  const leaves = reach(solved, asked, new Set([target.column]), (part, inner, weights) => {
    if (!own.has(part)) return
    for (let s = 0; s < part.leaf.shape.statistics; s++)
      add(out, Math.trunc(s / part.leaf.shape.slots), weightsOf(weights, s, inner), 1)
  })
  const column = target.inner ?? target.hidden
  if (column) addLevels(solved, column, leaves, out)
  return addingUp(out, steps.rows)
}

/** γ = αβ adds up to 1 but for rounding, which grows with the steps: no probability may be above 1. */
function addingUp(out: Float64Array, steps: number): Float64Array {
  for (let t = 0; t < steps; t++) {
    let total = 0
    for (let at = t; at < out.length; at += steps) total += out[at]
    if (total > 0) for (let at = t; at < out.length; at += steps) out[at] /= total
  }
  return out
}

/** out[level, t] += p(level of step t), from the leaves over the column. */
export function addLevels(
  { params }: SolvedModel,
  column: Column,
  leaves: readonly Reached[],
  out: Float64Array,
): void {
  for (const { part, weights, block } of leaves) {
    if (part.columns[0].name !== column.name) continue
    const odds = levelOdds(part, column, params)
    // where a level is in place, it is one that a network tries
    const codes = block.cells[part.network?.stepPlace ?? part.places[0]] as Int32Array
    for (let s = 0; s < odds.length; s++)
      add(out, Math.trunc(s / part.leaf.shape.slots), weights[s % part.leaf.shape.slots], odds[s], codes)
  }
}

function add(out: Float64Array, level: number, share: Float64Array, odds: number, codes?: Int32Array): void {
  const at = level * share.length
  for (let t = 0; t < share.length; t++) {
    const code = codes ? codes[t] : -1
    if (code < 0) out[at + t] += share[t] * odds
    else if (code === level) out[at + t] += share[t]
  }
}

/** What came so far says nothing of a switch above but by the whole row. */
function checkPast({ column, states: [node] }: StepTarget): void {
  if (node?.part.leaf.shape.slots === 1) return
  throw new SufficeError(
    "option",
    `predict: past is asked of ${show(column)}, which is ${node ? "the state of a chain below a switch" : "not the state of a chain"}. The steps so far are known for the state of a chain that stands alone or beside other columns. Leave past out, or cut the sequences off yourself.`,
    { column },
  )
}

export function stepPredictions(
  solved: SolvedModel,
  data: Data,
  target: StepTarget,
  {
    past = false,
    coverage = 0.95,
  }: { readonly past?: boolean | undefined; readonly coverage?: number | undefined },
): (LevelPrediction | NumberPrediction)[][] {
  const { schema } = solved.known
  const answers: (LevelPrediction | NumberPrediction)[][] = []
  const blocks = questionBlocks(schema, data, undefined, columnMemory())
  for (let block = blocks.next(); block; block = blocks.next()) {
    const { offsets } = stepsOf(block, target)
    const answer = target.levels
      ? levelAnswers(target.levels, stepChances(solved, block, target, past))
      : numberAnswers(solved, block, target, past, coverage)
    for (let i = 0; i < block.rows; i++) {
      const strange = blocks.unseen.get(answers.length)
      answers.push(
        Array.from({ length: offsets[i + 1] - offsets[i] }, (_, step) => {
          const unseen = strange && unseenAt(strange, `${target.steps}[${step}].`)
          return unseen ? { ...answer(offsets[i] + step), unseen } : answer(offsets[i] + step)
        }),
      )
    }
  }
  return answers
}

type Strange = Readonly<Record<string, Level | readonly string[]>>

/** What a step has of levels and words that training never saw; `prefix`: how its cells are named. */
function unseenAt(strange: Strange, prefix: string): Strange | undefined {
  const own = Object.entries(strange).filter(([name]) => name.startsWith(prefix))
  if (own.length === 0) return undefined
  return Object.fromEntries(own.map(([name, what]) => [name.slice(prefix.length), what]))
}

export function levelAnswers(
  levels: readonly Level[],
  chances: Float64Array,
): (t: number) => LevelPrediction {
  const steps = chances.length / levels.length
  return t => {
    let best = 0
    const probabilities: Record<string, number> = {}
    for (let l = 0; l < levels.length; l++) {
      probabilities[String(levels[l])] = chances[l * steps + t]
      if (chances[l * steps + t] > chances[best * steps + t]) best = l
    }
    return { value: levels[best], probability: chances[best * steps + t], probabilities }
  }
}

function numberAnswers(
  solved: SolvedModel,
  block: Block,
  target: StepTarget,
  past: boolean,
  coverage: number,
): (t: number) => NumberPrediction {
  if (past) checkPast(target)
  const asked = withoutTarget(block, target)
  const column = target.inner!
  const { block: steps } = stepsOf(asked, target)
  return numbersFrom(solved, steps, column, reach(solved, asked, new Set([column.name])), coverage)
}

/** A number in every step, from the leaves over it. */
export function numbersFrom(
  solved: SolvedModel,
  steps: Block,
  column: Column,
  leaves: readonly Reached[],
  coverage: number,
): (t: number) => NumberPrediction {
  const belief = beliefs(solved, steps, column.name, leaves)
  const tail = (1 - coverage) / 2
  const isWhole = column.kind === "count"
  const scale = column.kind === "number" ? column.scale : 1
  return t => ({
    value: outOf(column, belief.mean(t)),
    sd: scale * belief.sd(t),
    interval: [
      outOf(column, belief.quantile(t, tail, isWhole)),
      outOf(column, belief.quantile(t, 1 - tail, isWhole)),
    ],
  })
}

/** Steps × levels, one row's steps after the other's. */
export interface StepPosteriors {
  readonly levels: readonly Level[]
  readonly probabilities: Float64Array
  readonly logs: Float64Array
  /** Step t of row i is offsets[i] + t. */
  readonly offsets: Int32Array
}

export function stepPosteriors(
  solved: SolvedModel,
  data: Data,
  target: StepTarget,
  past = false,
): StepPosteriors {
  const levels = target.levels!
  const count = levels.length
  const parts: Float64Array[] = []
  const ends: number[] = [0]
  const blocks = questionBlocks(solved.known.schema, data, undefined, columnMemory())
  for (let block = blocks.next(); block; block = blocks.next()) {
    const { offsets } = stepsOf(block, target)
    const first = ends[ends.length - 1]
    for (let i = 1; i < offsets.length; i++) ends.push(first + offsets[i])
    parts.push(turned(stepChances(solved, block, target, past), count))
  }
  const probabilities = new Float64Array(ends[ends.length - 1] * count)
  let at = 0
  for (const part of parts) {
    probabilities.set(part, at)
    at += part.length
  }
  return { levels, probabilities, logs: probabilities.map(log), offsets: Int32Array.from(ends) }
}

function turned(chances: Float64Array, count: number): Float64Array {
  const steps = chances.length / count
  const out = new Float64Array(chances.length)
  for (let t = 0; t < steps; t++) for (let l = 0; l < count; l++) out[t * count + l] = chances[l * steps + t]
  return out
}

/** The most probable level of each step by itself. */
export function stepLabels(solved: SolvedModel, data: Data, target: StepTarget): Level[][] {
  const { levels, probabilities, offsets } = stepPosteriors(solved, data, target)
  const best = (step: number): Level => {
    let most = 0
    for (let l = 1; l < levels.length; l++)
      if (probabilities[step * levels.length + l] > probabilities[step * levels.length + most]) most = l
    return levels[most]
  }
  return Array.from({ length: offsets.length - 1 }, (_, i) =>
    Array.from({ length: offsets[i + 1] - offsets[i] }, (_, t) => best(offsets[i] + t)),
  )
}
