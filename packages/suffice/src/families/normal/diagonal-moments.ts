/** Moments and description of a diagonal normal. */
import type { Description } from "../../contract/report.ts"
import { byColumn, encodedMeans, encodedVariances, isWritable } from "./columns.ts"
import type { DiagonalLayout } from "./diagonal-layout.ts"

export function diagonalMoments(
  layout: DiagonalLayout,
  params: Float64Array,
  mass: Float64Array,
  stats: Float64Array,
): void {
  const { slots, reach, d, step, width } = layout
  for (let p = 0; p < slots; p++) {
    const at = p * reach
    const mean = (j: number) => params[at + j]
    addMoments(layout, mass[p], mean, j => 1 / params[at + d + j * step], stats, p * width)
  }
}

/** stats[at …] += mass · (1, μ, μ² + σ²), in encoded units. */
function addMoments(
  layout: DiagonalLayout,
  mass: number,
  mean: (j: number) => number,
  variance: (j: number) => number,
  stats: Float64Array,
  at: number,
): void {
  const { d, squares, step } = layout
  for (let j = 0; j < d; j++) {
    stats[at + j] += mass
    stats[at + d + j] += mass * mean(j)
    stats[at + squares + j * step] += mass * (mean(j) * mean(j) + variance(j))
  }
}

export function completeMass(
  layout: DiagonalLayout,
  params: Float64Array,
  mass: Float64Array,
  stats: Float64Array,
): void {
  const { slots, d, reach, step, width, squares } = layout
  for (let p = 0; p < slots; p++) {
    for (let j = 0; j < d; j++) {
      const mean = params[p * reach + j]
      const square = mean * mean + 1 / params[p * reach + d + j * step]
      const gap = mass[p] - stats[p * width + j]
      stats[p * width + j] += gap
      stats[p * width + d + j] += gap * mean
      stats[p * width + squares + j * step] += gap * square
    }
  }
}

/** The mass of the column that is seen most. */
export function massOf({ width, d }: DiagonalLayout, stats: Float64Array, slot: number): number {
  let most = stats[slot * width]
  for (let j = 1; j < d; j++) most = Math.max(most, stats[slot * width + j])
  return most
}

export function describeDiagonal(layout: DiagonalLayout, params: Float64Array, slot: number): Description {
  const { reach, columns, fixed, d, step } = layout
  const at = slot * reach
  const mean = byColumn(columns, j => columns[j].shift + columns[j].scale * params[at + j])
  const variance = byColumn(columns, j =>
    fixed ? 1 : (columns[j].scale / params[at + d + j * step]) * columns[j].scale,
  )
  if (Object.values(variance).every(isWritable)) return { mean, variance }
  return { mean, sd: byColumn(columns, j => columns[j].scale / Math.sqrt(params[at + d + j * step])) }
}

export function adoptDiagonal(
  layout: DiagonalLayout,
  description: Description,
  slot: number,
  mass: number,
  stats: Float64Array,
): void {
  const { columns, spread, fixed, unit, width } = layout
  const means = encodedMeans(columns, description)
  const given = encodedVariances(columns, description, spread)
  addMoments(
    layout,
    mass,
    j => means[j],
    j => (fixed ? unit : given[j]),
    stats,
    slot * width,
  )
}
