/** One model learned in one way, judged on rows it has not learned from: what each of them costs it, as it is and calibrated. */

import { isNumber, type Judgeable, judge, judgeLevels } from "../answers/judge.ts"
import { solvedOf } from "../answers/predictor.ts"
import type { Dice } from "../contract/dice.ts"
import type { Learner } from "../contract/learner.ts"
import type { Model } from "../contract/model.ts"
import type { Batch } from "../data/read.ts"
import { fit } from "../fit/fit.ts"
import type { Fitted } from "../fit/fitted.ts"
import type { FitOptions } from "../fit/options.ts"
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"
import { type Posteriors, temperatureFrom, temperatureOf } from "../kernels/temperature.ts"
import type { JudgedNumbers } from "../measure/judged.ts"
import { meanLoss } from "../measure/one-standard-error.ts"
import { cellChances } from "./cell-chances.ts"
import type { Split } from "./split.ts"

/** What is tried: names for people, and the two things themselves. */
export interface Pair {
  readonly model: string
  readonly learner: string
  readonly of: Model
  readonly by: Learner
  /** Places in the order given. */
  readonly place: number
  readonly learnerPlace: number
}

export interface Judging {
  readonly target: string
  readonly weight: string | undefined
  /** Where levels and densities are compared: how far apart two neighbouring values of the target are. */
  readonly step: number | undefined
}

/** −ln p(truth | rest) of every held-out row; of a level that no row of the training part has, NaN: nobody could know it. */
export interface Heldout {
  readonly losses: Float64Array
  readonly weights: Float64Array
  /** ln p(level | rest): what a temperature is fitted to. Of a number there is none. */
  readonly posteriors: Posteriors | undefined
}

export interface Trained extends Heldout {
  readonly free: number
  /** The same of rows it did learn from, where somebody asked. */
  readonly seen: Heldout | undefined
}

export async function train(
  pair: Pair,
  { train, test }: Split<Batch>,
  judging: Judging,
  options: FitOptions,
  seen: Batch | undefined,
): Promise<Trained> {
  const model = pair.of.find ? await foundOnce(pair.of, train, options) : pair.of
  const fitted = await fit(model, train, { ...options, learner: pair.by })
  return {
    ...heldout(fitted, test, judging),
    free: fitted.free,
    seen: seen && heldout(fitted, seen, judging),
  }
}

/** Of rows that were drawn for choosing: nobody else has them, so that they stay as they are. */
const findings = new WeakMap<Batch, Map<Model, Model>>()

/** What a model finds in the rows of a fold, its learners share. */
async function foundOnce(model: Model, rows: Batch, options: FitOptions): Promise<Model> {
  const known = findings.get(rows) ?? new Map<Model, Model>()
  findings.set(rows, known)
  const found = known.get(model) ?? (await model.find!(rows, options))
  known.set(model, found)
  return found
}

/** Differences of distribution functions have this many digits. */
const FAR = 1e-9

function heldout(fitted: Fitted, rows: Batch, { target, weight, step }: Judging): Heldout {
  if (isNumber(fitted, target)) {
    const { logs, weights, truth } = judge("choose", fitted, rows, { target, weight }) as JudgedNumbers
    const chances = step === undefined ? undefined : cellChances(solvedOf(fitted), rows, target, truth, step)
    const losses = logs.map((one, i) => {
      if (!chances) return -one
      // far out, where F is 0 or 1 to the last digit, the density hardly changes within a step
      return chances[i] > FAR ? -log(Math.min(chances[i], 1)) : Math.max(0, -one - log(step!))
    })
    return { losses, weights, posteriors: undefined }
  }
  return heldoutLevels(fitted as unknown as Judgeable, rows, { target, weight })
}

export function heldoutLevels(
  fitted: Judgeable,
  rows: Batch,
  { target, weight }: Pick<Judging, "target" | "weight">,
): Heldout {
  const judged = judgeLevels("choose", fitted, rows, { target, weight })
  const { logs, truth, weights } = judged
  const levels = judged.levels.length
  const losses = Float64Array.from(truth, (code, i) =>
    code < levels ? 0 - logs[i * levels + code] : Number.NaN,
  )
  return { losses, weights, posteriors: { logs, levels, truth, weights } }
}

/** Several folds as one. */
export function joined(parts: readonly Heldout[]): Heldout {
  const all = parts.map(({ posteriors }) => posteriors)
  return {
    losses: concatenated(parts.map(({ losses }) => losses)),
    weights: concatenated(parts.map(({ weights }) => weights)),
    posteriors: all.every(one => one !== undefined) ? together(all) : undefined,
  }
}

function concatenated(parts: readonly Float64Array[]): Float64Array {
  return Float64Array.from(parts.flatMap(part => [...part]))
}

/** Folds may know different levels: a level that a fold does not know has probability 0 there. */
function together(parts: readonly Posteriors[]): Posteriors {
  const levels = Math.max(...parts.map(part => part.levels))
  const rows = parts.reduce((sum, { truth }) => sum + truth.length, 0)
  const logs = new Float64Array(rows * levels).fill(-Infinity)
  const truth: number[] = []
  const weights: number[] = []
  for (const part of parts) {
    for (let i = 0; i < part.truth.length; i++) {
      logs.set(part.logs.subarray(i * part.levels, (i + 1) * part.levels), truth.length * levels)
      truth.push(part.truth[i] < part.levels ? part.truth[i] : levels)
      weights.push(part.weights[i])
    }
  }
  return { logs, levels, truth, weights }
}

/** Fewer rows than this say nothing of a temperature. */
const FEWEST = 30
/** Each part of the rows is judged as the others say: of few rows five parts, of many two. */
const MANY = 1000

export interface Calibrated {
  readonly losses: Float64Array
  /** Of all rows: what the chosen model is given. */
  readonly softening: Softening
}

/** p'(l) = (1 − ε)·p(l)^(1/T)/Σ + ε/levels */
export interface Softening {
  readonly temperature: number
  readonly doubt: number
}

/** T and ε cross-fitted: no row is judged by what it had a say in. */
export function calibratedLosses({ losses, posteriors }: Heldout, dice: Dice): Calibrated | undefined {
  if (!posteriors || posteriors.truth.length < FEWEST) return undefined
  const parts = losses.length < MANY ? 5 : 2
  const part = Int32Array.from(losses, () => dice.integer(parts))
  const found = losses.slice()
  for (let p = 0; p < parts; p++) {
    const others = softeningOf(posteriors, i => part[i] !== p)
    for (let i = 0; i < found.length; i++) if (part[i] === p) found[i] = softened(posteriors, i, others)
  }
  const { temperature, doubt } = softeningOf(posteriors, () => true)
  // few digits, so that they can be typed
  return { losses: found, softening: { temperature: rounded(temperature), doubt: rounded(doubt) } }
}

const rounded = (value: number): number => Number(value.toPrecision(4))

/** The loss on rows that were learned from, softened as those that were not ask for. */
export function softenedLoss({ posteriors, weights }: Heldout, softening: Softening): number {
  return meanLoss(
    Float64Array.from(weights, (_, i) => softened(posteriors!, i, softening)),
    weights,
  ).difference
}

const ROUNDS = 4
/** Of a temperature, which is rounded to four digits. */
const PRECISION = 1e-6

/**
 * By EM: a row is either as the model says, at temperature T, or as nobody knows, which makes each level as likely as any other.
 *
 *     r = (1 − ε) p_T(truth) / ( (1 − ε) p_T(truth) + ε/levels )      ε = ( Σ w(1 − r) + 1 ) / ( Σ w + 2 )      T by the rows, each weighing r
 */
function softeningOf(all: Posteriors, has: (row: number) => boolean): Softening {
  const own = Array.from(all.weights, (weight, i) => (has(i) && all.truth[i] < all.levels ? weight : 0))
  const total = own.reduce((sum, weight) => sum + weight, 0)
  let doubt = 1 / (total + 2)
  let weights = own
  let temperature = temperatureOf({ ...all, weights }, 1 / (total + 2), PRECISION)
  for (let round = 0; round < ROUNDS; round++) {
    let doubted = 0
    weights = own.map((weight, i) => {
      if (weight === 0) return 0
      const p = (1 - doubt) * exp(-softened(all, i, { temperature, doubt: 0 }))
      const r = p / (p + doubt / all.levels)
      doubted += weight * (1 - r)
      return weight * r
    })
    doubt = Math.min((doubted + 1) / (total + 2), 0.5)
    temperature = temperatureFrom(temperature, { ...all, weights }, 1 / (total + 2), PRECISION)
  }
  return { temperature, doubt }
}

/** −ln p'(truth) of one row. */
function softened(
  { logs, levels, truth }: Posteriors,
  row: number,
  { temperature, doubt }: Softening,
): number {
  if (!(truth[row] < levels)) return Number.NaN
  const at = row * levels
  let most = -Infinity
  for (let l = 0; l < levels; l++) most = Math.max(most, logs[at + l])
  let sum = 0
  for (let l = 0; l < levels; l++) sum += exp((logs[at + l] - most) / temperature)
  const plain = log(sum) - (logs[at + truth[row]] - most) / temperature
  return doubt === 0 ? plain : -log((1 - doubt) * exp(-plain) + doubt / levels)
}
