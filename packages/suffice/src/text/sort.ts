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

/** Hands over the words of entries [from, to) in order; none is there twice. */
type GiveInOrder = (
  codes: Int32Array,
  counts: Float64Array | Int32Array,
  from: number,
  to: number,
  give: BagSink["addWords"],
) => void
export const giveInOrder: GiveInOrder = /* @__PURE__ */ sorter()

/** Engines know arrays that are constants around a function, and go through them twice as fast. (Bundlers make variables of a module's.) */
function sorter(): GiveInOrder {
  const starts = new Int32Array((1 << MOST_BITS) + 1)
  const keys = new Int32Array(MANY)
  const sorted = new Int32Array(MANY)
  const sortedWords = new Int32Array(MANY)
  const sortedCounts = new Float64Array(MANY)

  // one function: where an engine has to bring several together, it is half as slow again
  return (codes, counts, from, to, give) => {
    const size = to - from
    if (size > MANY) return giveLong(codes, counts, from, to, give)
    const shift = 32 - Math.clz32(size)
    let bits = 0
    for (let t = 0; t < size; t++) {
      const word = codes[from + t]
      bits |= word
      keys[t] = (word << shift) | t
    }
    const width = 32 - Math.clz32(bits)
    if (width + shift > 31) return giveLong(codes, counts, from, to, give)
    const wide = shift < LEAST_BITS ? 0 : Math.min(shift, MOST_BITS)
    const buckets = 1 << wide
    /** The bits below those that say which bucket. */
    const high = shift + Math.max(width - wide, 0)
    for (let d = 0; d <= buckets; d++) starts[d] = 0
    for (let t = 0; t < size; t++) starts[(keys[t] >>> high) + 1]++
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
      sortedCounts[t] = counts[from + (sorted[t] & place)]
    }
    give(sortedWords, sortedCounts, 0, size)
  }
}

function giveLong(...[codes, counts, from, to, give]: Parameters<GiveInOrder>): void {
  const order = inOrderOfKeys(codes.subarray(from, to))
  give(
    order.map(place => codes[from + place]),
    Float64Array.from(order, place => counts[from + place]),
    0,
    order.length,
  )
}
