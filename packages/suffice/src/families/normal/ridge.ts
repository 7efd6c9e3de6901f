/** Factoring a covariance that may be degenerate: constant or collinear columns, fewer rows than columns. */
import { cholesky, triangle } from "../../kernels/triangle.ts"
import { FLOOR } from "./columns.ts"

/**
 * Packed A + ridge · diag(variance) = LLᵀ into `l`, with the smallest ridge of 0, 1e-9, 1e-8 … that leaves every pivot
 * (the variance of a column given those before it) above ½ · 1e-9 of the column's own. Returns the ridge; Infinity if none did.
 */
export function factorWithRidge(
  a: Float64Array,
  at: number,
  d: number,
  variance: Float64Array,
  l: Float64Array,
  lAt: number,
): number {
  for (let ridge = 0; ridge < 1e12; ridge = nextRidge(ridge)) {
    for (let j = 0; j < triangle(d); j++) l[lAt + j] = a[at + j]
    addRidge(l, lAt, d, variance, ridge)
    if (factorsPlainly(l, lAt, d, variance)) return ridge
  }
  return Infinity
}

/** A = LLᵀ in place, without a ridge; false if that would need one. */
export function factorsPlainly(a: Float64Array, at: number, d: number, variance: Float64Array): boolean {
  return cholesky(a, at, d) === 0 && !degenerate(a, at, d, variance)
}

/** A += ridge · diag(variance) */
export function addRidge(
  a: Float64Array,
  at: number,
  d: number,
  variance: Float64Array,
  ridge: number,
): void {
  for (let j = 0; j < d; j++) a[at + triangle(j) + j] += ridge * variance[j]
}

export function nextRidge(ridge: number): number {
  return ridge === 0 ? FLOOR : ridge * 10
}

// ½: a singular matrix with a ridge of FLOOR has pivots of at least FLOOR, give or take rounding
function degenerate(l: Float64Array, at: number, d: number, variance: Float64Array): boolean {
  for (let j = 0; j < d; j++) {
    const root = l[at + triangle(j) + j]
    if (root * root < 0.5 * FLOOR * variance[j]) return true
  }
  return false
}
