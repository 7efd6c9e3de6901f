/**
 * Places in the order of their keys of several numbers of 30 bits each: by counting digit after digit of the first number, the last digit
 * first. Few places are then still equal to their neighbours, and have to be looked at by the other numbers.
 */

const BITS = 10
const DIGITS = 1 << BITS
/** So many that are equal are put in order one by one; more are counted again, by their next number. */
const FEW = 64

/** Of the first `size` places: the first key decides, of equals the second, and so on. Equal places stay as they are. */
export function inOrderOfKeys(keys: readonly Int32Array[], size: number): Int32Array {
  const order = new Int32Array(size)
  for (let i = 0; i < size; i++) order[i] = i
  arrange(keys, 0, order, new Int32Array(size))
  return order
}

/** These places, by the keys from this one on; `spare`: room for as many. */
function arrange(keys: readonly Int32Array[], k: number, order: Int32Array, spare: Int32Array): void {
  count(keys[k], order, spare)
  if (k + 1 === keys.length) return
  const key = keys[k]
  for (let from = 0, to = 1; from < order.length; from = to++) {
    while (to < order.length && key[order[to]] === key[order[from]]) to++
    if (to - from > FEW) arrange(keys, k + 1, order.subarray(from, to), spare.subarray(from, to))
    else insert(keys, k + 1, order, from, to)
  }
}

function count(key: Int32Array, order: Int32Array, spare: Int32Array): void {
  let [from, to] = [order, spare]
  const starts = new Int32Array(DIGITS + 1)
  for (let shift = 0; shift < 30; shift += BITS) {
    starts.fill(0)
    for (let i = 0; i < from.length; i++) starts[((key[from[i]] >>> shift) & (DIGITS - 1)) + 1]++
    if (starts.includes(from.length, 1)) continue // one digit for all
    for (let d = 0; d < DIGITS; d++) starts[d + 1] += starts[d]
    for (let i = 0; i < from.length; i++) to[starts[(key[from[i]] >>> shift) & (DIGITS - 1)]++] = from[i]
    ;[from, to] = [to, from]
  }
  if (from !== order) order.set(from)
}

/** Places [from, to), by insertion. */
function insert(
  keys: readonly Int32Array[],
  first: number,
  order: Int32Array,
  from: number,
  to: number,
): void {
  for (let i = from + 1; i < to; i++) {
    const place = order[i]
    let at = i
    for (; at > from && isBefore(keys, first, place, order[at - 1]); at--) order[at] = order[at - 1]
    order[at] = place
  }
}

function isBefore(keys: readonly Int32Array[], first: number, a: number, b: number): boolean {
  for (let k = first; k < keys.length; k++) if (keys[k][a] !== keys[k][b]) return keys[k][a] < keys[k][b]
  return false
}
