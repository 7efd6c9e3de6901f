/** One slot of a regression: its estimate and its moments. */
import { log } from "../../kernels/log.ts"
import { solveLower, solveUpper, triangle } from "../../kernels/triangle.ts"
import { LN_2PI, type NumberColumn, pooledVariances } from "../normal/columns.ts"
import { addRidge, factorWithRidge } from "../normal/ridge.ts"
import { GIVEN, RESIDUAL } from "./spread.ts"

/**
 * Residual variances are clamped to this fraction of those within slots. A residual is a difference of sums, whose rounding would show in the
 * likelihood with a smaller one.
 */
const FLOOR = 1e-8

/** Places of the parameters, and memory within one call. */
export interface SlotLayout {
  readonly d: number
  readonly last: number
  readonly size: number
  readonly width: number
  readonly PRECISION: number
  readonly TOP: number
  readonly MEAN: number
  readonly SPREAD: number
  readonly pooled: Float64Array
  readonly pooledGiven: Float64Array
  readonly logScale: number
  readonly factor: Float64Array
  readonly beta: Float64Array
}

export function slotLayout(columns: readonly NumberColumn[]): SlotLayout {
  const d = columns.length - 1
  const last = d + 1
  const size = triangle(d + 2)
  const width = d + 3 + d + triangle(d)
  const [PRECISION, TOP, MEAN, SPREAD] = [d + 1, d + 2, d + 3, d + 3 + d]
  const pooled = pooledVariances(columns)
  const pooledGiven = pooled.subarray(1)
  const logScale = log(columns[0].scale)
  const factor = new Float64Array(triangle(d))
  const beta = new Float64Array(d)
  return { d, last, size, width, PRECISION, TOP, MEAN, SPREAD, pooled, pooledGiven, logScale, factor, beta }
}

export function solveSlot(
  layout: SlotLayout,
  stats: Float64Array,
  slot: number,
  params: Float64Array,
  spread: Float64Array,
): boolean {
  const { d, size, width, last, MEAN, SPREAD, beta, factor } = layout
  const floor = FLOOR * spread[RESIDUAL]
  const spreads = spread.subarray(GIVEN, GIVEN + d)
  const from = slot * size
  const to = slot * width
  const n = stats[from]
  if (!(n > 0)) {
    poolSlot(layout, params, to)
    return n < 0
  }
  const row = from + triangle(last)
  const mean = stats[row] / n
  for (let j = 0; j < d; j++) {
    const xRow = from + triangle(j + 1)
    params[to + MEAN + j] = stats[xRow] / n
    for (let k = 0; k <= j; k++) {
      params[to + SPREAD + triangle(j) + k] =
        stats[xRow + 1 + k] / n - params[to + MEAN + j] * params[to + MEAN + k]
    }
    beta[j] = stats[row + 1 + j] / n - params[to + MEAN + j] * mean
  }
  let variance = stats[row + last] / n - mean * mean
  const ridge = factorWithRidge(params, to + SPREAD, d, spreads, factor, 0)
  if (ridge === Infinity) {
    poolSlot(layout, params, to)
    return true
  }
  addRidge(params, to + SPREAD, d, spreads, ridge)
  // var y − β·c, β = (C + ridge)⁻¹ c: with c = L a, β·c = |a|²
  solveLower(factor, 0, d, beta, 0)
  for (let j = 0; j < d; j++) variance -= beta[j] * beta[j]
  solveUpper(factor, 0, d, beta, 0)
  let intercept = mean
  for (let j = 0; j < d; j++) {
    variance -= ridge * spreads[j] * beta[j] * beta[j]
    intercept -= beta[j] * params[to + MEAN + j]
    params[to + 1 + j] = beta[j]
  }
  params[to] = intercept
  putVariance(layout, params, to, Math.max(variance, floor))
  return ridge > 0 || !(variance >= floor)
}

function putVariance(layout: SlotLayout, params: Float64Array, to: number, variance: number): void {
  const { PRECISION, TOP, logScale } = layout
  params[to + PRECISION] = 1 / variance
  params[to + TOP] = -0.5 * (LN_2PI + log(variance)) - logScale
}

export function poolSlot(layout: SlotLayout, params: Float64Array, to: number): void {
  const { width, SPREAD, d, pooledGiven, pooled } = layout
  params.fill(0, to, to + width)
  addRidge(params, to + SPREAD, d, pooledGiven, 1)
  putVariance(layout, params, to, pooled[0])
}

export function addMoments(
  layout: SlotLayout,
  params: Float64Array,
  to: number,
  mass: number,
  stats: Float64Array,
  slot: number,
): void {
  const { size, last, d, MEAN, PRECISION, SPREAD } = layout
  const from = slot * size
  const row = from + triangle(last)
  let mean = params[to] // ȳ = w·(1, x̄)
  for (let j = 0; j < d; j++) mean += params[to + 1 + j] * params[to + MEAN + j]
  let square = 1 / params[to + PRECISION] + mean * mean
  stats[from] += mass
  for (let j = 0; j < d; j++) {
    const xRow = from + triangle(j + 1)
    let along = 0 // (Cβ)_j
    stats[xRow] += mass * params[to + MEAN + j]
    for (let k = 0; k < d; k++) {
      const c = params[to + SPREAD + (k <= j ? triangle(j) + k : triangle(k) + j)]
      along += c * params[to + 1 + k]
      if (k <= j) stats[xRow + 1 + k] += mass * (c + params[to + MEAN + j] * params[to + MEAN + k])
    }
    stats[row + 1 + j] += mass * (along + params[to + MEAN + j] * mean)
    square += params[to + 1 + j] * along
  }
  stats[row] += mass * mean
  stats[row + last] += mass * square
}
