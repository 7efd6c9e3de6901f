/** Posterior of a rate of waiting: its numbers, evidence, draws and intervals. */
import type { About } from "../contract/belief.ts"
import type { Dice } from "../contract/dice.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import { pooledOf } from "../families/natural.ts"
import { log } from "../kernels/log.ts"
import { logGamma } from "../kernels/log-gamma.ts"
import { gammaQuantile } from "../kernels/student.ts"
import { amount, checkReach, priorOf, STRENGTH } from "./elicited.ts"
import { held } from "./stand-in.ts"

/** Numbers of a slot: a, b, n. */
export const WIDTH = 3

/** Layout and prior of the posterior. */
export interface ExponentialBelief {
  readonly slots: number
  readonly place: number
  readonly scale: number
  readonly logScale: number
  readonly rows: number
  readonly before: number
}

export function exponentialNumbers(plain: Leaf, about: About): ExponentialBelief {
  const { slots } = plain.shape
  const [place] = about.places
  const pooled = pooledOf(about.columns[0])
  const { scale } = pooled
  const logScale = log(scale)
  const { factor, given } = priorOf(about, ["mean", "strength"])
  const rows = given ? amount(about, given, "strength", 0, STRENGTH) : factor
  const before = given
    ? amount(about, given, "mean", 0, "A waiting time is positive.") / scale
    : pooled.mean > 0
      ? pooled.mean
      : 1
  if (given) checkReach(about, [before, 1 / before], [])
  return { slots, place, scale, logScale, rows, before }
}

export function posterior(
  { slots, rows, before }: ExponentialBelief,
  stats: Float64Array,
  strength: number,
  q: Float64Array,
): void {
  for (let p = 0; p < slots; p++) {
    const n = Math.max(stats[p * 2], 0)
    q[p * WIDTH] = strength * rows + 1 + n
    q[p * WIDTH + 1] = strength * rows * before + Math.max(stats[p * 2 + 1], 0)
    q[p * WIDTH + 2] = n
  }
}

export function logNormaliser({ logScale }: ExponentialBelief, q: Float64Array): number {
  let sum = 0
  for (let at = 0; at < q.length; at += WIDTH)
    sum += logGamma(q[at]) - q[at] * log(q[at + 1]) - q[at + 2] * logScale
  return sum
}

export function draw({ slots }: ExponentialBelief, q: Float64Array, dice: Dice, params: Float64Array): void {
  for (let p = 0; p < slots; p++) params[p] = -dice.gamma(q[p * WIDTH]) / q[p * WIDTH + 1]
}

export function interval(
  { scale }: ExponentialBelief,
  q: Float64Array,
  slot: number,
  probability: number,
): Description {
  const [a, b] = q.subarray(slot * WIDTH, slot * WIDTH + 2)
  const beyond = 0.5 * (1 - probability)
  const long = (quantile: number): number => scale * (b / gammaQuantile(quantile, a))
  return { mean: held(scale * (b / (a - 1)), long(1 - beyond), long(beyond)) }
}
