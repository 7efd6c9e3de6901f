// Symmetric and triangular matrices as packed lower triangles, row by row: (i, j ≤ i) at i (i + 1) / 2 + j.
// Every function takes an offset, so that many triangles can live in one array.

import { log } from "./log.ts"

/** A pivot below this fraction of the diagonal entry it came from is rounding error, not information. */
const SMALLEST_PIVOT = 1e-13

/** The number of entries of a packed d × d triangle: d (d + 1) / 2. */
export function triangle(d: number): number {
  return (d * (d + 1)) / 2
}

/**
 * A = L Lᵀ in place: packed symmetric A in, packed L out.
 * Returns 0, or 1 + i for the first row i whose pivot a_ii − Σ_j l_ij² is not finite or is ≤ 1e-13 · a_ii;
 * rows before i then hold L, and row i is left part way.
 */
export function cholesky(a: Float64Array, offset: number, d: number): number {
  for (let i = 0, row = offset; i < d; row += ++i) {
    // l_ij = (a_ij − Σ_{k<j} l_ik l_jk) / l_jj
    for (let j = 0, other = offset; j < i; other += ++j) {
      let sum = a[row + j]
      for (let k = 0; k < j; k++) sum -= a[row + k] * a[other + k]
      a[row + j] = sum / a[other + j]
    }
    // l_ii² = a_ii − Σ_{k<i} l_ik²
    let pivot = a[row + i]
    const smallest = SMALLEST_PIVOT * pivot
    for (let k = 0; k < i; k++) pivot -= a[row + k] * a[row + k]
    if (!(pivot > smallest && pivot < Infinity)) return 1 + i
    a[row + i] = Math.sqrt(pivot)
  }
  return 0
}

/** Packed L⁻¹ into `out`, which may be `l` itself at the same offset. */
export function invertLower(
  l: Float64Array,
  offset: number,
  d: number,
  out: Float64Array,
  outOffset: number,
): void {
  for (let i = 0, row = 0; i < d; row += ++i) {
    const inverse = 1 / l[offset + row + i]
    // (L⁻¹)_ij = −(1 / l_ii) Σ_{j≤k<i} l_ik (L⁻¹)_kj; column j of row i is read last when it is written
    for (let j = 0; j < i; j++) {
      let sum = 0
      for (let k = j, at = triangle(j) + j; k < i; at += ++k) sum += l[offset + row + k] * out[outOffset + at]
      out[outOffset + row + j] = -sum * inverse
    }
    out[outOffset + row + i] = inverse
  }
}

/** x ← L⁻¹ x, forward substitution in place. */
export function solveLower(
  l: Float64Array,
  offset: number,
  d: number,
  x: Float64Array,
  xOffset: number,
): void {
  for (let i = 0, row = offset; i < d; row += ++i) {
    let sum = x[xOffset + i]
    for (let j = 0; j < i; j++) sum -= l[row + j] * x[xOffset + j]
    x[xOffset + i] = sum / l[row + i]
  }
}

/** x ← L⁻ᵀ x, back substitution in place. */
export function solveUpper(
  l: Float64Array,
  offset: number,
  d: number,
  x: Float64Array,
  xOffset: number,
): void {
  for (let i = d - 1; i >= 0; i--) {
    const row = offset + triangle(i)
    const solved = x[xOffset + i] / l[row + i]
    x[xOffset + i] = solved
    for (let j = 0; j < i; j++) x[xOffset + j] -= l[row + j] * solved
  }
}

/** Packed d × d: a += w · v vᵀ */
export function addOuter(
  d: number,
  a: Float64Array,
  at: number,
  w: number,
  v: Float64Array,
  vAt: number,
): void {
  for (let j = 0, to = at; j < d; j++) {
    const wv = w * v[vAt + j]
    for (let k = 0; k <= j; k++) a[to++] += wv * v[vAt + k]
  }
}

/** ln |A| = 2 Σ_i ln l_ii, from A = L Lᵀ. */
export function logDetFromCholesky(l: Float64Array, offset: number, d: number): number {
  let sum = 0
  for (let i = 0; i < d; i++) sum += log(l[offset + triangle(i) + i])
  return 2 * sum
}
