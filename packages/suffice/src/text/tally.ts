/**
 * Counts the words of one document: words by code, in order of first occurrence. Nothing is cleared between documents: a stamp gives the position of
 * a word in its document, and stamps of earlier documents are smaller than all of the current one.
 */
import type { BagSink } from "../contract/door.ts"

/** Stamps are reset here, before they overflow 32 bits. */
const LAST_STAMP = 1 << 30

export class Tally {
  codes = new Int32Array(256)
  counts = new Float64Array(256)
  size = 0
  /** Whether the document has any words, known or not. */
  any = false
  /** By code: first + 1 + its position in this document, or at most first if it is not in it. */
  stamps = new Int32Array(1024)
  first = 0

  /** Starts the next document, with space for this many words. */
  begin(words: number): void {
    this.first += this.size
    this.size = 0
    this.any = false
    if (this.first > LAST_STAMP) {
      this.stamps.fill(0)
      this.first = 0
    }
    if (words > this.codes.length) this.#extend(words)
  }

  /** Makes space for codes up to this one. */
  reserve(code: number): void {
    if (code < this.stamps.length) return
    const longer = new Int32Array(2 * code + 2)
    longer.set(this.stamps)
    this.stamps = longer
  }

  add(code: number, count: number): void {
    this.reserve(code)
    const stamp = this.stamps[code]
    if (stamp > this.first) {
      this.counts[stamp - this.first - 1] += count
      return
    }
    if (this.size === this.codes.length) this.#extend(this.size + 1)
    this.codes[this.size] = code
    this.counts[this.size++] = count
    this.stamps[code] = this.first + this.size
  }

  /** The same for a word that occurs once in its document, so it needs no stamp; `begin` has reserved its space. */
  put(code: number, count: number): void {
    this.codes[this.size] = code
    this.counts[this.size++] = count
  }

  #extend(words: number): void {
    const { codes, counts } = this
    this.codes = new Int32Array(2 * words)
    this.counts = new Float64Array(2 * words)
    this.codes.set(codes)
    this.counts.set(counts)
  }

  /** Passes the document on; it ends here. */
  give(bag: BagSink): void {
    bag.addWords(this.codes, this.counts, 0, this.size)
  }
}
