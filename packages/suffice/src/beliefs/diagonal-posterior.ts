/** Posterior of uncorrelated normal columns: its numbers, evidence, draws and intervals. */
import type { About } from "../contract/belief.ts"
import type { Dice } from "../contract/dice.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import { type NumberColumn, pooledVariances } from "../families/normal/columns.ts"
import { diagonalLeaf } from "../families/normal/diagonal.ts"
import { log } from "../kernels/log.ts"
import { studentQuantile } from "../kernels/student.ts"
import { elicitedColumns } from "./diagonal-prior.ts"
import { priorOf } from "./elicited.ts"
import { heldSpread, LN_2PI, logSpread } from "./spreads.ts"
import { held } from "./stand-in.ts"

/** Layout and prior of the posterior. */
export interface DiagonalBelief {
  readonly columns: readonly NumberColumn[]
  readonly slots: number
  readonly places: readonly number[]
  readonly d: number
  readonly variances: number
  readonly step: 1 | 0
  readonly covers: number
  readonly isFixed: boolean
  readonly width: number
  readonly unit: number
  readonly logScale: number[]
  readonly total: Float64Array
  readonly factor: number
  readonly own: ReturnType<typeof elicitedColumns> | undefined
  readonly numbers: number
  readonly each: Leaf
  readonly reach: number
  readonly more: number
}

export function diagonalNumbers(plain: Leaf, about: About): DiagonalBelief {
  const columns = about.columns as readonly NumberColumn[]
  const { slots } = plain.shape
  const { places } = about
  const shape = about.options.covariance as "diag" | "spherical" | "identity"
  const d = columns.length
  const variances = shape === "diag" ? d : 1
  const step = shape === "diag" ? 1 : 0
  const covers = d / variances
  const isFixed = shape === "identity"
  const width = 2 * d + variances
  const unit = 1 / Math.min(Math.max(columns[0].scale * columns[0].scale, 1e-300), 1e300)
  const logScale = columns.map(({ scale }) => log(scale))
  const total = new Float64Array(variances)
  pooledVariances(columns).forEach((value, j) => {
    total[j * step] += value / covers
  })
  const { factor, given } = priorOf(
    about,
    isFixed ? ["mean", "strength"] : ["mean", "strength", "sd", "degrees"],
  )
  const own = given && elicitedColumns(about, columns, shape)
  // the numbers of a slot: κ, m, n (d each), then ν, S (one per variance)
  const numbers = 3 * d + 2 * variances
  /** Scored by the leaf of a variance per column: κ differs by column where cells are missing. */
  const each = diagonalLeaf(columns, places, slots, "each", 1)

  // predictive: after the plain parameters, slot by slot m (d), scale² (d), f (per variance; identity: Infinity)
  const reach = slots * (d + 2 * variances)
  const more = 2 * d + variances
  return {
    columns,
    slots,
    places,
    d,
    variances,
    step,
    covers,
    isFixed,
    width,
    unit,
    logScale,
    total,
    factor,
    own,
    numbers,
    each,
    reach,
    more,
  }
}

export function posterior(
  belief: DiagonalBelief,
  stats: Float64Array,
  strength: number,
  spread: Float64Array,
  q: Float64Array,
): void {
  const { factor, slots, numbers, width, variances, isFixed, unit, own, total, d, covers } = belief
  const s = strength * factor
  for (let p = 0; p < slots; p++) {
    const to = p * numbers
    const from = p * width
    for (let v = 0; v < variances; v++) {
      const within = isFixed ? unit : spread[v]
      const kappa0 = s * (own?.kappa ?? (isFixed ? 0.1 : (0.1 * within) / total[v]))
      let nu = s * (own?.degrees ?? 2)
      let scatter = Math.max(stats[from + 2 * d + v], 0)
      const s0 = s * (own ? own.scatter[v] : 3 * within)
      for (let j = v * covers; j < (v + 1) * covers; j++) {
        const n = Math.max(stats[from + j], 0)
        const centre = own?.mean[j] ?? 0
        const mean = n > 0 ? stats[from + d + j] / n : centre
        const off = mean - centre
        const kappa = kappa0 + n
        q[to + j] = kappa
        q[to + d + j] = centre + (n / kappa) * off
        q[to + 2 * d + j] = n
        nu += n
        scatter += ((kappa0 * n) / kappa) * off * off - n * mean * mean
      }
      q[to + 3 * d + v] = nu
      q[to + 3 * d + variances + v] = isFixed ? nu * unit : Math.max(scatter, 0) + s0
      // Σ is known: what is left of the squares enters the evidence
      if (isFixed) q[to + 3 * d] = scatter / unit
    }
  }
}

export function nuOf({ numbers, d }: DiagonalBelief, q: Float64Array, p: number, v: number): number {
  return q[p * numbers + 3 * d + v]
}

export function scatterOf(
  { numbers, d, variances }: DiagonalBelief,
  q: Float64Array,
  p: number,
  v: number,
): number {
  return q[p * numbers + 3 * d + variances + v]
}

/** E[1/σ²] */
export function precisionOf(belief: DiagonalBelief, q: Float64Array, p: number, v: number): number {
  const { isFixed, unit } = belief
  return isFixed ? 1 / unit : nuOf(belief, q, p, v) / scatterOf(belief, q, p, v)
}

export function logNormaliser(belief: DiagonalBelief, q: Float64Array): number {
  const { slots, variances, isFixed, d, numbers, logScale } = belief
  let sum = 0
  for (let p = 0; p < slots; p++) {
    for (let v = 0; v < variances; v++)
      sum += isFixed
        ? -0.5 * nuOf(belief, q, p, v)
        : logSpread(nuOf(belief, q, p, v), scatterOf(belief, q, p, v))
    for (let j = 0; j < d; j++) {
      const n = q[p * numbers + 2 * d + j]
      sum -= 0.5 * log(q[p * numbers + j]) + n * (0.5 * LN_2PI + (isFixed ? 0 : logScale[j]))
    }
  }
  return sum
}

export function draw(belief: DiagonalBelief, q: Float64Array, dice: Dice, params: Float64Array): void {
  const { d, variances, slots, isFixed, unit, covers, numbers } = belief
  const to = d + 2 * variances
  for (let p = 0; p < slots; p++) {
    for (let v = 0; v < variances; v++) {
      const variance = isFixed
        ? unit
        : scatterOf(belief, q, p, v) / (2 * dice.gamma(0.5 * nuOf(belief, q, p, v)))
      params[p * to + d + v] = 1 / variance
      for (let j = v * covers; j < (v + 1) * covers; j++) {
        params[p * to + j] = q[p * numbers + d + j] + dice.normal() * Math.sqrt(variance / q[p * numbers + j])
      }
    }
  }
}

export function interval(
  belief: DiagonalBelief,
  q: Float64Array,
  slot: number,
  probability: number,
): Description {
  const { columns, numbers, isFixed, step, d } = belief
  const of = <T>(value: (j: number) => T) =>
    Object.fromEntries(columns.map(({ name }, j) => [name, value(j)] as const))
  const at = slot * numbers
  return {
    mean: of(j => {
      const { shift, scale } = columns[j]
      const freedom = isFixed ? 1e9 : nuOf(belief, q, slot, j * step)
      const wide =
        studentQuantile(0.5 + 0.5 * probability, freedom) /
        Math.sqrt(precisionOf(belief, q, slot, j * step) * q[at + j])
      const m = q[at + d + j]
      return held(shift + scale * m, shift + scale * (m - wide), shift + scale * (m + wide))
    }),
    ...(!isFixed && {
      sd: of(j =>
        heldSpread(
          columns[j].scale,
          scatterOf(belief, q, slot, j * step),
          nuOf(belief, q, slot, j * step),
          probability,
        ),
      ),
    }),
  }
}
