/**
 * A question about a column with levels, prepared once and put to block after block.
 *
 *     p(l | rest) = exp( ln p(rest, l) − ln Σ_l' p(rest, l') )
 */

import { blankRows } from "../blocks/encoded.ts"
import type { Block } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import type { Work } from "../contract/leaf.ts"
import { list, SufficeError, show } from "../errors.ts"
import { bestRows } from "../kernels/best-rows.ts"
import { log } from "../kernels/log.ts"
import { posteriorRows, turn } from "../kernels/posterior-rows.ts"
import { fastKernels } from "../kernels/twins.ts"
import { grow, growCodes } from "../kernels/workspace.ts"
import { applyCalibration } from "../measure/calibration.ts"
import type { SolvedModel } from "./knowledge.ts"
import { stepQuestion } from "./step-question.ts"
import { keysOf, type RowTarget, rowTarget, type StepTarget, stepTarget } from "./target.ts"

/** Options that adjust the probabilities of levels. */
export interface PosteriorOptions {
  /** p(level) where the model is used, if it differs from where it was learned: the posterior is reweighted by the ratio. */
  readonly prior?: Readonly<Record<string, number>>
  /** Factors on the levels, before the posterior is normalised. */
  readonly classWeights?: Readonly<Record<string, number>>
}

/** Names of the options of a question. */
export const OPTIONS = ["target", "prior", "classWeights"]

export interface Question {
  readonly target: RowTarget | StepTarget
  readonly levels: readonly Level[]
  /** An object with a key for each level, to copy and fill. */
  readonly named: Readonly<Record<string, unknown>>
  /** argmax_l p(l | rest) of each row or step of a block; valid until the next block. */
  best(block: Block): Int32Array
  /** p(l | rest) of the rows or steps of a block, and its logarithm, rows × levels, starting at `at`. */
  answer(block: Block, at: number, probabilities: Float64Array, logs?: Float64Array): void
}

/** A question about a column of rows. */
export function prepare(solved: SolvedModel, target: RowTarget, options: PosteriorOptions = {}): Question {
  const { known, params } = solved
  const { column, levels } = target
  const count = levels.length
  const factors = logFactors(solved, target, options)
  const calibration = known.calibration?.target === column ? known.calibration : undefined
  const kernels = fastKernels() ?? { bestRows, posteriorRows, scores }
  /** The work of the last block, to reuse. */
  let work: Work
  return {
    target,
    levels,
    named: keysOf(levels),
    best(block) {
      const codes = chosen(block.rows)
      kernels.bestRows(jointOf(block), count, block.rows, codes)
      return codes
    },
    answer(block, at, probabilities, logs = logsOf(at + count * block.rows)) {
      kernels.posteriorRows(jointOf(block), count, block.rows, probabilities, logs, at)
    },
  }

  /** ln p(l | rest) of each row but for a term that its levels share, levels × rows. */
  function jointOf(block: Block): Float64Array {
    const { rows } = block
    const joint = kernels.scores(count * rows)
    work = known.laid.root.open(block, params, column, joint, true, work)
    if (calibration) {
      const byRow = transposed(joint.length)
      turn(joint, count, byRow, 0)
      applyCalibration(calibration, byRow, count)
      turn(byRow, rows, joint, 0)
    }
    for (let l = 0, j = 0; factors && l < count; l++) {
      for (const end = j + rows; j < end; j++) joint[j] += factors[l]
    }
    return joint
  }
}

const logsOf = /* @__PURE__ */ grow()
const scores = /* @__PURE__ */ grow()
const transposed = /* @__PURE__ */ grow()
const chosen = /* @__PURE__ */ growCodes()

/** A question of rows without weights is the same for each target, so it is cached: a page or a server asks it again and again. */
export function questionOf(
  solved: SolvedModel,
  options: PosteriorOptions & { readonly target?: string | undefined; readonly past?: boolean | undefined },
  method = "posterior",
): Question {
  const { target } = options
  const inSteps = stepTarget(solved.known, target)
  if (inSteps) {
    checkUnweighted(method, inSteps.column, options)
    return stepQuestion(solved, inSteps, method, options.past)
  }
  const isCached = !options.prior && !options.classWeights
  const known = isCached ? solved.questions.get(target) : undefined
  if (known) return known
  const question = prepare(solved, rowTarget(solved.known, target), options)
  if (isCached) solved.questions.set(target, question)
  return question
}

/** Weights of levels would have to go into the steps before and after as well. */
export function checkUnweighted(
  method: string,
  column: string,
  { prior, classWeights }: PosteriorOptions,
): void {
  if (prior === undefined && classWeights === undefined) return
  throw new SufficeError(
    "option",
    `${method}: prior and classWeights weigh the levels of one value in each row, but ${show(column)} stands in the steps. Leave them out, or weigh the probabilities yourself.`,
    { column },
  )
}

/** ln( weight_l · prior_l / p(l) ), where p(l) is the model's own: its posterior of a row in which everything is missing. */
function logFactors(
  { known, params }: SolvedModel,
  { column, levels }: RowTarget,
  { prior, classWeights }: PosteriorOptions,
): Float64Array | undefined {
  if (!prior && !classWeights) return undefined
  const factors = new Float64Array(levels.length)
  if (prior) {
    known.laid.root.open(blankRows(known.schema.columns, 1), params, column, factors)
    const shift = byLevel("prior", prior, column, levels, undefined)
    for (let l = 0; l < factors.length; l++) {
      // a level that is impossible in the model stays impossible
      factors[l] = factors[l] === -Infinity ? 0 : log(shift[l]) - factors[l]
    }
  }
  if (classWeights) {
    const weights = byLevel("classWeights", classWeights, column, levels, 1)
    for (let l = 0; l < factors.length; l++) factors[l] += log(weights[l])
  }
  return factors
}

/** One number ≥ 0 per level; without `otherwise`, every level must be named. */
function byLevel(
  option: string,
  given: Readonly<Record<string, number>>,
  column: string,
  levels: readonly Level[],
  otherwise: number | undefined,
): number[] {
  const names = levels.map(String)
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue
    throw new SufficeError(
      "option",
      `${option} names the level ${show(name)}. Column ${show(column)} has ${list(names)}. Correct the name, or leave it out.`,
      { option, level: name },
    )
  }
  const values = names.map(name => (Object.hasOwn(given, name) ? given[name] : otherwise))
  const bad = values.findIndex(value => typeof value !== "number" || !(value >= 0) || value === Infinity)
  if (bad < 0 && values.some(value => value! > 0)) return values as number[]
  throw new SufficeError(
    "option",
    `${option} gives ${bad < 0 ? "every level 0" : `level ${show(names[bad])} the value ${show(values[bad])}`}. It needs finite numbers ≥ 0, not all 0${otherwise === undefined ? ", for every level" : ""}. Correct it.`,
    { option, column },
  )
}
