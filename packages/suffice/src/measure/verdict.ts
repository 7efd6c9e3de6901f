/**
 * What an evaluation means: better than a guess that never looks at the row, as sure as it may be, and on how many rows that rests.
 *
 *     base rate of levels     p(level) = its share among the other rows, each level seen once more: log-loss → entropy; accuracy = the largest share
 *     base rate of a number   the truths' own normal: mean log-density = −½ ln 2πe s², root mean squared error = s
 *
 * Both are taken from the rows that were judged, which is about the best a constant can do there: a model is not called better than that unless its
 * interval lies beyond it.
 */
import type { Level } from "../contract/cells.ts"
import { SufficeError, show } from "../errors.ts"
import { log } from "../kernels/log.ts"
import type { Evaluation, NumberEvaluation } from "./evaluation.ts"
import type { Interval } from "./intervals.ts"

/** Better or worse than the base rate by more than chance explains; "unclear": its interval holds the base rate. */
export type Standing = "better" | "worse" | "unclear"
/** How what is said compares with what happens; "unclear" where no row says. */
export type Confidence = "overconfident" | "underconfident" | "fitting" | "unclear"

/** What an evaluation means, as data and in a sentence. */
export interface Verdict {
  readonly rows: number
  readonly base: LevelBase | NumberBase
  readonly standing: Standing
  readonly confidence: Confidence
  /** All of it in words. */
  readonly sentence: string
}

/** What the most frequent level alone, or the shares of the levels, would achieve. */
export interface LevelBase {
  readonly kind: "levels"
  /** The most frequent level, and its share. */
  readonly level: Level
  readonly accuracy: number
  readonly logLoss: number
}

/** What a normal with the mean and the spread of the truths would achieve. */
export interface NumberBase {
  readonly kind: "number"
  readonly rmse: number
  readonly logDensity: number
}

/** Is the model better than its base rate, is it as sure as it may be, and on how many rows does that rest? */
export function verdict(evaluation: Evaluation | NumberEvaluation): Verdict {
  check(evaluation)
  return evaluation.kind === "levels" ? ofLevels(evaluation) : ofNumber(evaluation)
}

/** What evaluate() returned: of levels with probabilities, or of a number. */
function check(evaluation: Evaluation | NumberEvaluation): void {
  const { kind, reliability, confusion, truth, coverageInterval } = (evaluation ?? {}) as Partial<
    Omit<Evaluation, "kind"> & Omit<NumberEvaluation, "kind">
  > & { readonly kind?: string }
  const isWhole =
    kind === "levels"
      ? Array.isArray(reliability) && Array.isArray(confusion?.counts)
      : kind === "number" && typeof truth?.sd === "number" && Array.isArray(coverageInterval)
  if (isWhole) return
  throw new SufficeError(
    "data",
    `verdict: the evaluation is ${show(evaluation)}. It judges probabilities of levels, or numbers with their spread. Pass what evaluate() returned.`,
  )
}

function ofLevels(evaluation: Evaluation): Verdict {
  const { rows, logLoss, logLossInterval, accuracy, accuracyInterval } = evaluation
  const base = levelBase(evaluation)
  // an infinite loss has no interval, and is worse than any
  const standing = logLoss === Infinity ? "worse" : standingOf(logLossInterval, base.logLoss)
  const said = saidOf(evaluation)
  const confidence = said === undefined ? "unclear" : confidenceOf(accuracyInterval, said)
  const loss = `log-loss ${digits(logLoss)}, base rate ${digits(base.logLoss)}`
  const sure =
    said === undefined
      ? undefined
      : {
          overconfident: `it is overconfident: it says ${percent(said)} and is right in ${percent(accuracy)}`,
          underconfident: `it is too modest: it says ${percent(said)} and is right in ${percent(accuracy)}`,
          fitting: `its probabilities fit what happens (${percent(said)} said, ${percent(accuracy)} right)`,
          unclear: "how sure it may be cannot be told",
        }[confidence]
  const unseen = Object.values(evaluation.unseen ?? {}).reduce((sum, count) => sum + count, 0)
  // such a level alone makes the loss infinite: of the probabilities of the others that says nothing
  const told = { unit: "sequences" in evaluation ? "step" : "row", unseen }
  return { rows, base, standing, confidence, sentence: sentence(standing, loss, sure, rows, told) }
}

function levelBase({ confusion: { levels, counts } }: Evaluation): LevelBase {
  const support = counts.map(row => row.reduce((sum, count) => sum + count, 0))
  const total = support.reduce((sum, count) => sum + count, 0)
  const most = support.indexOf(Math.max(...support))
  return {
    kind: "levels",
    level: levels[most],
    accuracy: support[most] / total,
    // Σ n_l/n · −ln( n_l / (n − 1 + levels) )
    logLoss: support.reduce(
      (sum, count) => sum + (count > 0 ? (count / total) * log((total - 1 + levels.length) / count) : 0),
      0,
    ),
  }
}

/** The mean probability of the predicted level. */
function saidOf({ reliability }: Evaluation): number | undefined {
  const count = reliability.reduce((sum, bin) => sum + bin.count, 0)
  if (!(count > 0)) return undefined
  return reliability.reduce((sum, bin) => sum + bin.count * bin.confidence, 0) / count
}

const LN_2PI_E = 2.8378770664093453
/** The probability that the intervals of numbers are said to hold. */
const COVERAGE = 0.95

function ofNumber(evaluation: NumberEvaluation): Verdict {
  const { rows, truth, logDensity, logDensityInterval, coverage, coverageInterval, r2, rmse } = evaluation
  const base: NumberBase = {
    kind: "number",
    rmse: truth.sd,
    logDensity: truth.sd > 0 ? -0.5 * (LN_2PI_E + 2 * log(truth.sd)) : Infinity,
  }
  // a loss is what is lower
  const lost: Interval = [-logDensityInterval[1], -logDensityInterval[0]]
  const standing = Number.isFinite(logDensity) ? standingOf(lost, -base.logDensity) : "worse"
  const confidence: Confidence =
    coverageInterval[1] < COVERAGE
      ? "overconfident"
      : coverageInterval[0] > COVERAGE
        ? "underconfident"
        : "fitting"
  // a density may gain by its shape where the expected values are worse than a constant
  const explains =
    r2 < 0 && rmse > base.rmse
      ? `${standing === "better" ? "by its density alone: " : ""}its expected values are farther off than the mean of all rows would be, by a root mean squared error of ${digits(rmse)} to ${digits(base.rmse)}`
      : `it explains ${percent(Math.max(r2, 0))} of the variance`
  const gain = `${explains}; log-density ${digits(logDensity)}, base rate ${digits(base.logDensity)}`
  const intervals = `its ${100 * COVERAGE} % intervals`
  const sure = {
    overconfident: `${intervals} are too narrow: they hold ${percent(coverage)}`,
    underconfident: `${intervals} are too wide: they hold ${percent(coverage)}`,
    fitting: `${intervals} hold ${percent(coverage)}`,
    unclear: `${intervals} hold ${percent(coverage)}`,
  }[confidence]
  return { rows, base, standing, confidence, sentence: sentence(standing, gain, sure, rows) }
}

function standingOf([low, high]: Interval, base: number): Standing {
  if (high < base) return "better"
  return low > base ? "worse" : "unclear"
}

/** `said` lies above, below or inside the interval of what happened. */
function confidenceOf([low, high]: Interval, said: number): Confidence {
  if (said > high) return "overconfident"
  return said < low ? "underconfident" : "fitting"
}

function sentence(
  standing: Standing,
  loss: string,
  sure: string | undefined,
  rows: number,
  { unit, unseen } = { unit: "row", unseen: 0 },
): string {
  const many = (count: number): string => `${digits(count)} ${unit}${count === 1 ? "" : "s"}`
  const start = {
    better: "Better than the base rate",
    worse:
      unseen > 0
        ? `Its log-loss is infinite, since ${many(unseen)} ${unseen === 1 ? "holds a level" : "hold levels"} that training never saw: bring some to learn from`
        : "Worse than the base rate: do not use its probabilities",
    unclear: "Not clearly better than the base rate",
  }[standing]
  return `${start} (${loss})${sure === undefined ? "" : `; ${sure}`}; judged on ${rows} ${unit}${rows === 1 ? "" : "s"}.`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

function digits(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(3))).replace("-", "−") : "infinite"
}
