/**
 * Two models on the same folds: the interval of their mean difference.
 *
 *     d̄ ± t_{k−1} · √( (1/k + test/train) · s² )      s²: the variance of the k differences
 *
 * The folds share training rows, so s²/k would be too small: the second term corrects for it (Nadeau & Bengio 2003, Machine
 * Learning 52, §3). Its coverage is about nominal; with few folds it is wide.
 */
import { refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import { studentReach } from "../kernels/incomplete-beta.ts"
import type { Interval } from "./intervals.ts"

export interface PairedOptions {
  readonly coverage?: number
  /** Test rows per training row, in each fold; by default 1/(k − 1), as in cross-validation. */
  readonly testPerTrain?: number
}

/** The interval of the mean of these differences, one per fold. */
export function pairedInterval(differences: readonly number[], options: PairedOptions = {}): Interval {
  refuseUnknown("pairedInterval", options, ["coverage", "testPerTrain"])
  return intervalOf(differences, options)
}

function intervalOf(
  differences: readonly number[],
  { coverage = 0.95, testPerTrain }: PairedOptions,
): Interval {
  const isList = Array.isArray(differences) || ArrayBuffer.isView(differences)
  if (!isList || Array.from(differences).some(d => typeof d !== "number")) {
    throw new SufficeError(
      "data",
      `pairedInterval: the differences are ${show(differences)}. There is a number for each fold. Pass a list of numbers.`,
    )
  }
  const k = differences.length
  if (!(k >= 2)) {
    throw new SufficeError(
      "data",
      `pairedInterval: there ${k === 1 ? "is 1 difference" : `are ${k} differences`}. One fold shows no spread. Compare on at least two folds.`,
      { folds: k },
    )
  }
  if (!(Number.isFinite(coverage) && coverage > 0 && coverage < 1)) {
    throw wrongOption(
      "pairedInterval",
      "coverage",
      coverage,
      "It lies between 0 and 1. Give for example 0.95.",
    )
  }
  if (testPerTrain !== undefined && !(Number.isFinite(testPerTrain) && testPerTrain >= 0)) {
    throw wrongOption(
      "pairedInterval",
      "testPerTrain",
      testPerTrain,
      "It is a finite number ≥ 0. Leave it out for that of cross-validation.",
    )
  }
  const mean = differences.reduce((a, b) => a + b) / k
  if (!Number.isFinite(mean)) return [-Infinity, Infinity]
  const variance = differences.reduce((sum, d) => sum + (d - mean) * (d - mean), 0) / (k - 1)
  const reach = studentReach(coverage, k - 1) * Math.sqrt((1 / k + (testPerTrain ?? 1 / (k - 1))) * variance)
  return [mean - reach, mean + reach]
}
