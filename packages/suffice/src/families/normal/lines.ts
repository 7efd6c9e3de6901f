/**
 * Log-densities of slots that share Σ differ by a linear function of x: their quadratic terms are equal.
 *
 *     ln p(x | μ_p, Σ) = b_p + w_p·x + (the same for all slots)        w_p = Σ⁻¹μ_p        b_p = −½ μ_pᵀ Σ⁻¹ μ_p
 *
 * That is enough for a posterior over the slots (linear discriminant analysis), with d products per slot instead of d²/2.
 */
import { whiten } from "../../kernels/dense-scores.ts"
import { triangle } from "../../kernels/triangle.ts"
import type { Layout } from "./layout.ts"

/**
 * The largest Σ_j |w_j| for which lines are as accurate as distances. If Σ is nearly singular, they are differences of large products, and rounding
 * errors grow with 1/σ² instead of 1/σ.
 */
const STEEPEST = 1000

/** Computes b_p and w_p from μ and L⁻¹. */
export function drawLines({ d, slots, linesAt, inverseAt, meanAt }: Layout, params: Float64Array): void {
  const inverse = inverseAt(0)
  const white = new Float64Array(d) // L⁻¹μ
  let steepest = 0
  for (let p = 0; p < slots; p++) {
    const at = linesAt + 1 + p * (1 + d)
    whiten(params, inverse, d, params, meanAt(p), white, 0)
    let square = 0
    let steepness = 0
    for (let j = 0; j < d; j++) {
      square += white[j] * white[j]
      let sum = 0 // L⁻ᵀ (L⁻¹μ)
      for (let k = j; k < d; k++) sum += params[inverse + triangle(k) + j] * white[k]
      params[at + 1 + j] = sum
      steepness += Math.abs(sum)
    }
    params[at] = -0.5 * square
    steepest = Math.max(steepest, steepness)
  }
  params[linesAt] = steepest
}

/** Are the lines accurate enough? */
export function hasLines({ share, linesAt }: Layout, params: Float64Array): boolean {
  return share > 1 && params[linesAt] <= STEEPEST
}
