/** Places in the order of their keys, by counting digit after digit, the last digit first: keys of several numbers of 30 bits each. */

const BITS = 10
const DIGITS = 1 << BITS

/** Of the first `size` places: the first key decides, of equals the second, and so on. Equal places stay as they are. */
export function inOrderOfKeys(keys: readonly Int32Array[], size: number): Int32Array {
  let order = new Int32Array(size)
  for (let i = 0; i < size; i++) order[i] = i
  let sorted = new Int32Array(size)
  const starts = new Int32Array(DIGITS + 1)
  for (let k = keys.length - 1; k >= 0; k--) {
    const key = keys[k]
    for (let shift = 0; shift < 30; shift += BITS) {
      starts.fill(0)
      for (let i = 0; i < size; i++) starts[((key[i] >>> shift) & (DIGITS - 1)) + 1]++
      if (starts.includes(size, 1)) continue // one digit for all
      for (let d = 0; d < DIGITS; d++) starts[d + 1] += starts[d]
      for (let i = 0; i < size; i++) sorted[starts[(key[order[i]] >>> shift) & (DIGITS - 1)]++] = order[i]
      ;[order, sorted] = [sorted, order]
    }
  }
  return order
}
