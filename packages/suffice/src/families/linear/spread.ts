/**
 * The spread of a regression within slots: the variance of y around its line, the variances of x, and a common slope.
 *
 *     v    variance of the residuals (within.ts), with f_p = max(n_p − 1 − d, 0)
 *     u_j  variance of x_j, t = v / (that of y)
 *     β₀   = ( Σ_p s_p C_p )⁻¹ Σ_p s_p c_p, C_p and c_p the scatter of x and of x with y in slot p, a little more on the diagonal,
 *          s_p = v / (v + v_p), v_p its own residual variance
 *
 *     pseudo-rows: around the means of the slot, cov(x) = t·diag(u), y on the line with slope β₀, with variance v
 *
 * So a line keeps its intercept, and its slope is shrunk towards β₀ in proportion to v: if x explains much of y, t is small.
 */
import { solveLower, solveUpper, triangle } from "../../kernels/triangle.ts"
import { factorWithRidge } from "../normal/ridge.ts"
import { rowsOfPrior, squaresLeft, withinSlots } from "../within.ts"

/** The layout of the spread of a leaf that reads d columns. */
export interface LinearSpread {
  /** Its length. */
  readonly length: number
  /** Where β₀ begins. */
  readonly slope: number
  /** spread ← V(stats), stats in counts; `own` and `given` are the pooled variances of y and x. */
  of(stats: Float64Array, slots: number, spread: Float64Array): Float64Array
}

/** The places of v, t and u; β₀ follows u. */
export const RESIDUAL = 0
export const TIGHTNESS = 1
export const GIVEN = 2

export function linearSpread(d: number, own: number, pooled: Float64Array): LinearSpread {
  const size = triangle(d + 2)
  const slope = GIVEN + d
  // of one slot: the scatter of x (packed), of x with y, and of y
  const scatter = new Float64Array(triangle(d))
  const along = new Float64Array(d)
  const factor = new Float64Array(triangle(d))

  /** Computes `scatter` and `along` of a slot; returns the scatter of y. */
  function open(stats: Float64Array, slot: number): number {
    const from = slot * size
    const n = stats[from]
    // z = (1, x, y)
    const around = (j: number, k: number): number =>
      stats[from + triangle(j) + k] - (stats[from + triangle(j)] / n) * stats[from + triangle(k)]
    for (let j = 0; j < d; j++) {
      for (let k = 0; k <= j; k++) scatter[triangle(j) + k] = around(j + 1, k + 1)
      along[j] = around(d + 1, j + 1)
    }
    return around(d + 1, d + 1)
  }

  const squaresOf = (stats: Float64Array, slot: number, j: number): number =>
    stats[slot * size + triangle(j) + j]

  /** Least squares: along ← the slope; returns the scatter of y that it explains. */
  function regress(rows: number, spread: Float64Array): number {
    for (let j = 0; j < scatter.length; j++) scatter[j] /= rows
    for (let j = 0; j < d; j++) along[j] /= rows
    if (factorWithRidge(scatter, 0, d, spread.subarray(GIVEN, slope), factor, 0) === Infinity) {
      along.fill(0)
      return 0
    }
    // c = L a, β·c = |a|²
    solveLower(factor, 0, d, along, 0)
    const explained = along.reduce((sum, a) => sum + a * a, 0)
    solveUpper(factor, 0, d, along, 0)
    return rows * explained
  }

  return {
    length: slope + d,
    slope,
    of(stats, slots, spread) {
      const used = Array.from({ length: slots }, (_, p) => p).filter(p => stats[p * size] > 0)
      const freedom = Float64Array.from(used, p => Math.max(stats[p * size] - 1, 0))
      const ofX = Array.from({ length: d }, () => new Float64Array(used.length))
      const ofY = new Float64Array(used.length)
      used.forEach((p, u) => {
        const square = squaresOf(stats, p, d + 1)
        ofY[u] = squaresLeft(square, square - open(stats, p))
        for (let j = 0; j < d; j++) {
          const squares = squaresOf(stats, p, j + 1)
          ofX[j][u] = squaresLeft(squares, squares - scatter[triangle(j) + j])
        }
      })
      for (let j = 0; j < d; j++) spread[GIVEN + j] = withinSlots(ofX[j], freedom, pooled[j])

      const left = freedom.map(f => Math.max(f - d, 0))
      const residuals = Float64Array.from(used, p => {
        const square = squaresOf(stats, p, d + 1)
        return squaresLeft(square, square - open(stats, p) + regress(stats[p * size], spread))
      })
      const total = withinSlots(ofY, freedom, own)
      const residual = Math.min(withinSlots(residuals, left, own), total)
      spread[RESIDUAL] = residual
      spread[TIGHTNESS] = residual / total

      // a slot with a large residual variance counts less, so that its outliers do not bend the common line
      const isTold = left.some(f => f >= 1)
      const shares = left.map((f, u) => {
        if (!isTold) return 1
        return f >= 1 ? residual / (residual + residuals[u] / f) : 0
      })
      const all = { scatter: new Float64Array(triangle(d)), along: new Float64Array(d) }
      let rows = 0
      used.forEach((p, u) => {
        open(stats, p)
        for (let j = 0; j < scatter.length; j++) all.scatter[j] += shares[u] * scatter[j]
        for (let j = 0; j < d; j++) all.along[j] += shares[u] * along[j]
        rows += shares[u] * freedom[u]
      })
      rows = Math.max(rows, 1)
      scatter.set(all.scatter)
      along.set(all.along)
      for (let j = 0; j < d; j++) scatter[triangle(j) + j] *= 1 + rowsOfPrior(1, 1) / rows
      regress(rows, spread)
      spread.set(along, slope)
      return spread
    },
  }
}
