/**
 * The posterior of any column with levels, given the rest of the row.
 *
 *     p(l | rest) = exp( ln p(rest, l) − ln Σ_l' p(rest, l') )
 */
import type { Level } from "../contract.ts"
import { encodeForAsking, type Unseen } from "../data/ask.ts"
import { emptyRow } from "../data/decode.ts"
import type { Schema } from "../data/discover.ts"
import type { Data } from "../data/read.ts"
import type { Laid } from "../engine/lay.ts"
import { list, nearest, SufficeError, show } from "../errors.ts"
import { log } from "../kernels/log.ts"
import { posteriorRows, turn } from "../kernels/posterior-rows.ts"
import { fastKernels } from "../kernels/twins.ts"
import { grow } from "../kernels/workspace.ts"
import { applyCalibration } from "../measure/calibration.ts"
import type { Asked, Knowledge } from "./knowledge.ts"

export interface Target {
  readonly column: string
  readonly levels: readonly Level[]
}

/** The column asked for, or the model's label. */
export function targetOf({ model, laid, schema }: Knowledge, asked: string | undefined): Target {
  const column = asked ?? model.target
  const levels = column === undefined ? undefined : levelsOf(laid, schema, column)
  if (column !== undefined && levels) return { column, levels }
  const switches = laid.parts.flatMap(part => (part.part === "switch" ? [part.column] : []))
  const all = [...switches, ...schema.columns.map(({ name }) => name)]
  const choices = new Set(all.filter(name => levelsOf(laid, schema, name)))
  const names = new Set([...choices, ...all])
  if (column === undefined) {
    throw new SufficeError(
      "target",
      `the model has no label, and no target is named. It cannot be guessed. Name one of ${list(names)}: { target: … }.`,
      { choices: [...names] },
    )
  }
  const near = nearest(column, names)
  const others = choices.size > 0 ? `Name one of ${list(choices)}.` : "No other column has any."
  throw new SufficeError(
    "target",
    names.has(column)
      ? `column ${show(column)} ${laid.root.columns.has(column) ? "" : "is only read, and "}has no levels to choose from. A posterior over levels needs some. ${others}`
      : `the model has no column ${show(column)}. It has ${list(names)}. ${near.length > 0 ? `Did you mean ${list(near)}?` : "Name one of them."}`,
    { column, choices: [...choices], nearest: near },
  )
}

/** Those of a column of the data, or of a switch: of nested mixtures without names, the outermost answers. */
function levelsOf({ parts }: Laid, { columns }: Schema, name: string): readonly Level[] | undefined {
  for (const column of columns) {
    if (column.name === name && column.kind === "level" && column.levels.length > 0) return column.levels
  }
  for (const part of parts) if (part.part === "switch" && part.column === name) return part.levels
  return undefined
}

export interface Posteriors {
  readonly levels: readonly Level[]
  /** rows × levels */
  readonly probabilities: Float64Array
  /** ln p(l | rest), exact where the probability itself has rounded to 0. */
  readonly logs: Float64Array
  readonly unseen: Unseen
}

export interface PosteriorOptions {
  /** p(level) where the model is used, if it differs from where it was learned: the posterior is reweighted by the ratio. */
  readonly prior?: Readonly<Record<string, number>>
  /** Factors on the levels, before the posterior is normalised. */
  readonly classWeights?: Readonly<Record<string, number>>
}

/** What may be asked along with a question. */
export const OPTIONS = ["target", "prior", "classWeights"]

export function posteriors(
  asked: Asked,
  data: Data,
  target: Target,
  options: PosteriorOptions = {},
): Posteriors {
  const { known, params } = asked
  const { column, levels } = target
  const count = levels.length
  const factors = logFactors(asked, target, options)
  const calibration = known.calibration?.target === column ? known.calibration : undefined
  const kernels = fastKernels() ?? { posteriorRows }
  let logs = new Float64Array(0)
  let probabilities = logs
  let at = 0
  const unseen = encodeForAsking(known.schema, data, column, (block, all) => {
    if (at === 0) {
      logs = new Float64Array(all * count)
      probabilities = new Float64Array(all * count)
    }
    const { rows } = block
    const scores = room(count * rows)
    known.laid.root.open(block, params, column, scores)
    if (calibration || factors) {
      const mine = logs.subarray(at, at + scores.length)
      turn(scores, count, mine, 0)
      if (calibration) applyCalibration(calibration, mine, count)
      if (factors) for (let j = 0; j < mine.length; j++) mine[j] += factors[j % count]
      turn(mine, rows, scores, 0)
    }
    kernels.posteriorRows(scores, count, rows, probabilities, logs, at)
    at += scores.length
  })
  return { levels, probabilities, logs, unseen }
}

const room = /* @__PURE__ */ grow()

/** ln( weight_l · prior_l / p(l) ), p(l) being the model's own: its posterior of a row in which nothing is seen. */
function logFactors(
  { known, params }: Asked,
  { column, levels }: Target,
  { prior, classWeights }: PosteriorOptions,
): Float64Array | undefined {
  if (!prior && !classWeights) return undefined
  const factors = new Float64Array(levels.length)
  if (prior) {
    known.laid.root.open(emptyRow(known.schema.columns, 0), params, column, factors)
    const shift = byLevel("prior", prior, column, levels, undefined)
    for (let l = 0; l < factors.length; l++) {
      // A level the model holds impossible stays so.
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
