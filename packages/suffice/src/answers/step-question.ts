/**
 * A question about the steps of rows: what each step holds, given everything else in its row.
 *
 *     p(z_t = l | row) = γ_t(l)          p(x_t | row) = Σ_l γ_t(l) p(x_t | l)          up to t alone: `past`
 */
import type { Block } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import { SufficeError, show } from "../errors.ts"
import { bestRows } from "../kernels/best-rows.ts"
import { log } from "../kernels/log.ts"
import { turn } from "../kernels/posterior-rows.ts"
import type { SolvedModel } from "./knowledge.ts"
import { addShare, levelOdds, type Reached, reach, weightsOf } from "./numeric.ts"
import type { Question } from "./question.ts"
import { keysOf, type StepTarget, stepsOf, withoutTarget } from "./target.ts"

export function stepQuestion(
  solved: SolvedModel,
  target: StepTarget,
  method: string,
  past = false,
): Question {
  const { levels, column } = target
  if (!levels) throw noLevels(method, column)
  const count = levels.length
  return {
    target,
    levels,
    named: keysOf(levels),
    best(block) {
      const chances = stepChances(solved, block, target, past)
      const best = new Int32Array(chances.length / count)
      bestRows(chances, count, best.length, best)
      return best
    },
    answer(block, at, probabilities, logs) {
      const chances = stepChances(solved, block, target, past)
      turn(chances, count, probabilities, at)
      if (logs) for (let n = at; n < at + chances.length; n++) logs[n] = log(probabilities[n])
    },
  }
}

/** p(target = l | the rest of the row), at l·steps + t. `past`: given the steps up to t only. */
function stepChances(solved: SolvedModel, block: Block, target: StepTarget, past: boolean): Float64Array {
  const asked = withoutTarget(block, target)
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
      addShare(out, Math.trunc(s / part.leaf.shape.slots), weightsOf(weights, s, inner), 1)
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
      addShare(out, Math.trunc(s / part.leaf.shape.slots), weights[s % part.leaf.shape.slots], odds[s], codes)
  }
}

/** Steps so far determine a switch above only with the rest of the row. */
export function checkPast({ column, states: [node] }: StepTarget): void {
  if (node?.part.leaf.shape.slots === 1) return
  throw new SufficeError(
    "option",
    `predict: past is asked of ${show(column)}, which is ${node ? "the state of a chain below a switch" : "not the state of a chain"}. The steps so far are known for the state of a chain that stands alone or beside other columns. Leave past out, or cut the sequences off yourself.`,
    { column },
  )
}

/** A number is asked for its levels. */
function noLevels(method: string, column: string): SufficeError {
  return new SufficeError(
    "target",
    `${method}: ${show(column)} has no levels to choose from: it is a number. Use predict().`,
    { column },
  )
}
