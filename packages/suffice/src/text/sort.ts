/**
 * The words of a document in order of their codes, their counts with them. A word and its place are one number where both have room in 31
 * bits, which is nearly always. These are cast into buckets by the highest bits of the word; few share one, and what is left to do is done
 * by insertion.
 */
import type { BagSink } from "../contract.ts"

/** Documents of up to this many words are sorted by insertion alone, and longer ones than that by comparing. */
const FEW = 10
const MANY = 4096

/** A document of n words has between n and 2n buckets, within these bits. */
const LEAST_BITS = 5
const MOST_BITS = 9

/** Hands over the first `size` words in order; no word is there twice. Whether the arrays are in order afterwards is not said. */
export const giveInOrder = /* @__PURE__ */ sorter()

/** Engines know arrays that are constants around a function, and go through them twice as fast. (Bundlers make variables of a module's.) */
function sorter(): (words: Int32Array, counts: Float64Array, size: number, bag: BagSink) => void {
  const starts = new Int32Array((1 << MOST_BITS) + 1)
  const keys = new Int32Array(MANY)
  const sorted = new Int32Array(MANY)
  const sortedWords = new Int32Array(MANY)
  const sortedCounts = new Float64Array(MANY)

  return (words, counts, size, bag) => {
    let bits = 0
    for (let t = 0; t < size; t++) bits |= words[t]
    const shift = 32 - Math.clz32(size)
    const width = 32 - Math.clz32(bits)
    if (size <= FEW || size > MANY || width + shift > 31) {
      if (size <= FEW) sortFew(words, counts, size)
      else sortMany(words, counts, size)
      bag.addWords(words, counts, size)
      return
    }
    const wide = Math.min(Math.max(shift, LEAST_BITS), MOST_BITS)
    sortKeys(words, size, shift, shift + Math.max(width - wide, 0), 1 << wide)
    const place = (1 << shift) - 1
    for (let t = 0; t < size; t++) {
      sortedWords[t] = sorted[t] >>> shift
      sortedCounts[t] = counts[sorted[t] & place]
    }
    bag.addWords(sortedWords, sortedCounts, size)
  }

  /** Words with their places in the lowest bits, in order, in `sorted`. `high`: the bits below those that say which of the buckets. */
  function sortKeys(words: Int32Array, size: number, shift: number, high: number, buckets: number): void {
    for (let d = 0; d <= buckets; d++) starts[d] = 0
    for (let t = 0; t < size; t++) {
      const key = (words[t] << shift) | t
      keys[t] = key
      starts[(key >>> high) + 1]++
    }
    for (let d = 1; d < buckets; d++) starts[d] += starts[d - 1]
    for (let t = 0; t < size; t++) sorted[starts[keys[t] >>> high]++] = keys[t]
    for (let t = 1; t < size; t++) {
      const key = sorted[t]
      let at = t
      for (; at > 0 && sorted[at - 1] > key; at--) sorted[at] = sorted[at - 1]
      sorted[at] = key
    }
  }
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
