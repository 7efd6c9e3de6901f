/** Estimate, prior, domain and value of a diagonal normal. */
import { log } from "../../kernels/log.ts"
import { rowsOfPrior } from "../within.ts"
import { FLOOR, LN_2PI } from "./columns.ts"
import type { DiagonalLayout } from "./diagonal-layout.ts"

export function spreadOf({ within, variances }: DiagonalLayout, stats: Float64Array): Float64Array {
  return within(stats, new Float64Array(variances))
}

function solveSlot(
  layout: DiagonalLayout,
  stats: Float64Array,
  from: number,
  params: Float64Array,
  at: number,
  spread: Float64Array,
): boolean {
  const { d, variances, pooled, squares, covers, fixed, unit } = layout
  let clamped = false
  for (let j = 0; j < d; j++) {
    const n = stats[from + j]
    if (n < 0) clamped = true
    params[at + j] = n > 0 ? stats[from + d + j] / n : 0
  }
  for (let v = 0; v < variances; v++) {
    let variance = pooled[v]
    let total = 0
    let square = stats[from + squares + v] // Σ_j Σ w (x_j − μ_j)²
    for (let j = v * covers; j < (v + 1) * covers; j++) {
      total += stats[from + j]
      square -= stats[from + j] * params[at + j] * params[at + j]
    }
    if (fixed) variance = unit
    else if (total > 0) {
      const floor = FLOOR * spread[v]
      variance = square / total
      if (!(variance >= floor)) {
        variance = floor
        clamped = true
      }
    }
    putVariance(layout, params, at, v, variance)
  }
  return clamped
}

export function isInside(
  layout: DiagonalLayout,
  stats: Float64Array,
  slot: number,
  spread: Float64Array | undefined,
): boolean {
  const { width, trial, reach, pooled } = layout
  return (
    stats[slot * width] > 0 && !solveSlot(layout, stats, slot * width, trial, slot * reach, spread ?? pooled)
  )
}

function putVariance(
  layout: DiagonalLayout,
  params: Float64Array,
  at: number,
  v: number,
  variance: number,
): void {
  const { d, tops, fixed, logScale } = layout
  params[at + d + v] = 1 / variance
  params[at + tops + v] = fixed ? -0.5 * LN_2PI : -0.5 * (LN_2PI + log(variance)) - logScale[v]
}

export function diagonalPrior(
  layout: DiagonalLayout,
  stats: Float64Array,
  strength: number = 1,
  spread: Float64Array | undefined,
  around: Float64Array = stats,
): void {
  const { fixed, kappa, slots, width, d, squares, step } = layout
  // only the mean is learned: there is nothing to shrink
  if (fixed) return
  const wide = spread ?? spreadOf(layout, around)
  const rows = rowsOfPrior(1, strength * kappa)
  for (let p = 0; p < slots; p++) {
    const from = p * width
    for (let j = 0; j < d; j++) {
      const n = around[from + j]
      const mean = n > 0 ? around[from + d + j] / n : 0
      stats[from + j] += rows
      stats[from + d + j] += rows * mean
      stats[from + squares + j * step] += rows * (mean * mean + wide[j * step])
    }
  }
}

export function diagonalValue(layout: DiagonalLayout, stats: Float64Array, params: Float64Array): number {
  const { slots, width, reach, variances, squares, covers, d, tops } = layout
  // Σ_p Σ_j n·top − ½(Σwx² − 2μΣwx + nμ²)/σ², Σwx² once per variance
  let total = 0
  for (let p = 0; p < slots; p++) {
    const from = p * width
    const at = p * reach
    for (let v = 0; v < variances; v++) {
      let n = 0
      let square = stats[from + squares + v]
      for (let j = v * covers; j < (v + 1) * covers; j++) {
        n += stats[from + j]
        square += params[at + j] * (stats[from + j] * params[at + j] - 2 * stats[from + d + j])
      }
      total += n * params[at + tops + v] - 0.5 * params[at + d + v] * square
    }
  }
  return total
}

/** θ of all slots; returns how many estimates were clamped. */
export function solveSlots(
  layout: DiagonalLayout,
  stats: Float64Array,
  params: Float64Array,
  spread: Float64Array,
): number {
  const { slots, width, reach } = layout
  let clamped = 0
  for (let p = 0; p < slots; p++)
    if (solveSlot(layout, stats, p * width, params, p * reach, spread)) clamped++
  return clamped
}
