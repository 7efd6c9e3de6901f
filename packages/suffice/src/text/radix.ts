/** Indices sorted by their keys, numbers of 30 bits, by radix sort from the least significant digit. */

/** From this length on, fewer but longer digits are faster. */
const MANY = 16384

/** Stable: equal keys keep their order. */
export function inOrderOfKeys(keys: Int32Array): Int32Array {
  const size = keys.length
  let order = new Int32Array(size)
  let next = new Int32Array(size)
  for (let i = 0; i < size; i++) order[i] = i
  const bits = size < MANY ? 10 : 15
  const last = (1 << bits) - 1
  const starts = new Int32Array(last + 2)
  for (let shift = 0; shift < 30; shift += bits) {
    starts.fill(0)
    for (let i = 0; i < size; i++) starts[((keys[i] >>> shift) & last) + 1]++
    if (starts.includes(size, 1)) continue // all keys share this digit
    for (let d = 0; d < last; d++) starts[d + 1] += starts[d]
    for (let i = 0; i < size; i++) next[starts[(keys[order[i]] >>> shift) & last]++] = order[i]
    ;[order, next] = [next, order]
  }
  return order
}
