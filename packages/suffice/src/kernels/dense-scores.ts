/**
 * Scores of complete rows under normals with full matrices: whitening, the inner loop of mixtures and discriminants.
 *
 *     out[p,i] += top_p − ½ |L_p⁻¹ (x_i − μ_p)|²
 *     params    slot by slot μ (d);            then matrix by matrix Σ, L⁻¹ (packed triangles), top
 *
 * `share` slots have one matrix in common: 1, or all of them. Column j of the rows is x[j].
 * Sums stay in registers: a tile of 2 × 4 of them uses every number it loads several times. A row's score does not depend on which
 * rows lie beside it, and the twin in wasm adds in the same order, so both have the same bits.
 */
import { triangle } from "./triangle.ts"

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
  const width = 2 * size + 1
  const tiles = tile(x, rows, d)
  for (let p = 0; p < slots; p++) {
    const at = slots * d + (share === 1 ? p : 0) * width
    if (share === 1) {
      whitenTiles(tiles, d, params, at + size, params, p * d)
      squareTiles(tiles, d, zeros, 0)
    } else {
      // z = L⁻¹x once per row, whatever the number of slots; then z − L⁻¹μ_p
      if (p === 0) whitenTiles(tiles, d, params, at + size, zeros, 0)
      whiteMean(params, at + size, p * d, d, centre)
      squareTiles(tiles, d, centre, 0)
    }
    const top = params[at + 2 * size]
    for (let i = 0; i < rows; i++) out[p * rows + i] += top - 0.5 * squares[i]
  }
}

/** to ← L⁻¹μ */
function whiteMean(params: Float64Array, inverse: number, mean: number, d: number, to: Float64Array): void {
  for (let k = 0, row = inverse; k < d; row += ++k) {
    let sum = 0
    for (let j = 0; j <= k; j++) sum += params[row + j] * params[mean + j]
    to[k] = sum
  }
}

/** Rows that lie side by side: column j of row r of a tile is entry j·LANES + r. */
const LANES = 4

let xs = new Float64Array(0) // x, tile by tile
let z = new Float64Array(0) // L⁻¹(x − centre), tile by tile
let squares = new Float64Array(0) // |z − centre|², row by row
let work = new Float64Array(0) // one tile
let zeros = new Float64Array(0)
let centre = new Float64Array(0)

/** Copies the rows into tiles; returns how many tiles. */
function tile(x: readonly Float64Array[], rows: number, d: number): number {
  const tiles = Math.ceil(rows / LANES)
  if (xs.length < tiles * LANES * d) {
    xs = new Float64Array(tiles * LANES * d)
    z = new Float64Array(tiles * LANES * d)
  }
  if (squares.length < tiles * LANES) squares = new Float64Array(tiles * LANES)
  if (zeros.length < d) {
    work = new Float64Array(d * LANES)
    zeros = new Float64Array(d)
    centre = new Float64Array(d)
  }
  for (let j = 0; j < d; j++) {
    const cells = x[j]
    for (let i = 0; i < rows; i++) xs[(i & -LANES) * d + j * LANES + (i & (LANES - 1))] = cells[i]
  }
  return tiles
}

/** z ← L⁻¹ (x − mean), tile by tile. */
function whitenTiles(
  tiles: number,
  d: number,
  inverse: Float64Array,
  inverseAt: number,
  mean: Float64Array,
  meanAt: number,
): void {
  for (let t = 0; t < tiles; t++) {
    const from = t * d * LANES
    for (let j = 0, c = 0; j < d; j++, c += LANES) {
      const m = mean[meanAt + j]
      work[c] = xs[from + c] - m
      work[c + 1] = xs[from + c + 1] - m
      work[c + 2] = xs[from + c + 2] - m
      work[c + 3] = xs[from + c + 3] - m
    }
    whiten(inverse, inverseAt, d, from)
  }
}

/** z ← L⁻¹ x for the four rows of the tile in `work`. */
function whiten(inverse: Float64Array, at: number, d: number, zAt: number): void {
  let k = 0
  let u = at // row k of L⁻¹
  for (; k + 1 < d; k += 2) {
    const v = u + k + 1 // row k + 1
    let u0 = 0
    let u1 = 0
    let u2 = 0
    let u3 = 0
    let v0 = 0
    let v1 = 0
    let v2 = 0
    let v3 = 0
    let c = 0
    for (let j = 0; j <= k; j++) {
      const a = inverse[u + j]
      const b = inverse[v + j]
      const x0 = work[c]
      const x1 = work[c + 1]
      const x2 = work[c + 2]
      const x3 = work[c + 3]
      u0 += a * x0
      u1 += a * x1
      u2 += a * x2
      u3 += a * x3
      v0 += b * x0
      v1 += b * x1
      v2 += b * x2
      v3 += b * x3
      c += LANES
    }
    const b = inverse[v + k + 1]
    const to = zAt + k * LANES
    z[to] = u0
    z[to + 1] = u1
    z[to + 2] = u2
    z[to + 3] = u3
    z[to + 4] = v0 + b * work[c]
    z[to + 5] = v1 + b * work[c + 1]
    z[to + 6] = v2 + b * work[c + 2]
    z[to + 7] = v3 + b * work[c + 3]
    u = v + k + 2
  }
  if (k === d) return
  for (let r = 0; r < LANES; r++) {
    let sum = 0
    for (let j = 0; j < d; j++) sum += inverse[u + j] * work[j * LANES + r]
    z[zAt + k * LANES + r] = sum
  }
}

/** squares[row] ← |z − centre|², tile by tile. */
function squareTiles(tiles: number, d: number, from: Float64Array, at: number): void {
  let c = 0
  for (let t = 0; t < tiles * LANES; t += LANES) {
    let q0 = 0
    let q1 = 0
    let q2 = 0
    let q3 = 0
    for (let k = 0; k < d; k++) {
      const m = from[at + k]
      const z0 = z[c] - m
      const z1 = z[c + 1] - m
      const z2 = z[c + 2] - m
      const z3 = z[c + 3] - m
      q0 += z0 * z0
      q1 += z1 * z1
      q2 += z2 * z2
      q3 += z3 * z3
      c += LANES
    }
    squares[t] = q0
    squares[t + 1] = q1
    squares[t + 2] = q2
    squares[t + 3] = q3
  }
}
