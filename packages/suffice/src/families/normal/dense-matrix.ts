/** Estimate of one covariance matrix and its slots: Σ, L⁻¹ with Σ = LLᵀ, and the log-density at the mean. */
import { addOuter, invertLower, logDetFromCholesky } from "../../kernels/triangle.ts"
import { LN_2PI } from "./columns.ts"
import type { Layout } from "./layout.ts"
import { addRidge, factorsPlainly, factorWithRidge } from "./ridge.ts"

/** params ← μ, Σ, L⁻¹ of one matrix and its slots. Returns the number of clamped slots. */
export function solveMatrix(
  layout: Layout,
  stats: Float64Array,
  params: Float64Array,
  matrix: number,
  variance: Float64Array,
): number {
  const { total, outside } = estimateMatrix(layout, stats, params, matrix)
  if (!(total > 0)) {
    usePooled(layout, params, matrix, variance)
    return outside
  }
  return factorise(layout, params, matrix, variance) ? layout.share : outside
}

/** True if Σ has a Cholesky factor without a ridge. `trial`: scratch buffer for parameters. */
export function isPositive(
  layout: Layout,
  stats: Float64Array,
  trial: Float64Array,
  matrix: number,
  variance: Float64Array,
): boolean {
  const { total } = estimateMatrix(layout, stats, trial, matrix)
  return total > 0 && factorsPlainly(trial, layout.covarianceAt(matrix), layout.d, variance)
}

/** params ← μ and Σ of the slots that share a matrix. `total`: their mass; `outside`: slots with negative mass. */
function estimateMatrix(
  layout: Layout,
  stats: Float64Array,
  params: Float64Array,
  matrix: number,
): { readonly total: number; readonly outside: number } {
  const { d, size, share } = layout
  const at = layout.covarianceAt(matrix)
  const squares = layout.squaresAt(matrix)
  let total = 0
  let outside = 0
  for (let j = 0; j < size; j++) params[at + j] = stats[squares + j]
  for (let p = matrix * share; p < (matrix + 1) * share; p++) {
    const sums = layout.sumsAt(p)
    const mean = layout.meanAt(p)
    const n = stats[sums]
    total += n
    if (n < 0) outside++
    for (let j = 0; j < d; j++) params[mean + j] = n > 0 ? stats[sums + 1 + j] / n : 0
    addOuter(d, params, at, -n, params, mean)
  }
  if (total > 0) for (let j = 0; j < size; j++) params[at + j] /= total
  return { total, outside }
}

/** params ← L⁻¹ and the log-density at the mean. True if Σ needed a ridge. */
function factorise(layout: Layout, params: Float64Array, matrix: number, variance: Float64Array): boolean {
  const { d } = layout
  const at = layout.covarianceAt(matrix)
  const inverse = layout.inverseAt(matrix)
  const ridge = factorWithRidge(params, at, d, variance, params, inverse)
  if (ridge === Infinity) {
    usePooled(layout, params, matrix, variance)
    return true
  }
  addRidge(params, at, d, variance, ridge)
  params[layout.topAt(matrix)] =
    -0.5 * (d * LN_2PI + logDetFromCholesky(params, inverse, d)) - layout.logScales
  invertLower(params, inverse, d, params, inverse)
  return ridge > 0
}

/** Σ ← diag(v) */
function usePooled(layout: Layout, params: Float64Array, matrix: number, variance: Float64Array): void {
  const at = layout.covarianceAt(matrix)
  params.fill(0, at, at + layout.size)
  addRidge(params, at, layout.d, variance, 1)
  factorise(layout, params, matrix, variance)
}
