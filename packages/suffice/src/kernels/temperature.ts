/**
 * The temperature that calibrates probabilities, p'(l) ∝ p(l)^(1/T) (Guo et al. 2017): that of the lowest log-loss, which is convex in
 * β = 1/T. Its slope is Σ w ( E_β[ln p] − ln p(truth) ), its curvature Σ w Var_β[ln p] ≥ 0: Newton's method, safeguarded by bisection. T is
 * clamped to [0.1, 10 000]: if every row is predicted correctly, the loss falls for ever as T → 0, which no finite sample justifies.
 */
import { exp } from "./exp.ts"

/** ln p(l | row) of each level, rows × levels, up to a constant per row; a truth ≥ `levels` is none of them. */
export interface Posteriors {
  readonly logs: Float64Array
  readonly levels: number
  readonly truth: ArrayLike<number>
  readonly weights: ArrayLike<number>
}

const SHARPEST = 10
const SOFTEST = 1e-4

/**
 * Rows whose truth is impossible have infinite loss at any T, and are left out. `doubt`: the share of each row's truth that is spread over the
 * other levels, so that there is a minimum even if every row is predicted correctly (as in Platt 1999).
 */
export function temperatureOf(rows: Posteriors, doubt = 0, precision = PRECISION): number {
  return 1 / sharpness(rows, doubt, 1, precision)
}

/** The same, where a temperature close to it is known. */
export function temperatureFrom(near: number, rows: Posteriors, doubt: number, precision: number): number {
  return 1 / sharpness(rows, doubt, 1 / near, precision)
}

/** Relative: as far as doubles go. */
const PRECISION = 1e-14

function sharpness(rows: Posteriors, doubt: number, start: number, precision: number): number {
  let low = SOFTEST
  let high = SHARPEST
  let beta = start
  for (let step = 0; step < 200; step++) {
    const { slope: first, curvature } = slope(rows, beta, doubt)
    if (step === 0) {
      if (first === 0) return beta // one level, or uniform posteriors
      // the minimum lies on one side of the start: only that end can be it
      if (first < 0 && slope(rows, high, doubt).slope <= 0) return high
      if (first > 0 && slope(rows, low, doubt).slope >= 0) return low
    }
    if (first > 0) high = beta
    else low = beta
    let next = beta - first / curvature
    if (!(next > low && next < high)) next = Math.sqrt(low * high)
    if (Math.abs(next - beta) <= precision * beta) return next
    beta = next
  }
  return beta
}

function slope(
  { logs, levels, truth, weights }: Posteriors,
  beta: number,
  doubt: number,
): { slope: number; curvature: number } {
  let slope = 0
  let curvature = 0
  const p = new Float64Array(levels)
  for (let i = 0; i < truth.length; i++) {
    const at = i * levels
    const seen = truth[i] < levels ? logs[at + truth[i]] : -Infinity
    if (weights[i] === 0 || seen === -Infinity) continue
    let max = -Infinity
    for (let l = 0; l < levels; l++) max = Math.max(max, logs[at + l])
    let sum = 0
    for (let l = 0; l < levels; l++) {
      p[l] = exp(beta * (logs[at + l] - max))
      sum += p[l]
    }
    let mean = 0
    for (let l = 0; l < levels; l++) if (p[l] > 0) mean += (p[l] / sum) * (logs[at + l] - max)
    let variance = 0
    for (let l = 0; l < levels; l++) {
      const gap = logs[at + l] - max - mean
      if (p[l] > 0) variance += (p[l] / sum) * gap * gap
    }
    slope += weights[i] * (mean - (seen - max))
    // the other possible levels, if there is doubt
    if (doubt > 0) {
      let others = 0
      let gap = 0
      for (let l = 0; l < levels; l++) {
        if (l === truth[i] || logs[at + l] === -Infinity) continue
        others++
        gap += seen - logs[at + l]
      }
      if (others > 0) slope += (weights[i] * doubt * gap) / others
    }
    curvature += weights[i] * variance
  }
  return { slope, curvature }
}
