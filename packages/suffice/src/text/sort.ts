/**
 * The words of a document in order of their codes, their counts with them. A word and its place are one number where both have room in 31
 * bits, which is nearly always. These are cast into buckets by the highest bits of the word; few share one, and what is left to do is done
 * by insertion.
 */
import type { BagSink } from "../contract.ts"
import { inOrderOfKeys } from "./radix.ts"

/** Longer documents are sorted digit by digit. */
const MANY = 4096

/** A document of n words has between n and 2n buckets, within these bits; with fewer words it has one, so that they are sorted by insertion alone. */
const LEAST_BITS = 4
const MOST_BITS = 9

/** Hands over the first `size` words in order; no word is there twice. */
export const giveInOrder = /* @__PURE__ */ sorter()

/** Engines know arrays that are constants around a function, and go through them twice as fast. (Bundlers make variables of a module's.) */
function sorter(): (words: Int32Array, counts: Float64Array, size: number, bag: BagSink) => void {
  const starts = new Int32Array((1 << MOST_BITS) + 1)
  const keys = new Int32Array(MANY)
  const sorted = new Int32Array(MANY)
  const sortedWords = new Int32Array(MANY)
  const sortedCounts = new Float64Array(MANY)

  // one function: where an engine has to bring several together, it is half as slow again
  return (words, counts, size, bag) => {
    let bits = 0
    for (let t = 0; t < size; t++) bits |= words[t]
    const shift = 32 - Math.clz32(size)
    const width = 32 - Math.clz32(bits)
    if (size > MANY || width + shift > 31) return giveLong(words, counts, size, bag)
    const wide = shift < LEAST_BITS ? 0 : Math.min(shift, MOST_BITS)
    const buckets = 1 << wide
    /** The bits below those that say which bucket. */
    const high = shift + Math.max(width - wide, 0)
    for (let d = 0; d <= buckets; d++) starts[d] = 0
    for (let t = 0; t < size; t++) {
      const key = (words[t] << shift) | t
      keys[t] = key
      starts[(key >>> high) + 1]++
    }
    for (let d = 1; d < buckets; d++) starts[d] += starts[d - 1]
    for (let t = 0; t < size; t++) sorted[starts[keys[t] >>> high]++] = keys[t]
    for (let t = 1, last = sorted[0]; t < size; t++) {
      const key = sorted[t]
      if (key > last) {
        last = key
        continue
      }
      let at = t
      for (; at > 0 && sorted[at - 1] > key; at--) sorted[at] = sorted[at - 1]
      sorted[at] = key
    }
    const place = (1 << shift) - 1
    for (let t = 0; t < size; t++) {
      sortedWords[t] = sorted[t] >>> shift
      sortedCounts[t] = counts[sorted[t] & place]
    }
    bag.addWords(sortedWords, sortedCounts, size)
  }
}

function giveLong(words: Int32Array, counts: Float64Array, size: number, bag: BagSink): void {
  const order = inOrderOfKeys([words], size)
  bag.addWords(
    order.map(place => words[place]),
    Float64Array.from(order, place => counts[place]),
    size,
  )
}
