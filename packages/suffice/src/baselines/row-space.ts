/**
 * A table that is wider than it is long, in as many features as it has rows. Losses see a row only by x_i·w, and ½‖w‖² leaves nothing in w that is
 * orthogonal to all rows: the optimum depends on the rows only by their inner products. Any rows with the same ones give the same scores:
 *
 *     x_i·x_j = l_i·l_j        L·Lᵀ = X·Xᵀ   (Cholesky)        min over v of  ½‖v‖² + C Σ loss(l_i·v)  =  min over w of  ½‖w‖² + C Σ loss(x_i·w)
 *
 * The intercept stays a feature of its own. Whatever rows are taken, learned from or held out, have the same inner products still.
 */
import { type DesignMatrix, rowAdd, rowDot, sizeOf } from "./design-matrix.ts"

/** Is a row of as many numbers as there are rows shorter than it is now? */
export function isWiderThanLong({ rows, dense, indices }: DesignMatrix): boolean {
  return rows > 0 && rows < dense + indices.length / rows
}

/** L as a matrix of features, whose rows end at their own. Yields once per row, and per some rows of inner products. */
export function* inRowSpace(x: DesignMatrix): Generator<undefined, DesignMatrix, void> {
  const { rows, intercept } = x
  const values = yield* innerProducts(x)
  for (let i = 0; i < rows; i++) {
    const at = i * rows
    const square = values[at + i]
    // l_ij = ( x_i·x_j − Σ_m l_im l_jm ) / l_jj
    for (let j = 0; j <= i; j++) {
      const other = j * rows
      let left = values[at + j]
      let more = 0
      let m = 0
      for (; m + 1 < j; m += 2) {
        left -= values[at + m] * values[other + m]
        more -= values[at + m + 1] * values[other + m + 1]
      }
      if (m < j) left -= values[at + m] * values[other + m]
      left += more
      if (j < i) values[at + j] = values[other + j] > 0 ? left / values[other + j] : 0
      // a row that the rows before it span adds no direction
      else values[at + i] = left > ROUNDING * square ? Math.sqrt(left) : 0
    }
    yield
  }
  return {
    rows,
    dense: rows,
    values,
    ends: Int32Array.from({ length: rows }, (_, i) => Math.min(4 * Math.floor(i / 4 + 1), rows)),
    offsets: new Int32Array(rows + 1),
    indices: new Int32Array(0),
    counts: new Float64Array(0),
    width: rows,
    intercept,
  }
}

/** x_i·x_j for j ≤ i, without the intercept; 0 for the others. Two rows by four at a time: each number that is loaded is used several times. */
function* innerProducts(x: DesignMatrix): Generator<undefined, Float64Array, void> {
  const { rows, dense, values, width } = x
  const inner = { ...x, intercept: false }
  const out = new Float64Array(rows * rows)
  const row = new Float64Array(width)
  const alone = (i: number, from: number): void => {
    row.fill(0)
    rowAdd(inner, i, 1, row)
    for (let j = from; j <= i; j++) out[i * rows + j] = rowDot(inner, j, row)
  }
  for (let i = 0; i < rows; i++) {
    // what is sparse is no part of the pairs below
    const whole = x.indices.length > 0 || i + 1 >= rows ? 0 : 4 * Math.floor((i + 1) / 4)
    for (let j = 0; j < whole; j += 4) twoByFour(values, dense, i, j, out, rows)
    alone(i, whole)
    if (whole > 0) alone(++i, whole)
    yield
  }
  return out
}

/** Rows i and i + 1 by rows j … j + 3. */
function twoByFour(
  values: Float64Array,
  dense: number,
  i: number,
  j: number,
  out: Float64Array,
  rows: number,
): void {
  const a = i * dense
  const b = a + dense
  const c = j * dense
  const d = c + dense
  const e = d + dense
  const f = e + dense
  let ac = 0
  let ad = 0
  let ae = 0
  let af = 0
  let bc = 0
  let bd = 0
  let be = 0
  let bf = 0
  for (let t = 0; t < dense; t++) {
    const first = values[a + t]
    const second = values[b + t]
    const p = values[c + t]
    const q = values[d + t]
    const r = values[e + t]
    const s = values[f + t]
    ac += first * p
    ad += first * q
    ae += first * r
    af += first * s
    bc += second * p
    bd += second * q
    be += second * r
    bf += second * s
  }
  out.set([ac, ad, ae, af], i * rows + j)
  out.set([bc, bd, be, bf], (i + 1) * rows + j)
}

/**
 * The weights w of features that give the scores of v, the weights in row space, for k outputs. The optimum is a combination of rows:
 *
 *     w = Xᵀ·a        L·Lᵀ·a = X·Xᵀ·a = X·w = L·v        Lᵀ·a = v, from the last row to the first
 */
export function inFeatures(
  x: DesignMatrix,
  { values }: DesignMatrix,
  v: Float64Array,
  k: number,
): Float64Array {
  const { rows, width, intercept } = x
  const inner = { ...x, intercept: false }
  const w = new Float64Array(sizeOf(x) * k)
  const a = new Float64Array(rows)
  const sum = new Float64Array(width)
  for (let c = 0; c < k; c++) {
    for (let i = 0; i < rows; i++) a[i] = v[i * k + c]
    for (let i = rows - 1; i >= 0; i--) {
      const own = values[i * rows + i]
      a[i] = own > 0 ? a[i] / own : 0
      for (let j = 0; j < i; j++) a[j] -= a[i] * values[i * rows + j]
    }
    sum.fill(0)
    for (let i = 0; i < rows; i++) rowAdd(inner, i, a[i], sum)
    for (let j = 0; j < width; j++) w[j * k + c] = sum[j]
    if (intercept) w[width * k + c] = v[rows * k + c]
  }
  return w
}

/** The relative rounding error of an inner product, and some more. */
const ROUNDING = 1e-12
