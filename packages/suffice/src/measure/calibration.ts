/**
 * Calibration after learning: a map from the model's posterior to one whose probabilities are frequencies, fitted to rows
 * the model has not learned from. It works on ln p(l | row), rows × levels, because naive Bayes is wrong by hundreds of nats, where
 * probabilities themselves have long rounded to 0 and 1.
 *
 *     temperature   p'(l) ∝ p(l)^(1/T)        T > 1 softens, T < 1 sharpens; the order of the levels stays   (Guo et al. 2017)
 *     isotonic      p'(l) ∝ f_l( ln p(l)/(1 − p(l)) )      f_l never falls: one curve per level, one against the rest,
 *                                                          then made to add up to 1   (Zadrozny & Elkan 2002)
 *
 * T minimises the log-loss, which is convex in β = 1/T. Its slope is Σ w ( E_β[ln p] − ln p(truth) ), its curvature
 * Σ w Var_β[ln p] ≥ 0: Newton's steps inside a bracket that bisection keeps. T is held in [0.1, 10 000]: where every row is
 * right, the loss falls for ever as T → 0, and no finite sample can ask for that.
 *
 * The curves are fitted to the outcomes 1 and 0 drawn in to (n₊ + 1)/(n₊ + 2) and 1/(n₋ + 2) (Platt 1999), unlike Zadrozny & Elkan:
 * else the ends of a curve are exactly 0 and 1, and one surprise makes the log-loss infinite. x is the log-odds, not the
 * probability: the fit knows only their order, which rounding to 1 would lose.
 */
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"
import { logSumExp } from "../kernels/log-sum-exp.ts"
import { interpolate, isotonic, type Knot } from "./isotonic.ts"

/** Plain data, saved with the model. */
export type Calibration =
  | { readonly target: string; readonly method: "temperature"; readonly temperature: number }
  | {
      readonly target: string
      readonly method: "isotonic"
      /** One curve for each level, in their order: x is the log-odds of the level, y its probability before they are made to add up to 1. */
      readonly curves: readonly (readonly Knot[])[]
    }

/** Rows to calibrate on: ln p, rows × levels; a true level ≥ `levels` was never seen in training: none of the others, for the curves, and beyond any temperature. */
export interface CalibrationRows {
  readonly logs: Float64Array
  readonly levels: number
  readonly truth: ArrayLike<number>
  readonly weights: ArrayLike<number>
}

export function fitCalibration(
  target: string,
  method: Calibration["method"],
  rows: CalibrationRows,
): Calibration {
  switch (method) {
    case "temperature":
      return { target, method, temperature: 1 / sharpness(rows) }
    case "isotonic":
      return { target, method, curves: curvesOf(rows) }
    default:
      return method satisfies never
  }
}

/** logs ← ln p'(l | row), in place, rows × levels. Each row may be ln p(l, row): what it adds up to does not matter. */
export function applyCalibration(calibration: Calibration, logs: Float64Array, levels: number): void {
  for (let at = 0; at < logs.length; at += levels) {
    normalise(logs, at, levels)
    switch (calibration.method) {
      case "temperature":
        for (let l = 0; l < levels; l++) logs[at + l] /= calibration.temperature
        break
      case "isotonic": {
        const odds = logOdds(logs, at, levels)
        const shares = odds.map((x, l) => interpolate(calibration.curves[l], x))
        // Curves of zeros, made by hand, would leave nothing: then the row stays as it is.
        if (shares.some(share => share > 0)) logs.set(shares.map(log), at)
        break
      }
      default:
        calibration satisfies never
    }
    normalise(logs, at, levels)
  }
}

/** A row that is impossible under every level says nothing: uniform. */
function normalise(logs: Float64Array, at: number, levels: number): void {
  const total = logSumExp(logs, at, levels, 1)
  for (let l = 0; l < levels; l++) {
    logs[at + l] = total === -Infinity ? -log(levels) : logs[at + l] - total
  }
}

/** ln p(l) − ln Σ_{other} p(other), exact where 1 − p(l) would round to 0. Held within ±1e300: JSON has no infinity. */
function logOdds(logs: Float64Array, at: number, levels: number): Float64Array {
  const others = new Float64Array(levels)
  return Float64Array.from({ length: levels }, (_, l) => {
    for (let other = 0; other < levels; other++) {
      others[other] = other === l ? -Infinity : logs[at + other]
    }
    if (logs[at + l] === -Infinity) return -1e300
    const rest = logSumExp(others, 0, levels, 1)
    return rest === -Infinity ? 1e300 : logs[at + l] - rest
  })
}

const SHARPEST = 10
const SOFTEST = 1e-4

/** β = 1/T of least log-loss. Rows whose truth is impossible lose infinitely at any β, and are left out. */
function sharpness(rows: CalibrationRows): number {
  let low = SOFTEST
  let high = SHARPEST
  if (slope(rows, 1).slope === 0) return 1 // one level, or no opinion: nothing to sharpen
  if (slope(rows, high).slope <= 0) return high
  if (slope(rows, low).slope >= 0) return low
  let beta = 1
  for (let step = 0; step < 200; step++) {
    const { slope: first, curvature } = slope(rows, beta)
    if (first > 0) high = beta
    else low = beta
    let next = beta - first / curvature
    if (!(next > low && next < high)) next = Math.sqrt(low * high)
    if (Math.abs(next - beta) <= 1e-14 * beta) return next
    beta = next
  }
  return beta
}

function slope(
  { logs, levels, truth, weights }: CalibrationRows,
  beta: number,
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
    curvature += weights[i] * variance
  }
  return { slope, curvature }
}

function curvesOf({ logs, levels, truth, weights }: CalibrationRows): readonly (readonly Knot[])[] {
  const own = logs.slice()
  const odds: Float64Array[] = []
  for (let i = 0; i < truth.length; i++) {
    normalise(own, i * levels, levels)
    odds.push(logOdds(own, i * levels, levels))
  }
  return Array.from({ length: levels }, (_, l) => {
    let yes = 0
    let no = 0
    for (let i = 0; i < truth.length; i++) {
      if (truth[i] === l) yes += weights[i]
      else no += weights[i]
    }
    const knots = isotonic(
      odds.map(row => row[l]),
      Array.from(truth, level => (level === l ? 1 : 0)),
      weights,
    )
    const floor = 1 / (no + 2)
    const ceiling = (yes + 1) / (yes + 2)
    return knots.map(({ x, y }) => ({ x, y: floor + (ceiling - floor) * y }))
  })
}
