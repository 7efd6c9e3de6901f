/** Posterior of a rate of counts: its numbers, evidence, draws and intervals. */
import type { About } from "../contract/belief.ts"
import type { Dice } from "../contract/dice.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import { log } from "../kernels/log.ts"
import { logGamma } from "../kernels/log-gamma.ts"
import { gammaQuantile } from "../kernels/student.ts"
import { amount, priorOf, STRENGTH } from "./elicited.ts"
import { held } from "./stand-in.ts"

/** Statistics of a slot: n, Σwx, Σw ln x!; numbers: a, b, Σw ln x!. */
export const WIDTH = 3

/** Layout and prior of the posterior. */
export interface PoissonBelief {
  readonly slots: number
  readonly place: number
  readonly rows: number
  readonly rate: number
}

export function poissonNumbers(plain: Leaf, about: About): PoissonBelief {
  const { slots } = plain.shape
  const [column] = about.columns
  const [place] = about.places
  const { factor, given } = priorOf(about, ["rate", "strength"])
  const rows = given ? amount(about, given, "strength", 0, STRENGTH) : factor
  const pooled = column.kind === "count" && column.mean > 0 ? column.mean : 1
  const rate = given ? amount(about, given, "rate", 0, "A rate is positive.") : pooled
  return { slots, place, rows, rate }
}

export function posterior(
  { slots, rows, rate }: PoissonBelief,
  stats: Float64Array,
  strength: number,
  q: Float64Array,
): void {
  for (let at = 0; at < slots * WIDTH; at += WIDTH) {
    q[at] = strength * rows * rate + Math.max(stats[at + 1], 0)
    q[at + 1] = strength * rows + Math.max(stats[at], 0)
    q[at + 2] = stats[at + 2]
  }
}

export function logNormaliser(_belief: PoissonBelief, q: Float64Array): number {
  let sum = 0
  for (let at = 0; at < q.length; at += WIDTH) sum += logGamma(q[at]) - q[at] * log(q[at + 1]) - q[at + 2]
  return sum
}

export function draw({ slots }: PoissonBelief, q: Float64Array, dice: Dice, params: Float64Array): void {
  for (let p = 0; p < slots; p++) params[p] = log(dice.gamma(q[p * WIDTH]) / q[p * WIDTH + 1])
}

export function interval(
  _belief: PoissonBelief,
  q: Float64Array,
  slot: number,
  probability: number,
): Description {
  const [a, b] = q.subarray(slot * WIDTH, slot * WIDTH + 2)
  const beyond = 0.5 * (1 - probability)
  return { rate: held(a / b, gammaQuantile(beyond, a) / b, gammaQuantile(1 - beyond, a) / b) }
}
