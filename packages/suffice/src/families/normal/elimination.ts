/** Elimination of the observed columns from Σ, and the conditional moments of one row: see conditioning.ts. */
import type { Block } from "../../contract/block.ts"
import { solveLower, triangle } from "../../kernels/triangle.ts"
import type { Layout } from "./layout.ts"
import { type Patterns, patterns as patternsOf } from "./patterns.ts"
import type { Picked } from "./picked.ts"
import { nextRidge } from "./ridge.ts"

/** Layout and scratch buffers; contents last for one call. */
export interface Elimination {
  readonly layout: Layout
  readonly picked: Picked
  readonly scratch: Patterns
  /** Columns of o, then of m. */
  readonly order: Int32Array
  /** Σ in the order (o, m), o eliminated. */
  readonly a: Float64Array
  readonly z: Float64Array
  /** x̂ in the order of the columns. */
  readonly filled: Float64Array
  readonly work: Float64Array
  readonly rest: Float64Array
  readonly restVariance: Float64Array
}

export function eliminationOf(layout: Layout, picked: Picked): Elimination {
  const { d, size, places } = layout
  return {
    layout,
    picked,
    scratch: patternsOf(places),
    order: new Int32Array(d),
    a: new Float64Array(size),
    z: new Float64Array(d),
    filled: new Float64Array(d),
    work: new Float64Array(2 * d),
    rest: new Float64Array(size),
    restVariance: new Float64Array(d),
  }
}

/**
 * Eliminate the first `seen` of the d columns of packed A in place: L in the first `seen` columns, and A_mm − L_mo L_moᵀ
 * in the others. `work`: scratch for 2d numbers. Returns 0, or 1 + k for the first column whose pivot is rounding error.
 */
export function eliminate(a: Float64Array, d: number, seen: number, work: Float64Array): number {
  for (let k = 0; k < seen; k++) work[d + k] = 1e-13 * a[triangle(k) + k]
  for (let k = 0; k < seen; k++) {
    const at = triangle(k) + k
    if (!(a[at] > work[d + k])) return 1 + k
    const root = Math.sqrt(a[at])
    a[at] = root
    for (let i = k + 1, row = triangle(k + 1); i < d; row += ++i) {
      const l = a[row + k] / root
      a[row + k] = l
      work[i] = l
      // a_ij −= l_ik l_jk
      for (let j = k + 1; j <= i; j++) a[row + j] -= l * work[j]
    }
  }
  return 0
}

/** Packed out[i,j] ← A[order[i], order[j]] over the first `count` of the order. */
function permute(a: Float64Array, at: number, order: Int32Array, count: number, out: Float64Array): void {
  let to = 0
  for (let i = 0; i < count; i++) {
    const p = order[i]
    const row = at + triangle(p)
    for (let j = 0; j <= i; j++) {
      const q = order[j]
      out[to++] = a[q <= p ? row + q : at + triangle(q) + p]
    }
  }
}

/** a ← Σ over the first `count` columns of the order, o eliminated. */
export function factorise(
  { layout, order, a, work }: Elimination,
  params: Float64Array,
  matrix: number,
  seen: number,
  count: number,
): void {
  // Σ_oo is positive definite up to rounding: hence the ridge
  for (let ridge = 0; ridge < 1e300; ridge = nextRidge(ridge)) {
    permute(params, layout.covarianceAt(matrix), order, count, a)
    for (let i = 0; i < count; i++) a[triangle(i) + i] *= 1 + ridge
    if (eliminate(a, count, seen, work) === 0) return
  }
}

/** z ← L_oo⁻¹ (x_o − μ_o) of one row. */
export function whiten(
  { layout, order, a, z }: Elimination,
  block: Block,
  row: number,
  params: Float64Array,
  meanAt: number,
  seen: number,
): void {
  const { places } = layout
  for (let k = 0; k < seen; k++) {
    const j = order[k]
    z[k] = (block.cells[places[j]] as Float64Array)[row] - params[meanAt + j]
  }
  solveLower(a, 0, seen, z, 0)
}

// Results go to arrays: a returned number may be boxed.

/** out[to] ← x̂ = μ_m + L_mo z of column order[i]. */
export function predict(
  { order, a, z }: Elimination,
  i: number,
  params: Float64Array,
  meanAt: number,
  seen: number,
  out: Float64Array,
  to: number,
): void {
  const at = triangle(i)
  let sum = params[meanAt + order[i]]
  for (let k = 0; k < seen; k++) sum += a[at + k] * z[k]
  out[to] = sum
}

/** filled ← x̂ of one row. */
export function fill(
  elimination: Elimination,
  block: Block,
  row: number,
  params: Float64Array,
  meanAt: number,
  seen: number,
): void {
  const { order, filled } = elimination
  const { places, d } = elimination.layout
  whiten(elimination, block, row, params, meanAt, seen)
  for (let k = 0; k < seen; k++) filled[order[k]] = (block.cells[places[order[k]]] as Float64Array)[row]
  for (let i = seen; i < d; i++) predict(elimination, i, params, meanAt, seen, filled, order[i])
}

/** stats += w (1, x̂, x̂x̂ᵀ), w = picked.weights[t]. */
export function addFilled(
  { layout, picked, filled }: Elimination,
  t: number,
  stats: Float64Array,
  sums: number,
  squares: number,
): void {
  const { d } = layout
  const w = picked.weights[t]
  stats[sums] += w
  for (let j = 0, to = squares; j < d; j++) {
    const wx = w * filled[j]
    stats[sums + 1 + j] += wx
    for (let k = 0; k <= j; k++) stats[to++] += wx * filled[k]
  }
}

/** stats += w · C; columns of m in ascending order. */
export function addSpread(
  { layout, order, a }: Elimination,
  w: number,
  seen: number,
  stats: Float64Array,
  squares: number,
): void {
  for (let i = seen; i < layout.d; i++) {
    const from = triangle(i)
    const to = squares + triangle(order[i])
    for (let j = seen; j <= i; j++) stats[to + order[j]] += w * a[from + j]
  }
}
