/** Rows and statistics of a leaf in natural parameters. */
import type { Block, SummedWeights } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import { log } from "../kernels/log.ts"
import { grow } from "../kernels/workspace.ts"
import type { Natural, Numbers } from "./natural.ts"
import { ENDLESS } from "./within.ts"

export type Statistic = (x: number) => number
/** Layout of a leaf, and memory within one call. */
export interface NaturalLeaf {
  readonly place: number
  readonly slots: number
  readonly kappa: number
  readonly family: Natural
  readonly statistics: readonly [Statistic] | readonly [Statistic, Statistic]
  readonly base: { of(x: number): number; expected(eta: Numbers): number } | undefined
  readonly pooled: readonly number[]
  readonly k: 1 | 2
  readonly width: number
  readonly logScale: number
  readonly theta: Float64Array
  readonly eta: Float64Array
  readonly scratch: (length: number) => Float64Array
}

export function naturalLeaf(
  column: Column,
  place: number,
  slots: number,
  kappa: number,
  family: Natural,
): NaturalLeaf {
  const { statistics, base, pooled } = family
  const k = statistics.length
  const width = 1 + k + (base ? 1 : 0)
  const logScale = column.kind === "number" ? log(column.scale) : 0
  const theta = new Float64Array(k)
  const eta = new Float64Array(k)
  const scratch = grow()
  return { place, slots, kappa, family, statistics, base, pooled, k, width, logScale, theta, eta, scratch }
}

export function thetaOf({ k, theta }: NaturalLeaf, params: Float64Array, slot: number): Numbers {
  for (let j = 0; j < k; j++) theta[j] = params[slot * k + j]
  return theta
}

/** η of a slot; the pooled one if it has no mass. */
export function etaOf({ width, k, eta, pooled }: NaturalLeaf, stats: Float64Array, slot: number): Numbers {
  const n = stats[slot * width]
  for (let j = 0; j < k; j++) eta[j] = n > 0 ? stats[slot * width + 1 + j] / n : pooled[j]
  return eta
}

/** stats += mass · η. */
export function addMoments(
  { width, k, eta, base }: NaturalLeaf,
  stats: Float64Array,
  slot: number,
  mass: number,
): void {
  stats[slot * width] += mass
  for (let j = 0; j < k; j++) stats[slot * width + 1 + j] += mass * eta[j]
  if (base) stats[slot * width + 1 + k] += mass * base.expected(eta)
}

/** s_j(x_i) at j·rows + i, then −ln h(x_i); NaN if x_i is missing. */
function statisticsOf(leaf: NaturalLeaf, { rows, cells }: Block): Float64Array {
  const { place, scratch, k, statistics, base } = leaf
  const x = cells[place] as Float64Array
  const s = scratch((k + 1) * rows)
  for (let j = 0; j <= k; j++) {
    const of = j < k ? statistics[j] : base?.of
    if (of) for (let i = 0; i < rows; i++) s[j * rows + i] = x[i] === x[i] ? of(x[i]) : NaN
  }
  return s
}

/** stats[at …] += w · (1, s, −ln h) of row i. */
function addRow(
  leaf: NaturalLeaf,
  stats: Float64Array,
  at: number,
  w: number,
  s: Float64Array,
  i: number,
  rows: number,
): void {
  const { width } = leaf
  stats[at] += w
  stats[at + 1] += w * s[i]
  if (width > 2) stats[at + 2] += w * s[rows + i]
  if (width > 3) stats[at + 3] += w * s[2 * rows + i]
}

export function addPrior(leaf: NaturalLeaf, stats: Float64Array, strength: number = 1): void {
  const { kappa, slots, width, k, pooled } = leaf
  const rows = Math.min(strength * kappa, ENDLESS)
  for (let p = 0; p < slots; p++) {
    stats[p * width] += rows
    for (let j = 0; j < k; j++) stats[p * width + 1 + j] += rows * pooled[j]
  }
}

export function scoreRows(leaf: NaturalLeaf, block: Block, params: Float64Array, out: Float64Array): void {
  const { slots, family, logScale, theta, k } = leaf
  const rows = block.rows
  const s = statisticsOf(leaf, block)
  for (let p = 0; p < slots; p++) {
    const top = family.logPartition(thetaOf(leaf, params, p)) + logScale
    const first = theta[0]
    const second = theta[1]
    for (let i = 0; i < rows; i++) {
      if (s[i] !== s[i]) continue
      // −∞ · 0 = 0
      let sum = s[i] === 0 ? 0 : first * s[i]
      if (k === 2 && s[rows + i] !== 0) sum += second * s[rows + i]
      out[p * rows + i] += sum - top - s[k * rows + i]
    }
  }
}

export function absorbRows(
  leaf: NaturalLeaf,
  block: Block,
  weights: SummedWeights,
  stats: Float64Array,
): false {
  const { width, slots } = leaf
  const rows = block.rows
  const s = statisticsOf(leaf, block)
  for (let i = 0; i < rows; i++) {
    if (s[i] !== s[i]) continue
    if (weights.form === "one") addRow(leaf, stats, weights.slot[i] * width, weights.weight[i], s, i, rows)
    else {
      const { values } = weights
      for (let p = 0; p < slots; p++) addRow(leaf, stats, p * width, values[p * rows + i], s, i, rows)
    }
  }
  return false
}

export function addExpected(
  leaf: NaturalLeaf,
  params: Float64Array,
  mass: Float64Array,
  stats: Float64Array,
): void {
  const { slots, family, eta } = leaf
  for (let p = 0; p < slots; p++) {
    family.moments(thetaOf(leaf, params, p), eta)
    addMoments(leaf, stats, p, mass[p])
  }
}

export function valueOfSlots(leaf: NaturalLeaf, stats: Float64Array, params: Float64Array): number {
  const { slots, k, width, theta, family, logScale, base } = leaf
  let total = 0
  for (let p = 0; p < slots; p++) {
    thetaOf(leaf, params, p)
    let product = 0 // ⟨stats_p, θ_p⟩
    for (let j = 0; j < k; j++) {
      const sum = stats[p * width + 1 + j]
      if (sum !== 0) product += sum * theta[j]
    }
    const top = stats[p * width] * (family.logPartition(theta) + logScale)
    total += product - top - (base ? stats[p * width + 1 + k] : 0)
  }
  return total
}

export function expectRows(
  leaf: NaturalLeaf,
  params: Float64Array,
  slot: number,
  mean: Float64Array,
  variance: Float64Array,
): void {
  const { family, theta } = leaf
  mean.fill(family.mean(thetaOf(leaf, params, slot)))
  variance.fill(family.variance(theta))
}
