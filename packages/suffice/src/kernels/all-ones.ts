/** The weights of rows that count once each. */

/** As many as a chunk has rows; to be read, never written to, nor handed to another thread. */
export const ONES = /* @__PURE__ */ new Float64Array(8192).fill(1)

/** Are they these? */
export function isOnes(weight: Float64Array): boolean {
  return weight.buffer === ONES.buffer
}

/** Does every one of the rows weigh 1? */
export function allOnes(weight: Float64Array, rows: number): boolean {
  if (isOnes(weight)) return true
  for (let i = 0; i < rows; i++) if (weight[i] !== 1) return false
  return true
}
