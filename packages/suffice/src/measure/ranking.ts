/**
 * How well a score ranks positive rows above negative ones.
 * Rows with the same score enter together, so ties are neither won nor lost.
 *
 *     ROC: (FP/N, TP/P) for every threshold      AUC = P(score⁺ > score⁻) + ½ P(score⁺ = score⁻)   (Hanley & McNeil 1982)
 *     PR:  (TP/P, TP/(TP + FP))                  average precision = Σ_t (recall_t − recall_{t−1}) · precision_t
 *
 * The area under the ROC curve is that probability exactly, by the trapezoidal rule. Average precision is a sum without
 * interpolation, because a straight line between two points of a PR curve cannot be reached (Davis & Goadrich 2006).
 */

/** Weight of positive and of negative rows at or above each distinct score, from the highest down. */
export interface Cuts {
  readonly thresholds: Float64Array
  readonly hits: Float64Array
  readonly alarms: Float64Array
}

export interface RocPoint {
  /** Rows with at least this score are called positive; Infinity calls none. */
  readonly threshold: number
  readonly falsePositiveRate: number
  readonly truePositiveRate: number
}

export interface PrecisionRecallPoint {
  readonly threshold: number
  readonly recall: number
  readonly precision: number
}

export function cutsOf(
  score: ArrayLike<number>,
  happened: ArrayLike<boolean>,
  weights: ArrayLike<number>,
): Cuts {
  const order = new Int32Array(score.length)
  let rows = 0
  for (let i = 0; i < score.length; i++) if (weights[i] > 0) order[rows++] = i
  const sorted = order.subarray(0, rows).sort((a, b) => score[b] - score[a])
  const thresholds = new Float64Array(rows)
  const hits = new Float64Array(rows)
  const alarms = new Float64Array(rows)
  let cuts = 0
  let P = 0
  let N = 0
  for (let at = 0; at < rows; at++) {
    const i = sorted[at]
    if (happened[i]) P += weights[i]
    else N += weights[i]
    if (at + 1 < rows && score[sorted[at + 1]] === score[i]) continue
    thresholds[cuts] = score[i]
    hits[cuts] = P
    alarms[cuts++] = N
  }
  return {
    thresholds: thresholds.subarray(0, cuts),
    hits: hits.subarray(0, cuts),
    alarms: alarms.subarray(0, cuts),
  }
}

/** Undefined unless there are both positive and negative rows. */
export function auc({ hits, alarms }: Cuts): number | undefined {
  const P = hits[hits.length - 1]
  const N = alarms[alarms.length - 1]
  if (!(P > 0 && N > 0)) return undefined
  let area = alarms[0] * 0.5 * hits[0]
  for (let t = 1; t < hits.length; t++) area += (alarms[t] - alarms[t - 1]) * 0.5 * (hits[t] + hits[t - 1])
  return area / P / N
}

/** From the threshold that calls no row positive to the one that calls all. */
export function rocPoints({ thresholds, hits, alarms }: Cuts): RocPoint[] {
  const P = hits[hits.length - 1]
  const N = alarms[alarms.length - 1]
  const nobody = { threshold: Infinity, falsePositiveRate: 0, truePositiveRate: 0 }
  return [
    nobody,
    ...Array.from(thresholds, (threshold, t) => ({
      threshold,
      falsePositiveRate: alarms[t] / N,
      truePositiveRate: hits[t] / P,
    })),
  ]
}

/** Undefined unless some row is positive. */
export function averagePrecision({ hits, alarms }: Cuts): number | undefined {
  const P = hits[hits.length - 1]
  if (!(P > 0)) return undefined
  let sum = 0
  for (let t = 0; t < hits.length; t++) {
    sum += (hits[t] - (t > 0 ? hits[t - 1] : 0)) * (hits[t] / (hits[t] + alarms[t]))
  }
  return sum / P
}

export function precisionRecallPoints({ thresholds, hits, alarms }: Cuts): PrecisionRecallPoint[] {
  const P = hits[hits.length - 1]
  return Array.from(thresholds, (threshold, t) => ({
    threshold,
    recall: hits[t] / P,
    precision: hits[t] / (hits[t] + alarms[t]),
  }))
}
