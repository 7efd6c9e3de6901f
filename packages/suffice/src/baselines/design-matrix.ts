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
  /** Where the dense features of row i end: those from ends[i] on are 0. A multiple of 4, or all; absent: they are as they come. */
  readonly ends?: Int32Array
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
  const { dense, values, ends, offsets, indices, counts } = x
  let sum = (x.intercept ? w[x.width] : 0) + dot(values, i * dense, w, ends ? ends[i] : dense)
  for (let t = offsets[i], end = offsets[i + 1]; t < end; t++) sum += counts[t] * w[indices[t]]
  return sum
}

/** Σ_j a[at + j]·b[j], in four sums, none of which waits for another. */
function dot(a: Float64Array, at: number, b: Float64Array, length: number): number {
  let [s, t, u, v] = [0, 0, 0, 0]
  let j = 0
  for (; j + 3 < length; j += 4) {
    s += a[at + j] * b[j]
    t += a[at + j + 1] * b[j + 1]
    u += a[at + j + 2] * b[j + 2]
    v += a[at + j + 3] * b[j + 3]
  }
  for (; j < length; j++) s += a[at + j] * b[j]
  return s + t + (u + v)
}

/** out += factor·x_i */
export function rowAdd(x: DesignMatrix, i: number, factor: number, out: Float64Array): void {
  const { dense, values, ends, offsets, indices, counts } = x
  const end = ends ? ends[i] : dense
  for (let j = 0, at = i * dense; j < end; j++, at++) out[j] += factor * values[at]
  for (let t = offsets[i], end = offsets[i + 1]; t < end; t++) out[indices[t]] += factor * counts[t]
  if (x.intercept) out[x.width] += factor
}

/** out[c] ← x_i·w_c for k outputs */
export function rowScores(x: DesignMatrix, i: number, w: Float64Array, k: number, out: Float64Array): void {
  const { dense, values, ends, offsets, indices, counts, width } = x
  const end = ends ? ends[i] : dense
  for (let c = 0; c < k; c++) out[c] = x.intercept ? w[width * k + c] : 0
  const begin = i * dense
  let c = 0
  // two outputs at a time stay in registers
  for (; c + 1 < k; c += 2) {
    let [s, t] = [0, 0]
    for (let j = 0, from = c; j < end; j++, from += k) {
      const value = values[begin + j]
      s += value * w[from]
      t += value * w[from + 1]
    }
    out[c] += s
    out[c + 1] += t
  }
  if (c < k && k === 1) out[0] += dot(values, begin, w, end)
  else if (c < k) {
    let [s, t] = [0, 0]
    let j = 0
    for (let from = c; j + 1 < end; j += 2, from += 2 * k) {
      s += values[begin + j] * w[from]
      t += values[begin + j + 1] * w[from + k]
    }
    if (j < end) s += values[begin + j] * w[j * k + c]
    out[c] += s + t
  }
  for (let t = offsets[i]; t < offsets[i + 1]; t++) {
    const value = counts[t]
    const from = indices[t] * k
    for (let c = 0; c < k; c++) out[c] += value * w[from + c]
  }
}

/** out[f·k + c] += x_if·q[c] for k outputs */
export function rowSpread(x: DesignMatrix, i: number, q: Float64Array, k: number, out: Float64Array): void {
  const { dense, values, ends, offsets, indices, counts, width } = x
  const end = ends ? ends[i] : dense
  const begin = i * dense
  let c = 0
  for (; c + 1 < k; c += 2) {
    const [first, second] = [q[c], q[c + 1]]
    for (let j = 0, from = c; j < end; j++, from += k) {
      const value = values[begin + j]
      out[from] += value * first
      out[from + 1] += value * second
    }
  }
  if (c < k) {
    const last = q[c]
    for (let j = 0, from = c; j < end; j++, from += k) out[from] += values[begin + j] * last
  }
  for (let t = offsets[i]; t < offsets[i + 1]; t++) {
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
  const { ends } = x
  return {
    ...x,
    rows: rows.length,
    values,
    ...(ends && { ends: rows.map(i => ends[i]) }),
    offsets,
    indices,
    counts,
  }
}

/** out[f·k + c] += factor·x_if² for all k outputs: the diagonals of Hessians. */
export function rowSquares(x: DesignMatrix, i: number, factor: number, k: number, out: Float64Array): void {
  const { dense, values, ends, offsets, indices, counts, width } = x
  const add = (feature: number, value: number): void => {
    const squared = value * value * factor
    for (let c = 0, at = feature * k; c < k; c++, at++) out[at] += squared
  }
  for (let j = 0, end = ends ? ends[i] : dense; j < end; j++) add(j, values[i * dense + j])
  for (let t = offsets[i]; t < offsets[i + 1]; t++) add(indices[t], counts[t])
  if (x.intercept) add(width, 1)
}

/** ‖x_i‖², the intercept included. */
export function rowNorms({
  rows,
  dense,
  values,
  ends,
  offsets,
  counts,
  intercept,
}: DesignMatrix): Float64Array {
  return Float64Array.from({ length: rows }, (_, i) => {
    let sum = intercept ? 1 : 0
    for (let j = 0, at = i * dense, end = ends ? ends[i] : dense; j < end; j++, at++)
      sum += values[at] * values[at]
    for (let t = offsets[i]; t < offsets[i + 1]; t++) sum += counts[t] * counts[t]
    return sum
  })
}
