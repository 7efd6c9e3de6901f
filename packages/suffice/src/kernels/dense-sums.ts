/**
 * Statistics of complete rows under normals with full matrices.
 *
 *     stats_p += Σ_i w[p,i] (1, x_i, x_i x_iᵀ)
 *     stats     slot by slot Σw, Σwx (1 + d);  then matrix by matrix Σwxxᵀ (a packed triangle)
 *
 * `share` slots have one matrix in common: 1, or all of them. Column j of the rows is x[j].
 * Even and odd rows (of those with weight in the slot) are summed separately and added at the end, as in the fast twin, which has two rows in
 * a register: so both have the same bits.
 */
import { triangle } from "./triangle.ts"

/** The weights of slot p: weights[p·rows + i]. */
export function absorbDense(
  x: readonly Float64Array[],
  rows: number,
  d: number,
  slots: number,
  share: number,
  weights: Float64Array,
  stats: Float64Array,
): void {
  const at = slots * (1 + d)
  for (let p = 0; p < slots; p++) {
    absorbSlot(x, rows, d, weights, p * rows, stats, p * (1 + d), share === 1 ? at + p * triangle(d) : -1)
  }
  if (share > 1) absorbSlot(x, rows, d, totalWeights(weights, slots, rows), 0, stats, -1, at)
}

/** Σ_p w[p,i] */
export function totalWeights(weights: Float64Array, slots: number, rows: number): Float64Array {
  if (total.length < rows) total = new Float64Array(rows)
  else total.fill(0)
  for (let p = 0; p < slots; p++) for (let i = 0; i < rows; i++) total[i] += weights[p * rows + i]
  return total
}

let total = new Float64Array(0)

/** One slot, the weight of row i being weights[from + i]: Σw and Σwx at `sums`, Σwxxᵀ at `triangleAt`; −1: not wanted. */
function absorbSlot(
  x: readonly Float64Array[],
  rows: number,
  d: number,
  weights: Float64Array,
  from: number,
  stats: Float64Array,
  sums: number,
  triangleAt: number,
): void {
  reserve(rows, d)
  let count = 0
  for (let i = 0; i < rows; i++) {
    listed[count] = i
    kept[count] = weights[from + i]
    if (weights[from + i] !== 0) count++
  }
  absorbList(x, rows, d, listed, count, kept, stats, sums, triangleAt)
}

/** One slot and `count` of its rows, the weight of row list[t] being weights[t]; the block has `rows`. */
export function absorbList(
  x: readonly Float64Array[],
  rows: number,
  d: number,
  list: Int32Array,
  count: number,
  weights: Float64Array,
  stats: Float64Array,
  sums: number,
  triangleAt: number,
): void {
  reserve(rows, d)
  if (count === 0) return
  const odd = count & 1
  let even = 0
  let other = 0
  for (let t = 0; t < count; t++) {
    if (t & 1) other += weights[t]
    else even += weights[t]
  }
  if (sums >= 0) stats[sums] += even + other
  for (let j = 0; j < d; j++) {
    const cells = x[j]
    const to = j * capacity
    even = 0
    other = 0
    for (let t = 0; t < count; t++) {
      const value = cells[list[t]]
      const wx = weights[t] * value
      picked[to + t] = value
      weighed[to + t] = wx
      if (t & 1) other += wx
      else even += wx
    }
    if (odd) {
      picked[to + count] = 0
      weighed[to + count] = 0
    }
    if (sums >= 0) stats[sums + 1 + j] += even + other
  }
  if (triangleAt >= 0) addSquares(d, count + odd, stats, triangleAt)
}

// x and w·x of the rows that have weight, column by column, `capacity` numbers each; their places and weights
let capacity = 0
let picked = new Float64Array(0)
let weighed = new Float64Array(0)
let listed = new Int32Array(0)
let kept = new Float64Array(0)

function reserve(rows: number, d: number): void {
  if (listed.length < rows + 1) {
    listed = new Int32Array(rows + 1)
    kept = new Float64Array(rows + 1)
    capacity = rows + 2
  }
  if (picked.length < (d + 1) * capacity) {
    picked = new Float64Array((d + 1) * capacity)
    weighed = new Float64Array((d + 1) * capacity)
  }
}

/** Packed stats[j,k] += Σ wx_j x_k, k ≤ j, over an even number of rows. */
function addSquares(d: number, rows: number, stats: Float64Array, at: number): void {
  for (let j = 0; j < d; j++) {
    for (let k = 0; k <= j; k++, at++) {
      let even = 0
      let odd = 0
      for (let t = 0; t < rows; t += 2) {
        even += weighed[j * capacity + t] * picked[k * capacity + t]
        odd += weighed[j * capacity + t + 1] * picked[k * capacity + t + 1]
      }
      stats[at] += even + odd
    }
  }
}
