/** Expected statistics of a dense normal, from θ, the prior and descriptions. */
import type { Description } from "../../contract/report.ts"
import { addOuter, triangle } from "../../kernels/triangle.ts"
import { rowsOfPrior } from "../within.ts"
import { byColumn, describedCovariance, encodedCovariance, encodedMeans } from "./columns.ts"
import { denseSpread } from "./dense-spread.ts"
import type { Layout } from "./layout.ts"

/** stats += mass · E[s | μ, C], C packed at `at` */
function addMoments(
  layout: Layout,
  slot: number,
  mass: number,
  mean: Float64Array,
  meanAt: number,
  covariance: Float64Array,
  at: number,
  stats: Float64Array,
): void {
  const { d, size } = layout
  const sums = layout.sumsAt(slot)
  const squares = layout.squaresAt(layout.matrixOf(slot))
  stats[sums] += mass
  for (let j = 0; j < d; j++) stats[sums + 1 + j] += mass * mean[meanAt + j]
  for (let j = 0; j < size; j++) stats[squares + j] += mass * covariance[at + j]
  addOuter(d, stats, squares, mass, mean, meanAt)
}

export function denseMoments(
  layout: Layout,
  params: Float64Array,
  mass: Float64Array,
  stats: Float64Array,
): void {
  for (let p = 0; p < layout.slots; p++) {
    const covariance = layout.covarianceAt(layout.matrixOf(p))
    addMoments(layout, p, mass[p], params, layout.meanAt(p), params, covariance, stats)
  }
}

/** stats += ν pseudo-rows with covariance V around the mean of each slot. */
export function densePrior(
  layout: Layout,
  kappa: number,
  stats: Float64Array,
  strength = 1,
  spread?: Float64Array,
  around = stats,
): void {
  const { d, size, slots, share, filled } = layout
  const wide = spread ?? denseSpread(layout, around, new Float64Array(size))
  const rows = rowsOfPrior(filled, strength * kappa) / share
  const mean = new Float64Array(d)
  for (let p = 0; p < slots; p++) {
    const sums = layout.sumsAt(p)
    const n = around[sums]
    for (let j = 0; j < d; j++) mean[j] = n > 0 ? around[sums + 1 + j] / n : 0
    addMoments(layout, p, rows, mean, 0, wide, 0, stats)
  }
}

export function describeDense(layout: Layout, params: Float64Array, slot: number): Description {
  const { columns } = layout
  const at = layout.covarianceAt(layout.matrixOf(slot))
  return {
    mean: byColumn(columns, j => columns[j].shift + columns[j].scale * params[layout.meanAt(slot) + j]),
    ...describedCovariance(columns, (j, k) => params[at + triangle(Math.max(j, k)) + Math.min(j, k)]),
  }
}

export function adoptDense(
  layout: Layout,
  description: Description,
  slot: number,
  mass: number,
  stats: Float64Array,
): void {
  const mean = Float64Array.from(encodedMeans(layout.columns, description))
  const covariance = encodedCovariance(layout.columns, description)
  addMoments(layout, slot, mass, mean, 0, covariance, 0, stats)
}
