/**
 * The words of a document in order of their codes, their counts with them. Documents of some length are sorted digit by digit; a word
 * and its place are one number where both have room in 31 bits, which is nearly always.
 */

interface Bag {
  addWord(code: number, count: number): void
}

/** Documents of up to this many words are sorted by insertion. */
const FEW = 48

const BITS = 9
const MASK = (1 << BITS) - 1
const lower = /* @__PURE__ */ new Int32Array(MASK + 2)
const upper = /* @__PURE__ */ new Int32Array(MASK + 2)
let keys = /* @__PURE__ */ new Int32Array(1024)
let sorted = /* @__PURE__ */ new Int32Array(1024)

/** Hands over the first `size` words in order; no word is there twice. Whether the arrays are in order afterwards is not said. */
export function giveInOrder(words: Int32Array, counts: Float64Array, size: number, bag: Bag): void {
  let bits = 0
  for (let t = 0; t < size; t++) bits |= words[t]
  const shift = 32 - Math.clz32(size)
  if (size <= FEW || bits >>> (2 * BITS) !== 0 || 32 - Math.clz32(bits) + shift > 31) {
    if (size <= FEW) sortFew(words, counts, size)
    else sortMany(words, counts, size)
    for (let t = 0; t < size; t++) bag.addWord(words[t], counts[t])
    return
  }
  const order = inOrder(words, size, shift)
  const place = (1 << shift) - 1
  for (let t = 0; t < size; t++) bag.addWord(order[t] >>> shift, counts[order[t] & place])
}

/** Words of 18 bits, each with its place in the lowest bits: by the lower digit, then by the upper one. */
function inOrder(words: Int32Array, size: number, shift: number): Int32Array {
  if (size > keys.length) {
    keys = new Int32Array(2 * size)
    sorted = new Int32Array(2 * size)
  }
  lower.fill(0)
  upper.fill(0)
  for (let t = 0; t < size; t++) {
    const word = words[t]
    lower[(word & MASK) + 1]++
    upper[(word >>> BITS) + 1]++
    keys[t] = (word << shift) | t
  }
  for (let d = 0; d < MASK; d++) {
    lower[d + 1] += lower[d]
    upper[d + 1] += upper[d]
  }
  for (let t = 0; t < size; t++) sorted[lower[(keys[t] >>> shift) & MASK]++] = keys[t]
  for (let t = 0; t < size; t++) keys[upper[sorted[t] >>> (shift + BITS)]++] = sorted[t]
  return keys
}

function sortFew(words: Int32Array, counts: Float64Array, size: number): void {
  for (let t = 1; t < size; t++) {
    const word = words[t]
    const count = counts[t]
    let at = t
    for (; at > 0 && words[at - 1] > word; at--) {
      words[at] = words[at - 1]
      counts[at] = counts[at - 1]
    }
    words[at] = word
    counts[at] = count
  }
}

/** A word has up to 24 bits and a document up to 2^29 words, so word · ROOM + place is exact. */
const ROOM = 536870912

function sortMany(words: Int32Array, counts: Float64Array, size: number): void {
  const keys = Float64Array.from(words.subarray(0, size), (word, place) => word * ROOM + place).sort()
  const came = counts.slice(0, size)
  for (let t = 0; t < size; t++) {
    words[t] = Math.floor(keys[t] / ROOM)
    counts[t] = came[keys[t] - words[t] * ROOM]
  }
}
