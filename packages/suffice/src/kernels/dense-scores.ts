/**
 * Scores of complete rows under normals with full matrices: whitening, the inner loop of mixtures and discriminants.
 *
 *     out[p,i] += top_p − ½ |L_p⁻¹ (x_i − μ_p)|²
 *     params    slot by slot μ (d);            then matrix by matrix Σ, L⁻¹ (packed triangles), top
 *
 * `share` slots have one matrix in common: 1, or all of them. Column j of the rows is x[j].
 * A row's score does not depend on the other rows, and the fast twin adds in the same order, so both have the same bits.
 */
import { triangle } from "./triangle.ts"
import { grow } from "./workspace.ts"

const row = /* @__PURE__ */ grow()
const white = /* @__PURE__ */ grow()
const centred = /* @__PURE__ */ grow()

export function scoreDense(
  x: readonly Float64Array[],
  rows: number,
  d: number,
  slots: number,
  share: number,
  params: Float64Array,
  out: Float64Array,
): void {
  const size = triangle(d)
  const own = share === 1
  const matrices = slots * d
  const xs = row(d)
  const z = white(d)
  // L⁻¹μ_p of a common matrix: then L⁻¹x is computed once for a row, and |L⁻¹x − L⁻¹μ_p|² for each slot
  const centres = centred(own ? 0 : slots * d)
  for (let p = 0; p < centres.length / d; p++)
    whiten(params, matrices + size, d, params, p * d, centres, p * d)
  for (let i = 0; i < rows; i++) {
    for (let p = 0; p < slots; p++) {
      const at = matrices + (own ? p * (2 * size + 1) : 0)
      if (own || p === 0) {
        for (let j = 0; j < d; j++) xs[j] = own ? x[j][i] - params[p * d + j] : x[j][i]
        whiten(params, at + size, d, xs, 0, z, 0)
      }
      let square = 0
      for (let k = 0; k < d; k++) {
        const e = own ? z[k] : z[k] - centres[p * d + k]
        square += e * e
      }
      out[p * rows + i] += params[at + 2 * size] - 0.5 * square
    }
  }
}

/** out[p,i] += b_p + w_p·x_i        slot by slot b, w (d), from `lines` on */
export function scoreLines(
  x: readonly Float64Array[],
  rows: number,
  d: number,
  slots: number,
  params: Float64Array,
  lines: number,
  out: Float64Array,
): void {
  for (let p = 0; p < slots; p++) {
    const at = lines + p * (d + 1)
    for (let i = 0; i < rows; i++) {
      let sum = params[at]
      for (let j = 0; j < d; j++) sum += params[at + 1 + j] * x[j][i]
      out[p * rows + i] += sum
    }
  }
}

/** to ← L⁻¹v; two rows of L⁻¹ at a time, as independent sums. */
export function whiten(
  inverse: Float64Array,
  at: number,
  d: number,
  v: Float64Array,
  from: number,
  to: Float64Array,
  toAt: number,
): void {
  let upper = at
  for (let k = 0; k < d; k += 2) {
    const lower = upper + k + 1
    let a = 0
    let b = 0
    for (let j = 0; j <= k; j++) {
      a += inverse[upper + j] * v[from + j]
      b += inverse[lower + j] * v[from + j]
    }
    to[toAt + k] = a
    if (k + 1 < d) to[toAt + k + 1] = b + inverse[lower + k + 1] * v[from + k + 1]
    upper = lower + k + 2
  }
}
