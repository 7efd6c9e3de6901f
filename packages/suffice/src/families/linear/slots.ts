/**
 * From the statistics of a slot to its parameters, and back. With x̄, ȳ the means, C = Σwxxᵀ/n − x̄x̄ᵀ and c = Σwxy/n − x̄ȳ:
 *
 *     β = C⁻¹c      w = (ȳ − β·x̄, β)      σ² = var y − β·c
 *     Σwxy/n = Cβ + x̄ȳ      Σwy²/n = σ² + βᵀCβ + ȳ²      ȳ = w·(1, x̄)
 */
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

/** The layout. Statistics of a slot: Σw zzᵀ, z = (1, x, y), packed. Parameters: w, then 1/σ², ln of the density at ŷ, x̄, C (packed). */
export interface Slots {
  /** The number of columns that are read; y is entry d + 1 of z. */
  readonly d: number
  /** Statistics and parameters per slot. */
  readonly size: number
  readonly width: number
  /** The places of 1/σ², ln of the density at ŷ, x̄, C. */
  readonly precision: number
  readonly top: number
  readonly mean: number
  readonly spread: number
  /** Pooled variances of y and of x, in encoded units. */
  readonly own: number
  readonly given: Float64Array
  /** θ of one slot; true if it was clamped to the edge of the domain, which is relative to the spread. */
  solve(stats: Float64Array, slot: number, params: Float64Array, spread: Float64Array): boolean
  /** The parameters at `to` of a slot without rows: slope 0, pooled variances. */
  pool(params: Float64Array, to: number): void
  /** stats of a slot += mass · E[zzᵀ | θ], θ at `to`. */
  addMoments(params: Float64Array, to: number, mass: number, stats: Float64Array, slot: number): void
}

export function linearSlots(columns: readonly NumberColumn[]): Slots {
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

  function solve(stats: Float64Array, slot: number, params: Float64Array, spread: Float64Array): boolean {
    const floor = FLOOR * spread[RESIDUAL]
    const spreads = spread.subarray(GIVEN, GIVEN + d)
    const from = slot * size
    const to = slot * width
    const n = stats[from]
    if (!(n > 0)) {
      pool(params, to)
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
      pool(params, to)
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
    put(params, to, Math.max(variance, floor))
    return ridge > 0 || !(variance >= floor)
  }

  function put(params: Float64Array, to: number, variance: number): void {
    params[to + PRECISION] = 1 / variance
    params[to + TOP] = -0.5 * (LN_2PI + log(variance)) - logScale
  }

  function pool(params: Float64Array, to: number): void {
    params.fill(0, to, to + width)
    addRidge(params, to + SPREAD, d, pooledGiven, 1)
    put(params, to, pooled[0])
  }

  function addMoments(
    params: Float64Array,
    to: number,
    mass: number,
    stats: Float64Array,
    slot: number,
  ): void {
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

  return {
    d,
    size,
    width,
    precision: PRECISION,
    top: TOP,
    mean: MEAN,
    spread: SPREAD,
    own: pooled[0],
    given: pooledGiven,
    solve,
    pool,
    addMoments,
  }
}
