/**
 * Slots with one Σ differ by a linear function of x: what is quadratic in ln p(x | μ_p, Σ) is the same for all of them.
 *
 *     ln p(x | μ_p, Σ) = b_p + w_p·x + (what no slot has for its own)        w_p = Σ⁻¹μ_p        b_p = −½ μ_pᵀ Σ⁻¹ μ_p
 *
 * A posterior of the slots needs no more (Gaussian discriminant analysis is logistic regression), at d products a slot instead of d²/2.
 */
import { whiten } from "../../kernels/dense-scores.ts"
import { triangle } from "../../kernels/triangle.ts"
import type { Layout } from "./layout.ts"

/**
 * Σ|w_j| up to which a score by lines is as good as one by distances: near a singular Σ they are differences of large products, and rounding
 * errors grow with 1/σ² instead of 1/σ.
 */
const STEEPEST = 1000

/** Fills in the lines from μ and L⁻¹. */
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

/** Can slots be told apart by their lines? */
export function hasLines({ share, linesAt }: Layout, params: Float64Array): boolean {
  return share > 1 && params[linesAt] <= STEEPEST
}
