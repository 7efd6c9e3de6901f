/** Posterior of a log-normal number: its numbers, evidence, draws and intervals. */
import type { About } from "../contract/belief.ts"
import type { Dice } from "../contract/dice.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import { pooledOf } from "../families/natural.ts"
import { log } from "../kernels/log.ts"
import { studentQuantile } from "../kernels/student.ts"
import { growUnset } from "../kernels/workspace.ts"
import { amount, checkReach, DEGREES, priorOf, SPREAD, STRENGTH } from "./elicited.ts"
import { heldSpread, LN_2PI, logSpread } from "./spreads.ts"
import { held } from "./stand-in.ts"

/** A smaller variance of logarithms is rounding error. */
const LEAST = 1e-14
export const WIDTH = 6
/** Statistics of a slot: n, Σw ln x, Σw ln² x; numbers: κ, m, ν, S, n, Σw ln x. */
export const STATISTICS = 3

/** Layout and prior of the posterior, and memory within one call. */
export interface LogNormalBelief {
  readonly slots: number
  readonly place: number
  readonly logScale: number
  readonly prior: { kappa: number; mean: number; nu: number; scatter: number }
  readonly logsOf: (length: number) => Float64Array
}

export function logNormalNumbers(plain: Leaf, about: About): LogNormalBelief {
  const { slots } = plain.shape
  const [place] = about.places
  const { logMean, logVariance, scale } = pooledOf(about.columns[0])
  const logScale = log(scale)
  const { factor, given } = priorOf(about, ["logMean", "strength", "logSd", "degrees"])
  const own = given && {
    kappa: amount(about, given, "strength", 0, STRENGTH),
    mean: amount(about, given, "logMean", -Infinity, "It is where the mean of ln x is expected.") - logScale,
    degrees: amount(about, given, "degrees", 0, DEGREES),
    sd: amount(about, given, "logSd", 0, SPREAD),
  }
  if (own) checkReach(about, [own.mean], [own.degrees * own.sd * own.sd])
  const total = logVariance > LEAST ? logVariance : 1
  const prior = own
    ? { kappa: own.kappa, mean: own.mean, nu: own.degrees, scatter: own.degrees * own.sd * own.sd }
    : { kappa: 0.1 * factor, mean: logMean, nu: 2 * factor, scatter: 3 * factor * total }
  const logsOf = growUnset()
  return { slots, place, logScale, prior, logsOf }
}

export function posterior(
  { slots, prior }: LogNormalBelief,
  stats: Float64Array,
  strength: number,
  q: Float64Array,
): void {
  for (let p = 0; p < slots; p++) {
    const [count, sum, squares] = stats.subarray(p * STATISTICS, p * STATISTICS + STATISTICS)
    const n = Math.max(count, 0)
    const mean = n > 0 ? sum / n : prior.mean
    const off = mean - prior.mean
    const kappa0 = strength * prior.kappa
    const kappa = kappa0 + n
    const scatter = strength * prior.scatter + Math.max(squares - sum * mean, 0)
    const numbers = [
      kappa,
      prior.mean + (n / kappa) * off,
      strength * prior.nu + n,
      scatter + ((kappa0 * n) / kappa) * off * off,
      n,
      sum,
    ]
    q.set(numbers, p * WIDTH)
  }
}

/** The plain parameters of a normal of logarithms. */
export function put(
  _belief: LogNormalBelief,
  params: Float64Array,
  p: number,
  m: number,
  variance: number,
): void {
  params[p * 2] = m / variance - 1
  params[p * 2 + 1] = -0.5 / variance
}

export function logNormaliser({ logScale }: LogNormalBelief, q: Float64Array): number {
  let sum = 0
  for (let at = 0; at < q.length; at += WIDTH) {
    const [kappa, , nu, s, n, logs] = q.subarray(at, at + WIDTH)
    sum += logSpread(nu, s) - 0.5 * log(kappa) - n * (0.5 * LN_2PI + logScale) - logs
  }
  return sum
}

export function draw(belief: LogNormalBelief, q: Float64Array, dice: Dice, params: Float64Array): void {
  const { slots } = belief
  for (let p = 0; p < slots; p++) {
    const [kappa, m, nu, s] = q.subarray(p * WIDTH, p * WIDTH + WIDTH)
    const variance = s / (2 * dice.gamma(0.5 * nu))
    put(belief, params, p, m + dice.normal() * Math.sqrt(variance / kappa), variance)
  }
}

export function interval(
  { logScale }: LogNormalBelief,
  q: Float64Array,
  slot: number,
  probability: number,
): Description {
  const [kappa, m, nu, s] = q.subarray(slot * WIDTH, slot * WIDTH + WIDTH)
  const off = studentQuantile(0.5 + 0.5 * probability, nu) * Math.sqrt(s / nu / kappa)
  const centre = logScale + m
  return {
    logMean: held(centre, centre - off, centre + off),
    logSd: heldSpread(1, s, nu, probability),
  }
}
