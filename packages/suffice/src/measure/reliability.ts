/**
 * Is what is predicted with confidence c true in a share c of the cases? Confidences go into bins of equal width,
 * [0, 1/bins), [1/bins, 2/bins), …, the last one closed.
 *
 *     ECE = Σ_b (weight_b / weight) · |frequency_b − confidence_b|      (Naeini, Cooper & Hauskrecht 2015; Guo et al. 2017)
 *
 * Even a calibrated model has an ECE above 0: with n rows, by about √(bins/n) times a few tenths.
 */
import { type Interval, wilsonInterval } from "./intervals.ts"

/** A non-empty bin. */
export interface ReliabilityBin {
  readonly from: number
  readonly to: number
  /** Weight of its rows. */
  readonly count: number
  /** Their mean confidence. */
  readonly confidence: number
  /** The share of them in which it happened, and its 95 % interval. */
  readonly frequency: number
  readonly interval: Interval
}

export interface Reliability {
  readonly ece: number
  /** The non-empty bins, in order. */
  readonly bins: readonly ReliabilityBin[]
}

export function reliability(
  confidence: ArrayLike<number>,
  happened: ArrayLike<boolean>,
  weights: ArrayLike<number>,
  bins = 10,
): Reliability {
  const count = new Float64Array(bins)
  const said = new Float64Array(bins)
  const was = new Float64Array(bins)
  const squares = new Float64Array(bins)
  let total = 0
  for (let i = 0; i < confidence.length; i++) {
    const b = Math.min(Math.floor(confidence[i] * bins), bins - 1)
    count[b] += weights[i]
    said[b] += weights[i] * confidence[i]
    squares[b] += weights[i] * weights[i]
    if (happened[i]) was[b] += weights[i]
    total += weights[i]
  }
  const filled: ReliabilityBin[] = []
  let ece = 0
  for (let b = 0; b < bins; b++) {
    if (count[b] === 0) continue
    filled.push({
      from: b / bins,
      to: (b + 1) / bins,
      count: count[b],
      confidence: said[b] / count[b],
      frequency: was[b] / count[b],
      // weighted rows are worth (Σ w)² / Σ w²
      interval: wilsonInterval(Math.min(was[b] / count[b], 1), (count[b] * count[b]) / squares[b]),
    })
    ece += Math.abs(was[b] - said[b]) / total
  }
  return { ece, bins: filled }
}
