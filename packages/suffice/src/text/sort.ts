/**
 * The words of a document sorted by code, with their counts. A word and its position are packed into one number if both fit into 31 bits,
 * which they nearly always do. These are distributed over buckets by the highest bits of the word; few share one, and insertion sort finishes.
 */
import type { BagSink } from "../contract.ts"
import { inOrderOfKeys } from "./radix.ts"

/** Longer documents are sorted by radix sort. */
const MANY = 4096

/** A document of n words has between n and 2n buckets, within these numbers of bits; a shorter one has a single bucket, for insertion sort alone. */
const LEAST_BITS = 4
const MOST_BITS = 9

/** Passes on the words of entries [from, to) in order; none occurs twice. */
type GiveInOrder = (
  codes: Int32Array,
  counts: Float64Array | Int32Array,
  from: number,
  to: number,
  give: BagSink["addWords"],
) => void
export const giveInOrder: GiveInOrder = /* @__PURE__ */ sorter()

/** Engines access arrays twice as fast if a function closes over them as constants. (Those of a module become variables in a bundle.) */
function sorter(): GiveInOrder {
  const starts = new Int32Array((1 << MOST_BITS) + 1)
  const keys = new Int32Array(MANY)
  const sorted = new Int32Array(MANY)
  const sortedWords = new Int32Array(MANY)
  const sortedCounts = new Float64Array(MANY)

  // a single function: split into several, it takes half as long again
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
    /** The number of bits below those that select the bucket. */
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
