/** The weights of rows that count once each, and the slot of rows that have one context. */

/** As many as a chunk has rows; to be read, never written to, nor handed to another thread. */
export const ONES = /* @__PURE__ */ new Float64Array(8192).fill(1)

/** For rows that have more steps than that. */
let longer = ONES

/** So many of them. */
export function ones(count: number): Float64Array {
  if (longer.length < count) longer = new Float64Array(2 * count).fill(1)
  return longer.subarray(0, count)
}

/** Are they these? */
export function isOnes(weight: Float64Array): boolean {
  return weight.buffer === ONES.buffer || weight.buffer === longer.buffer
}

/** Does every one of the rows weigh 1? */
export function allOnes(weight: Float64Array, rows: number): boolean {
  if (isOnes(weight)) return true
  for (let i = 0; i < rows; i++) if (weight[i] !== 1) return false
  return true
}

let zeros = /* @__PURE__ */ new Int32Array(8192)

/** Slot 0, for so many rows or more; to be read. */
export function firstSlot(rows: number): Int32Array {
  if (zeros.length < rows) zeros = new Int32Array(2 * rows)
  return zeros
}
