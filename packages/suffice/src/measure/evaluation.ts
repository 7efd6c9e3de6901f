/**
 * All measures of one set of predictions and truths at once. Pure data in, plain data out; answers/evaluate.ts obtains the predictions.
 */
import type { Level } from "../contract/cells.ts"
import { accuracy, confusion, type LevelScores, levelScores, macroF1, winners } from "./confusion.ts"
import {
  type BootstrapOptions,
  bootstrapInterval,
  type Interval,
  meanInterval,
  wilsonInterval,
} from "./intervals.ts"
import { byRow, type Judged, type JudgedLevels, type JudgedNumbers } from "./judged.ts"
import { brierScores } from "./losses.ts"
import {
  auc,
  averagePrecision,
  cutsOf,
  type PrecisionRecallPoint,
  precisionRecallPoints,
  type RocPoint,
  rocPoints,
} from "./ranking.ts"
import { type ReliabilityBin, reliability } from "./reliability.ts"
import { effectiveRows, weightedMean } from "./weighted.ts"

interface Judgement {
  readonly target: string
  /** Rows that were scored, and their weight. */
  readonly rows: number
  readonly weight: number
  /** Rows whose true value is missing: counted, not scored. */
  readonly skipped: number
}

/**
 * How well levels were predicted. Intervals cover 95 % and treat weights as importance weights: they count (Σ w)²/Σ w² rows, and a
 * soft label is one row.
 */
export interface Evaluation extends Judgement {
  readonly kind: "levels"
  readonly accuracy: number
  readonly accuracyInterval: Interval
  /** The mean of −ln p(truth). Infinity if some truth had probability 0, for instance a level the model has never seen. */
  readonly logLoss: number
  readonly logLossInterval: Interval
  /** The mean of Σ_l (p(l) − 1[l = truth])², between 0 and 2. */
  readonly brier: number
  /** Expected calibration error of the predicted level's probability, and the curve it comes from. */
  readonly ece: number
  readonly reliability: readonly ReliabilityBin[]
  /** counts[truth][predicted], in weight. The model's levels, then those it has never seen. */
  readonly confusion: { readonly levels: readonly Level[]; readonly counts: readonly (readonly number[])[] }
  /** The mean F1 of the levels that occur. */
  readonly macroF1: number
  /** The mean over levels, one against the rest; absent if no level has both kinds of rows. */
  readonly auc?: number
  readonly averagePrecision?: number
  readonly perLevel: Readonly<Record<string, LevelEvaluation>>
  /** Weight of the rows of levels never seen in training: each is an error, with probability 0. */
  readonly unseen: Readonly<Record<string, number>>
  /**
   * For a source with more rows than fit in memory: the size of the random sample behind curves, areas and calibration. All other
   * measures use all rows.
   */
  readonly sampled?: number
}

/** How well levels were predicted by scores: the measures that need no probabilities. Curves and areas rank by score. */
export interface ScoreEvaluation
  extends Omit<Evaluation, "logLoss" | "logLossInterval" | "brier" | "ece" | "reliability" | "perLevel"> {
  readonly perLevel: Readonly<Record<string, Omit<LevelEvaluation, "ece" | "reliability">>>
}

/** One level against the rest. */
export interface LevelEvaluation extends LevelScores {
  readonly level: Level
  /** Absent unless some rows are of this level and some are not. */
  readonly auc?: number
  /** Absent unless some row is of this level. */
  readonly averagePrecision?: number
  /** Calibration of this level's probability; absent for a level never seen in training. */
  readonly ece?: number
  readonly reliability?: readonly ReliabilityBin[]
  /** With { curves: true }. */
  readonly roc?: readonly RocPoint[]
  readonly precisionRecall?: readonly PrecisionRecallPoint[]
}

/** How well numbers were predicted. */
export interface NumberEvaluation extends Judgement {
  readonly kind: "number"
  /** √ mean (x − value)², mean |x − value| */
  readonly rmse: number
  readonly mae: number
  /** The share of truths inside the predicted interval, with its own 95 % interval. */
  readonly coverage: number
  readonly coverageInterval: Interval
  /** The mean of ln p(truth | the rest of the row), in the units of the data; higher is better. */
  readonly logDensity: number
  readonly logDensityInterval: Interval
  /** 1 − (squared error) / (squared distance from the mean of the truths); 0 where that is 0. */
  readonly r2: number
  /** Mean and standard deviation of the truths: what a constant guess would be, and how wrong. */
  readonly truth: { readonly mean: number; readonly sd: number }
  /** With { curves: true }: what was said and what was true, in the order of the rows. */
  readonly points?: readonly { readonly value: number; readonly truth: number }[]
}

export interface MeasureOptions {
  /** Keep the ROC and PR curves: as many points as there are distinct probabilities. */
  readonly curves?: boolean
  /** The log-loss interval from this many bootstrap samples instead of the normal approximation. */
  readonly bootstrap?: number
  /** Seed of the bootstrap. */
  readonly seed?: number
}

export function measured(judged: Judged, options: MeasureOptions = {}): Evaluation | NumberEvaluation {
  return judged.kind === "levels" ? levelsMeasured(judged, options) : numbersMeasured(judged, options)
}

function levelsMeasured(judged: JudgedLevels, options: MeasureOptions): Evaluation {
  const { levels, truth, probabilities, logs, weights } = judged
  const { bootstrap, seed } = options
  const predicted = winners(probabilities, levels.length)
  const losses = logs.map(log => 0 - log)
  // the levels of a soft label are not independent: the unit is the row
  const each = byRow(judged, losses)
  const [low, high] = bootstrap
    ? bootstrapInterval(each.values, each.weights, { draws: bootstrap, seed } satisfies BootstrapOptions)
    : meanInterval(each.values, each.weights)
  const certain = reliability(
    Array.from(predicted, (level, i) => probabilities[i * levels.length + level]),
    Array.from(predicted, (level, i) => level === truth[i]),
    weights,
  )
  const scored = scoresMeasured(judged, options)
  return {
    ...scored,
    logLoss: weightedMean(losses, weights),
    logLossInterval: [Math.max(low, 0), high],
    brier: weightedMean(brierScores(truth, probabilities, levels.length), weights),
    ece: certain.ece,
    reliability: certain.bins,
    perLevel: Object.fromEntries(
      [...levels, ...judged.strange].map((level, l) => [
        String(level),
        { ...scored.perLevel[String(level)], ...reliable(judged, l) },
      ]),
    ),
  }
}

/** Calibration of one level's probability; nothing for a level never seen in training. */
function reliable(
  { levels, truth, probabilities, weights }: JudgedLevels,
  l: number,
): Pick<LevelEvaluation, "ece" | "reliability"> {
  if (l >= levels.length) return {}
  const score = Float64Array.from(truth, (_, i) => probabilities[i * levels.length + l])
  const { ece, bins } = reliability(
    score,
    truth.map(code => code === l),
    weights,
  )
  return { ece, reliability: bins }
}

/** The measures that need no probabilities: any scores will do. */
export function scoresMeasured(
  judged: JudgedLevels,
  { curves = false }: Pick<MeasureOptions, "curves"> = {},
): ScoreEvaluation {
  const { target, levels, strange, truth, probabilities, weights, rows, skipped, unseen } = judged
  const all = [...levels, ...strange]
  const counts = confusion(truth, winners(probabilities, levels.length), weights, all.length)
  const right = accuracy(counts, all.length)
  const scores = levelScores(counts, all.length)
  const perLevel = all.map((level, l) => levelMeasured(judged, level, l, scores[l], curves))
  return {
    kind: "levels",
    target,
    rows,
    weight: sum(weights),
    skipped,
    accuracy: right,
    accuracyInterval: wilsonInterval(right, effectiveRows(byRow(judged, weights).weights)),
    confusion: {
      levels: all,
      counts: all.map((_, t) => [...counts.subarray(t * all.length, (t + 1) * all.length)]),
    },
    macroF1: macroF1(scores),
    ...meanOf("auc", perLevel),
    ...meanOf("averagePrecision", perLevel),
    perLevel: Object.fromEntries(perLevel.map(one => [String(one.level), one])),
    unseen: Object.fromEntries(Array.from(unseen, ([level, weight]) => [String(level), weight])),
  }
}

function levelMeasured(
  { levels, truth, probabilities, weights }: JudgedLevels,
  level: Level,
  l: number,
  scores: LevelScores,
  curves: boolean,
): LevelEvaluation {
  if (l >= levels.length) return { level, ...scores }
  const score = Float64Array.from(truth, (_, i) => probabilities[i * levels.length + l])
  const cuts = cutsOf(
    score,
    truth.map(code => code === l),
    weights,
  )
  const area = auc(cuts)
  const precise = averagePrecision(cuts)
  return {
    level,
    ...scores,
    ...(area !== undefined && { auc: area, ...(curves && { roc: rocPoints(cuts) }) }),
    ...(precise !== undefined && {
      averagePrecision: precise,
      ...(curves && { precisionRecall: precisionRecallPoints(cuts) }),
    }),
  }
}

/** The mean over the levels that have it. */
function meanOf<Name extends "auc" | "averagePrecision">(
  name: Name,
  each: readonly LevelEvaluation[],
): { [Key in Name]?: number } {
  const values = each.flatMap(one => one[name] ?? [])
  return values.length === 0
    ? {}
    : ({ [name]: values.reduce((a, b) => a + b) / values.length } as { [Key in Name]: number })
}

function numbersMeasured(
  judged: JudgedNumbers,
  { curves = false }: Pick<MeasureOptions, "curves">,
): NumberEvaluation {
  const { target, truth, values, low, high, logs, weights, skipped } = judged
  const gaps = truth.map((x, i) => Math.abs(x - values[i]))
  const inside = truth.map((x, i) => (x >= low[i] && x <= high[i] ? 1 : 0))
  const coverage = weightedMean(inside, weights)
  const mean = weightedMean(truth, weights)
  const variance = weightedMean(
    truth.map(x => (x - mean) * (x - mean)),
    weights,
  )
  const error = weightedMean(
    gaps.map(gap => gap * gap),
    weights,
  )
  return {
    kind: "number",
    target,
    rows: truth.length,
    weight: sum(weights),
    skipped,
    rmse: Math.sqrt(error),
    mae: weightedMean(gaps, weights),
    coverage,
    coverageInterval: wilsonInterval(coverage, effectiveRows(weights)),
    logDensity: weightedMean(logs, weights),
    logDensityInterval: meanInterval(logs, weights),
    r2: variance > 0 ? 1 - error / variance : 0,
    truth: { mean, sd: Math.sqrt(variance) },
    ...(curves && { points: Array.from(truth, (x, i) => ({ value: values[i], truth: x })) }),
  }
}

function sum(values: ArrayLike<number>): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]
  return total
}
