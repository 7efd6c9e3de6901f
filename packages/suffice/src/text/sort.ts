/**
 * The words of a document in order of their codes, their counts with them. Codes are numbered as words come, so that the density of those in a document
 * falls like 1/code: words are cast into buckets by the logarithm of their code, the place of its highest bit and a few bits below it. Few share
 * one, and what is left to do is done by insertion.
 */
import { inOrderOfKeys } from "./radix.ts"

/** Longer documents are sorted by radix sort. */
const MANY = 4096
/** Shorter ones by insertion alone. */
const FEW = 12
/** Bits below the highest one that say which bucket, at most. */
const MOST_BITS = 7

/** words, numbers [at …] ← the entries [from, to) in order; no word is there twice. */
type SortWords = (
  codes: Int32Array,
  counts: Float64Array | Int32Array,
  from: number,
  to: number,
  words: Int32Array,
  numbers: Float64Array,
  at: number,
) => void
export const sortWords: SortWords = /* @__PURE__ */ sorter()

/** Engines access arrays twice as fast if a function closes over them as constants. (Those of a module become variables in a bundle.) */
function sorter(): SortWords {
  const starts = new Int32Array((33 << MOST_BITS) + 1)
  const buckets = new Int32Array(MANY)

  return (codes, counts, from, to, words, numbers, at) => {
    const size = to - from
    if (size > MANY) return sortLong(codes, counts, from, to, words, numbers, at)
    if (size < FEW) {
      for (let t = 0; t < size; t++) {
        words[at + t] = codes[from + t]
        numbers[at + t] = counts[from + t]
      }
    } else {
      // two buckets for a word, if codes have 16 bits
      const below = Math.min(Math.max(29 - Math.clz32(size), 0), MOST_BITS)
      const rest = 31 - below
      let last = 0
      for (let t = 0; t < size; t++) {
        const code = codes[from + t] + 1
        const zeros = Math.clz32(code)
        const bucket = ((31 - zeros) << below) + ((code << zeros) >>> rest)
        buckets[t] = bucket
        starts[bucket + 1]++
        if (bucket > last) last = bucket
      }
      // the highest bit is always set, so the first buckets stay empty
      const first = 1 << below
      for (let b = first, sum = at; b <= last; b++) {
        sum += starts[b]
        starts[b] = sum
      }
      for (let t = 0; t < size; t++) {
        const place = starts[buckets[t]]++
        words[place] = codes[from + t]
        numbers[place] = counts[from + t]
      }
      starts.fill(0, first, last + 2)
    }
    for (let t = at + 1, before = words[at]; t < at + size; t++) {
      const word = words[t]
      if (word > before) {
        before = word
        continue
      }
      const number = numbers[t]
      let place = t
      for (; place > at && words[place - 1] > word; place--) {
        words[place] = words[place - 1]
        numbers[place] = numbers[place - 1]
      }
      words[place] = word
      numbers[place] = number
    }
  }
}

function sortLong(...[codes, counts, from, to, words, numbers, at]: Parameters<SortWords>): void {
  const order = inOrderOfKeys(codes.subarray(from, to))
  for (let t = 0; t < order.length; t++) {
    words[at + t] = codes[from + order[t]]
    numbers[at + t] = counts[from + order[t]]
  }
}
