/**
 * The inner loops of complete rows. Sums stay in registers: a tile of 2 × 4 of them uses every number it
 * loads several times. A row's own sums do not depend on which rows lie beside it.
 */

/** Rows that lie side by side: column j of row r of a tile is entry j·LANES + r. */
export const LANES = 4

/** z ← L⁻¹ (x − centre), tile by tile; `work` holds one tile. */
export function whitenTiles(
  x: Float64Array,
  tiles: number,
  d: number,
  inverse: Float64Array,
  inverseAt: number,
  centre: Float64Array,
  centreAt: number,
  work: Float64Array,
  z: Float64Array,
): void {
  const length = d * LANES
  for (let t = 0; t < tiles; t++) {
    const from = t * length
    for (let j = 0, c = 0; j < d; j++, c += LANES) {
      const m = centre[centreAt + j]
      work[c] = x[from + c] - m
      work[c + 1] = x[from + c + 1] - m
      work[c + 2] = x[from + c + 2] - m
      work[c + 3] = x[from + c + 3] - m
    }
    whiten(inverse, inverseAt, d, work, z, from)
  }
}

/** z ← L⁻¹ x for the four rows of a tile. */
function whiten(
  inverse: Float64Array,
  at: number,
  d: number,
  x: Float64Array,
  z: Float64Array,
  zAt: number,
): void {
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
      const x0 = x[c]
      const x1 = x[c + 1]
      const x2 = x[c + 2]
      const x3 = x[c + 3]
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
    z[to + 4] = v0 + b * x[c]
    z[to + 5] = v1 + b * x[c + 1]
    z[to + 6] = v2 + b * x[c + 2]
    z[to + 7] = v3 + b * x[c + 3]
    u = v + k + 2
  }
  if (k === d) return
  for (let r = 0; r < LANES; r++) {
    let sum = 0
    for (let j = 0; j < d; j++) sum += inverse[u + j] * x[j * LANES + r]
    z[zAt + k * LANES + r] = sum
  }
}

/** squares[row] ← |z − centre|², tile by tile. */
export function squareTiles(
  z: Float64Array,
  tiles: number,
  d: number,
  centre: Float64Array,
  at: number,
  squares: Float64Array,
): void {
  let c = 0
  for (let t = 0; t < tiles * LANES; t += LANES) {
    let q0 = 0
    let q1 = 0
    let q2 = 0
    let q3 = 0
    for (let k = 0; k < d; k++) {
      const m = centre[at + k]
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

/** Room beyond the last column that `addSquares` may read, in columns. */
export const MARGIN = 3

/**
 * Packed stats[j,k] += Σ_i wx[j,i] · x[k,i], k ≤ j. Column j of x and wx is [j·rows, (j + 1)·rows); MARGIN columns more
 * are there, whatever finite numbers they hold.
 */
export function addSquares(
  x: Float64Array,
  wx: Float64Array,
  d: number,
  rows: number,
  stats: Float64Array,
  at: number,
): void {
  for (let j = 0; j < d; j += 4) {
    const last = Math.min(j + 3, d - 1)
    for (let k = 0; k <= last; k += 2) {
      let a0 = 0
      let a1 = 0
      let b0 = 0
      let b1 = 0
      let c0 = 0
      let c1 = 0
      let d0 = 0
      let d1 = 0
      const a = j * rows
      const b = a + rows
      const c = b + rows
      const e = c + rows
      const from = k * rows
      const next = from + rows
      for (let i = 0; i < rows; i++) {
        const x0 = x[from + i]
        const x1 = x[next + i]
        const wa = wx[a + i]
        const wb = wx[b + i]
        const wc = wx[c + i]
        const wd = wx[e + i]
        a0 += wa * x0
        a1 += wa * x1
        b0 += wb * x0
        b1 += wb * x1
        c0 += wc * x0
        c1 += wc * x1
        d0 += wd * x0
        d1 += wd * x1
      }
      put(stats, at, d, j, k, a0, a1)
      put(stats, at, d, j + 1, k, b0, b1)
      put(stats, at, d, j + 2, k, c0, c1)
      put(stats, at, d, j + 3, k, d0, d1)
    }
  }
}

/** Entries (j, k) and (j, k + 1) of the tile, where they lie in the triangle. */
function put(
  stats: Float64Array,
  at: number,
  d: number,
  j: number,
  k: number,
  first: number,
  second: number,
): void {
  if (j >= d) return
  const row = at + (j * (j + 1)) / 2
  if (k <= j) stats[row + k] += first
  if (k < j) stats[row + k + 1] += second
}
