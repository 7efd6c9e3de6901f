/** The weights of rows that count once each, and the slot of rows that have one context. */

/** As many as a chunk has rows. Shared: never written to, nor sent to another thread. */
export const ONES = /* @__PURE__ */ new Float64Array(8192).fill(1)

/** For rows with more steps than that. */
let longer = ONES

/** `count` ones. */
export function ones(count: number): Float64Array {
  if (longer.length < count) longer = new Float64Array(2 * count).fill(1)
  return longer.subarray(0, count)
}

/** Is it an array of these ones? */
export function isOnes(weight: Float64Array): boolean {
  return weight.buffer === ONES.buffer || weight.buffer === longer.buffer
}

/** Do all rows have weight 1? */
export function allOnes(weight: Float64Array, rows: number): boolean {
  if (isOnes(weight)) return true
  for (let i = 0; i < rows; i++) if (weight[i] !== 1) return false
  return true
}

let zeros = /* @__PURE__ */ new Int32Array(8192)

/** Slot 0 for at least `rows` rows. Shared: never written to. */
export function firstSlot(rows: number): Int32Array {
  if (zeros.length < rows) zeros = new Int32Array(2 * rows)
  return zeros
}
