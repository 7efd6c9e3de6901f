/** Posterior of a normal column: its numbers, evidence, draws and intervals. */
import type { About } from "../contract/belief.ts"
import type { Dice } from "../contract/dice.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import type { NumberColumn } from "../families/gaussian-bank.ts"
import { log } from "../kernels/log.ts"
import { studentQuantile } from "../kernels/student.ts"
import { amount, checkReach, DEGREES, priorOf, SPREAD, STRENGTH } from "./elicited.ts"
import { heldSpread, LN_2PI, logSpread } from "./spreads.ts"
import { held } from "./stand-in.ts"

/** Places of κ, m, ν, S and n in the numbers of a slot. */
const [KAPPA, M, NU, S, N] = [0, 1, 2, 3, 4]
export const WIDTH = 5

/** Layout and prior of the posterior. */
export interface GaussianBelief {
  readonly column: NumberColumn
  readonly place: number
  readonly slots: number
  readonly tied: boolean
  readonly width: 2 | 3
  readonly factor: number
  readonly own: { kappa: number; mean: number; degrees: number; sd: number } | undefined
  readonly total: number
  readonly centre: number
  readonly logScale: number
  readonly spreadAt: (_: number) => number
}

export function gaussianNumbers(plain: Leaf, about: About): GaussianBelief {
  const [column] = about.columns as [NumberColumn]
  const [place] = about.places
  const { slots } = plain.shape
  const tied = about.options.variance === "tied"
  const width = tied ? 2 : 3
  const { factor, given } = priorOf(about, ["mean", "strength", "sd", "degrees"])
  const own = given && {
    kappa: amount(about, given, "strength", 0, STRENGTH),
    mean:
      (amount(about, given, "mean", -Infinity, "It is where the mean is expected.") - column.shift) /
      column.scale,
    degrees: amount(about, given, "degrees", 0, DEGREES),
    sd: amount(about, given, "sd", 0, SPREAD) / column.scale,
  }
  if (own) checkReach(about, [own.mean], [own.degrees * own.sd * own.sd])
  const total = column.variance > 0 && column.variance < Infinity ? column.variance : 1
  const centre = own?.mean ?? column.within?.mean ?? 0
  const logScale = log(column.scale)
  const spreadAt = tied ? (_: number) => 0 : (slot: number) => slot
  return { column, place, slots, tied, width, factor, own, total, centre, logScale, spreadAt }
}

export function posterior(
  belief: GaussianBelief,
  stats: Float64Array,
  strength: number,
  [within]: Float64Array,
  q: Float64Array,
): void {
  const { factor, own, total, slots, width, centre, tied } = belief
  const s = strength * factor
  const kappa0 = s * (own?.kappa ?? (0.1 * within) / total)
  const nu0 = s * (own?.degrees ?? 2)
  const s0 = s * (own ? own.degrees * own.sd * own.sd : 3 * within)
  let nu = nu0
  let scatter = s0
  for (let p = 0; p < slots; p++) {
    const n = stats[p * width]
    const sum = stats[p * width + 1]
    const kappa = kappa0 + n
    const mean = n > 0 ? sum / n : centre
    const off = mean - centre
    if (!tied) {
      nu = nu0 + n
      scatter = s0 + Math.max(stats[p * 3 + 2] - sum * mean, 0)
    } else {
      nu += n
      scatter -= sum * mean
    }
    scatter += kappa > 0 ? ((kappa0 * n) / kappa) * off * off : 0
    q[p * WIDTH + KAPPA] = kappa
    q[p * WIDTH + M] = centre + (n / kappa) * off
    q[p * WIDTH + NU] = nu
    q[p * WIDTH + S] = scatter
    q[p * WIDTH + N] = n
  }
  if (!tied) return
  scatter = Math.max(scatter + stats[slots * 2], s0)
  for (let p = 0; p < slots; p++) {
    q[p * WIDTH + NU] = nu
    q[p * WIDTH + S] = scatter
  }
}

export function logNormaliser({ slots, tied, logScale }: GaussianBelief, q: Float64Array): number {
  let sum = 0
  for (let p = 0; p < slots; p++) {
    const at = p * WIDTH
    if (!tied || p === 0) sum += logSpread(q[at + NU], q[at + S])
    sum -= 0.5 * log(q[at + KAPPA]) + q[at + N] * (0.5 * LN_2PI + logScale)
  }
  return sum
}

export function draw(
  { slots, spreadAt, logScale }: GaussianBelief,
  q: Float64Array,
  dice: Dice,
  params: Float64Array,
): void {
  let variance = 0
  for (let p = 0; p < slots; p++) {
    const at = p * WIDTH
    if (spreadAt(p) === p) variance = q[at + S] / (2 * dice.gamma(0.5 * q[at + NU]))
    params[p * 3] = q[at + M] + dice.normal() * Math.sqrt(variance / q[at + KAPPA])
    params[p * 3 + 1] = 1 / variance
    params[p * 3 + 2] = -0.5 * (LN_2PI + log(variance)) - logScale
  }
}

export function interval(
  { column }: GaussianBelief,
  q: Float64Array,
  slot: number,
  probability: number,
): Description {
  const at = slot * WIDTH
  const { shift, scale } = column
  const [kappa, m, nu, s] = q.subarray(at, at + WIDTH)
  const off = studentQuantile(0.5 + 0.5 * probability, nu) * Math.sqrt(s / nu / kappa)
  return {
    mean: held(shift + scale * m, shift + scale * (m - off), shift + scale * (m + off)),
    sd: heldSpread(scale, s, nu, probability),
  }
}
