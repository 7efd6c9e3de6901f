/** Posterior of a probability of success: its numbers, evidence, draws and intervals. */
import type { About } from "../contract/belief.ts"
import type { Dice } from "../contract/dice.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import { log1p } from "../kernels/log.ts"
import { logGamma, logRising } from "../kernels/log-gamma.ts"
import { betaQuantile } from "../kernels/student.ts"
import { amount, checkReach, priorOf, STRENGTH } from "./elicited.ts"
import { held } from "./stand-in.ts"

/** Layout and prior of the posterior. */
export interface GeometricBelief {
  readonly slots: number
  readonly place: number
  readonly rows: number
  readonly before: number
}

export function geometricNumbers(plain: Leaf, about: About): GeometricBelief {
  const { slots } = plain.shape
  const [place] = about.places
  const [column] = about.columns
  const { factor, given } = priorOf(about, ["mean", "strength"])
  const rows = given ? amount(about, given, "strength", 0, STRENGTH) : factor
  const pooled = column.kind === "count" && column.mean > 0 ? column.mean : 1
  const before = given ? amount(about, given, "mean", 0, "A mean of counts is positive.") : pooled
  if (given) checkReach(about, [before, 1 / before], [])
  return { slots, place, rows, before }
}

export function posterior(
  { slots, rows, before }: GeometricBelief,
  stats: Float64Array,
  strength: number,
  q: Float64Array,
): void {
  for (let at = 0; at < slots * 2; at += 2) {
    q[at] = strength * rows * before + Math.max(stats[at + 1], 0)
    q[at + 1] = strength * rows + 1 + Math.max(stats[at], 0)
  }
}

export function logNormaliser(_belief: GeometricBelief, q: Float64Array): number {
  let sum = 0
  for (let at = 0; at < q.length; at += 2) sum += logGamma(q[at + 1]) - logRising(q[at], q[at + 1])
  return sum
}

export function draw({ slots }: GeometricBelief, q: Float64Array, dice: Dice, params: Float64Array): void {
  for (let p = 0; p < slots; p++) params[p] = -log1p(dice.gamma(q[p * 2 + 1]) / dice.gamma(q[p * 2]))
}

export function interval(
  _belief: GeometricBelief,
  q: Float64Array,
  slot: number,
  probability: number,
): Description {
  const [a, b] = q.subarray(slot * 2, slot * 2 + 2)
  const beyond = 0.5 * (1 - probability)
  return { mean: held(a / (b - 1), odds(beyond, a, b), odds(1 - beyond, a, b)) }
}

/** q/(1 − q) at a quantile of q, by the smaller of the two. */
function odds(quantile: number, a: number, b: number): number {
  const q = betaQuantile(quantile, a, b)
  if (q < 0.5) return q / (1 - q)
  const rest = betaQuantile(1 - quantile, b, a)
  return (1 - rest) / rest
}
