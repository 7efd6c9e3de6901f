/** Σ_p n_p ln(density at μ_p) − ½ tr Σ⁻¹ ( Σwxxᵀ − Σ_p (μ_p s_pᵀ + s_p μ_pᵀ − n_p μ_p μ_pᵀ) ),   s_p = Σwx */
import type { Layout } from "./layout.ts"

/** `work`: scratch buffer for a packed matrix. */
export function denseValue(
  layout: Layout,
  stats: Float64Array,
  params: Float64Array,
  work: Float64Array,
): number {
  const { d, size, matrices, share } = layout
  let total = 0
  for (let matrix = 0; matrix < matrices; matrix++) {
    const squares = layout.squaresAt(matrix)
    for (let j = 0; j < size; j++) work[j] = stats[squares + j]
    for (let p = matrix * share; p < (matrix + 1) * share; p++) {
      const sums = layout.sumsAt(p)
      const mean = layout.meanAt(p)
      const n = stats[sums]
      total += n * params[layout.topAt(matrix)]
      for (let j = 0, to = 0; j < d; j++) {
        const mu = params[mean + j]
        const s = stats[sums + 1 + j]
        // − μ_j s_k − s_j μ_k + n μ_j μ_k
        for (let k = 0; k <= j; k++) {
          work[to++] += (n * mu - s) * params[mean + k] - mu * stats[sums + 1 + k]
        }
      }
    }
    total -= 0.5 * trace(layout, params, matrix, work)
  }
  return total
}

/** tr Σ⁻¹M = Σ_k (row k of L⁻¹) M (row k of L⁻¹)ᵀ, for packed M. */
function trace(layout: Layout, params: Float64Array, matrix: number, m: Float64Array): number {
  const { d } = layout
  let total = 0
  for (let k = 0, row = layout.inverseAt(matrix); k < d; row += ++k) {
    for (let i = 0, at = 0; i <= k; i++) {
      let sum = 0 // Σ_{j<i} M_ij v_j counts twice: M is symmetric
      for (let j = 0; j < i; j++) sum += m[at++] * params[row + j]
      total += params[row + i] * (2 * sum + m[at++] * params[row + i])
    }
  }
  return total
}
