/**
 * Rows of normals with uncorrelated columns; a missing cell (NaN) is skipped.
 *
 *     score     out[p,i] += Σ_j top_pj − Σ_j ½ (x_ij − μ_pj)² / σ²_pj        over the columns j that were seen
 *     absorb    stats_p,j += Σ_i w[p,i] (1, x_ij, x_ij²)                     over the rows i in which column j is seen
 *
 *     params    slot by slot μ (d), 1/σ² (v), top (v)          v = d variances, or one that all columns share
 *     stats     slot by slot Σw (d), Σwx (d), Σwx² (v)
 *
 * Column j of the rows is x[j]; its variance has number j·step, `step` being 1 or 0.
 * Even and odd rows are summed separately and added at the end: so the fast twin has the same bits.
 */

export function scoreDiagonal(
  x: readonly Float64Array[],
  rows: number,
  d: number,
  slots: number,
  step: number,
  params: Float64Array,
  out: Float64Array,
): void {
  const variances = step === 1 ? d : 1
  const reach = d + 2 * variances
  if (distance.length < rows) {
    distance = new Float64Array(rows)
    height = new Float64Array(rows)
  }
  const q = distance
  const t = height
  for (let p = 0; p < slots; p++) {
    q.fill(0, 0, rows)
    t.fill(0, 0, rows)
    for (let j = 0; j < d; j++) {
      const cells = x[j]
      const mean = params[p * reach + j]
      const half = 0.5 * params[p * reach + d + j * step]
      const top = params[p * reach + d + variances + j * step]
      for (let i = 0; i < rows; i++) {
        const c = cells[i] - mean
        if (c !== c) continue
        q[i] += half * c * c
        t[i] += top
      }
    }
    for (let i = 0; i < rows; i++) out[p * rows + i] += t[i] - q[i]
  }
}

let distance = new Float64Array(0)
let height = new Float64Array(0)

/** The weights of slot p: weights[p·rows + i]. */
export function absorbDiagonal(
  x: readonly Float64Array[],
  rows: number,
  d: number,
  slots: number,
  step: number,
  weights: Float64Array,
  stats: Float64Array,
): void {
  const width = 2 * d + (step === 1 ? d : 1)
  for (let p = 0; p < slots; p++) {
    for (let j = 0; j < d; j++) {
      const cells = x[j]
      const from = p * rows
      let n0 = 0
      let n1 = 0
      let sum0 = 0
      let sum1 = 0
      let square0 = 0
      let square1 = 0
      for (let i = 0; i < rows; i += 2) {
        const a = cells[i]
        if (a === a) {
          const w = weights[from + i]
          const wx = w * a
          n0 += w
          sum0 += wx
          square0 += wx * a
        }
        const b = i + 1 < rows ? cells[i + 1] : NaN
        if (b === b) {
          const w = weights[from + i + 1]
          const wx = w * b
          n1 += w
          sum1 += wx
          square1 += wx * b
        }
      }
      const at = p * width
      stats[at + j] += n0 + n1
      stats[at + d + j] += sum0 + sum1
      stats[at + 2 * d + j * step] += square0 + square1
    }
  }
}
