/**
 * Places in the order of their keys of several numbers of 30 bits each: by counting digit after digit, the last digit of the last number
 * first.
 */

/** So many places are worth longer digits, of which there are fewer. */
const MANY = 16384

/** Of the first `size` places: the first key decides, of equals the second, and so on. Equal places stay as they are. */
export function inOrderOfKeys(keys: readonly Int32Array[], size: number): Int32Array {
  let order = new Int32Array(size)
  let next = new Int32Array(size)
  for (let i = 0; i < size; i++) order[i] = i
  const bits = size < MANY ? 10 : 15
  const last = (1 << bits) - 1
  const starts = new Int32Array(last + 2)
  for (const key of [...keys].reverse()) {
    for (let shift = 0; shift < 30; shift += bits) {
      starts.fill(0)
      for (let i = 0; i < size; i++) starts[((key[i] >>> shift) & last) + 1]++
      if (starts.includes(size, 1)) continue // one digit for all
      for (let d = 0; d < last; d++) starts[d + 1] += starts[d]
      for (let i = 0; i < size; i++) next[starts[(key[order[i]] >>> shift) & last]++] = order[i]
      ;[order, next] = [next, order]
    }
  }
  return order
}
