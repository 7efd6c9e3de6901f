/**
 * Calibration after learning: a map from the model's posterior to one whose probabilities are frequencies, fitted to rows
 * the model has not learned from. It works on ln p(l | row), rows × levels, because naive Bayes is off by hundreds of nats, where
 * probabilities themselves have long since rounded to 0 and 1.
 *
 *     temperature   p'(l) ∝ p(l)^(1/T)        T > 1 softens, T < 1 sharpens; the order of the levels stays   (Guo et al. 2017)
 *                   with a doubt ε: (1 − ε)·p'(l) + ε/levels, so that no row, however far away, costs more than ln(levels/ε)
 *     isotonic      p'(l) ∝ f_l( ln p(l)/(1 − p(l)) )      f_l never falls: one curve per level, one against the rest,
 *                                                          then made to add up to 1   (Zadrozny & Elkan 2002)
 *
 * T minimises the log-loss (kernels/temperature.ts).
 *
 * The curves are fitted to the outcomes 1 and 0 shrunk to (n₊ + 1)/(n₊ + 2) and 1/(n₋ + 2) (Platt 1999), unlike Zadrozny & Elkan:
 * otherwise the ends of a curve are exactly 0 and 1, and one surprise makes the log-loss infinite. x is the log-odds, not the
 * probability: the fit depends only on their order, which rounding to 1 would lose.
 */
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"
import { logSumExp } from "../kernels/log-sum-exp.ts"
import { type Posteriors, temperatureOf } from "../kernels/temperature.ts"
import { interpolate, isotonic, type Knot } from "./isotonic.ts"

/** Plain data, saved with the model. */
export type Calibration =
  | {
      readonly target: string
      readonly method: "temperature"
      readonly temperature: number
      /** The share of each row's probability that goes to all levels alike; absent: none. */
      readonly doubt?: number
    }
  | {
      readonly target: string
      readonly method: "isotonic"
      /** One curve for each level, in their order: x is the log-odds of the level, y its probability before normalisation. */
      readonly curves: readonly (readonly Knot[])[]
    }

/** Rows to calibrate on. For the curves, a true level never seen in training counts as not being any known level. */
export type CalibrationRows = Posteriors

export function fitCalibration(
  target: string,
  method: Calibration["method"],
  rows: CalibrationRows,
): Calibration {
  switch (method) {
    case "temperature":
      return { target, method, temperature: temperatureOf(rows) }
    case "isotonic":
      return { target, method, curves: curvesOf(rows) }
    default:
      return method satisfies never
  }
}

/** logs ← ln p'(l | row), in place, rows × levels. Each row may be ln p(l, row): its normalisation does not matter. */
export function applyCalibration(calibration: Calibration, logs: Float64Array, levels: number): void {
  for (let at = 0; at < logs.length; at += levels) {
    normalise(logs, at, levels)
    switch (calibration.method) {
      case "temperature":
        for (let l = 0; l < levels; l++) logs[at + l] /= calibration.temperature
        if (calibration.doubt !== undefined && calibration.doubt > 0) {
          normalise(logs, at, levels)
          const rest = calibration.doubt / levels
          for (let l = 0; l < levels; l++) {
            logs[at + l] = log((1 - calibration.doubt) * exp(logs[at + l]) + rest)
          }
        }
        break
      case "isotonic": {
        const odds = logOdds(logs, at, levels)
        const shares = odds.map((x, l) => interpolate(calibration.curves[l], x))
        // hand-made curves of zeros would leave nothing: then the row stays unchanged
        if (shares.some(share => share > 0)) logs.set(shares.map(log), at)
        break
      }
      default:
        calibration satisfies never
    }
    normalise(logs, at, levels)
  }
}

/** A row that is impossible under every level becomes uniform. */
function normalise(logs: Float64Array, at: number, levels: number): void {
  const total = logSumExp(logs, at, levels, 1)
  for (let l = 0; l < levels; l++) {
    logs[at + l] = total === -Infinity ? -log(levels) : logs[at + l] - total
  }
}

/** ln p(l) − ln Σ_{other} p(other), exact where 1 − p(l) would round to 0. Clamped to ±1e300: JSON has no infinity. */
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
