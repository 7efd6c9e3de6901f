/**
 * The rows a linear classifier learns from, and the four products it needs of them. Standardised numbers are dense, which
 * needs no indices; levels and words are sparse. An intercept is one more feature, the last, which is always 1.
 *
 *     x_i = ( dense_i | sparse_i | 1 )        scores = X·w        gradients = Xᵀ·q
 *
 * Weights of several outputs are stored feature by feature, w[f·k + c], so that the k weights of a word are adjacent.
 */
export interface DesignMatrix {
  readonly rows: number
  /** Features 0 … dense − 1 are stored row by row. */
  readonly dense: number
  readonly values: Float64Array
  /** The other features of row i: indices and values in [offsets[i], offsets[i + 1]). */
  readonly offsets: Int32Array
  readonly indices: Int32Array
  readonly counts: Float64Array
  /** All features, without the intercept. */
  readonly width: number
  readonly intercept: boolean
}

/** The number of weights per output. */
export function sizeOf({ width, intercept }: DesignMatrix): number {
  return intercept ? width + 1 : width
}

/** x_i·w */
export function rowDot(x: DesignMatrix, i: number, w: Float64Array): number {
  const { dense, values, offsets, indices, counts } = x
  let sum = x.intercept ? w[x.width] : 0
  for (let j = 0, at = i * dense; j < dense; j++, at++) sum += values[at] * w[j]
  for (let t = offsets[i], end = offsets[i + 1]; t < end; t++) sum += counts[t] * w[indices[t]]
  return sum
}

/** out += factor·x_i */
export function rowAdd(x: DesignMatrix, i: number, factor: number, out: Float64Array): void {
  const { dense, values, offsets, indices, counts } = x
  for (let j = 0, at = i * dense; j < dense; j++, at++) out[j] += factor * values[at]
  for (let t = offsets[i], end = offsets[i + 1]; t < end; t++) out[indices[t]] += factor * counts[t]
  if (x.intercept) out[x.width] += factor
}

/** out[c] ← x_i·w_c for k outputs */
export function rowScores(x: DesignMatrix, i: number, w: Float64Array, k: number, out: Float64Array): void {
  const { dense, values, offsets, indices, counts, width } = x
  for (let c = 0; c < k; c++) out[c] = x.intercept ? w[width * k + c] : 0
  for (let j = 0, at = i * dense, from = 0; j < dense; j++, at++, from += k) {
    const value = values[at]
    for (let c = 0; c < k; c++) out[c] += value * w[from + c]
  }
  for (let t = offsets[i], end = offsets[i + 1]; t < end; t++) {
    const value = counts[t]
    const from = indices[t] * k
    for (let c = 0; c < k; c++) out[c] += value * w[from + c]
  }
}

/** out[f·k + c] += x_if·q[c] for k outputs */
export function rowSpread(x: DesignMatrix, i: number, q: Float64Array, k: number, out: Float64Array): void {
  const { dense, values, offsets, indices, counts, width } = x
  for (let j = 0, at = i * dense, from = 0; j < dense; j++, at++, from += k) {
    const value = values[at]
    for (let c = 0; c < k; c++) out[from + c] += value * q[c]
  }
  for (let t = offsets[i], end = offsets[i + 1]; t < end; t++) {
    const value = counts[t]
    const from = indices[t] * k
    for (let c = 0; c < k; c++) out[from + c] += value * q[c]
  }
  if (x.intercept) for (let c = 0; c < k; c++) out[width * k + c] += q[c]
}

/** Some of the rows, in this order. */
export function someRows(x: DesignMatrix, rows: Int32Array): DesignMatrix {
  const values = new Float64Array(rows.length * x.dense)
  const offsets = new Int32Array(rows.length + 1)
  rows.forEach((i, at) => {
    values.set(x.values.subarray(i * x.dense, (i + 1) * x.dense), at * x.dense)
    offsets[at + 1] = offsets[at] + x.offsets[i + 1] - x.offsets[i]
  })
  const indices = new Int32Array(offsets[rows.length])
  const counts = new Float64Array(offsets[rows.length])
  rows.forEach((i, at) => {
    indices.set(x.indices.subarray(x.offsets[i], x.offsets[i + 1]), offsets[at])
    counts.set(x.counts.subarray(x.offsets[i], x.offsets[i + 1]), offsets[at])
  })
  return { ...x, rows: rows.length, values, offsets, indices, counts }
}

/** The same matrix with every value squared, for the diagonals of Hessians. */
export function squared(x: DesignMatrix): DesignMatrix {
  return { ...x, values: x.values.map(value => value * value), counts: x.counts.map(value => value * value) }
}

/** ‖x_i‖², the intercept included. */
export function rowNorms(x: DesignMatrix): Float64Array {
  const ones = new Float64Array(sizeOf(x)).fill(1)
  const squares = squared(x)
  return Float64Array.from({ length: x.rows }, (_, i) => rowDot(squares, i, ones))
}
