/** Bags of a chunk under construction: words and counts one after the other, and where each bag ends. */
import type { BagSink, Bags, Cell, Holder, Strangers } from "../contract.ts"
import { notABag } from "../errors.ts"
import { runOf, type SparseDocument, type SparseSource } from "./sparse.ts"
import type { Tally } from "./tally.ts"

/** The words of a cell into the bag, in order of their codes, each once; `unknown` hears of words that were never met. False: no bag. */
export type ReadBag = (cell: Cell, bag: BagSink, unknown: ((word: string) => void) | undefined) => boolean

/** Codes of sparse counts to codes of the column. */
export interface CodeMap {
  /** −1: a word that the column does not have. */
  readonly codes: Int32Array
  /** No word that is met has another code. */
  readonly isSame: boolean
  /** What is in order there is in order here. */
  readonly isRising: boolean
}

/** Knows the words of a column. */
export interface BagReader {
  readonly read: ReadBag
  mapOf(source: SparseSource): CodeMap
  /** Nobody hears of unknown words. */
  readonly isSilent: boolean
  /** Room for the words of one document. */
  readonly tally: Tally
}

/** Long enough for every run so far. */
let ones = /* @__PURE__ */ new Float64Array(0)

function onesOf(length: number): Float64Array {
  if (ones.length < length) ones = new Float64Array(2 * length).fill(1)
  return ones.subarray(0, length)
}

const noNumbers = /* @__PURE__ */ new Float64Array(0)
const noCodes = /* @__PURE__ */ new Int32Array(0)

export class BagHolder implements Holder, BagSink {
  readonly #name: string
  readonly #reader: BagReader
  /** Hears of words that were never met; one for all rows: where it is, is set row by row. */
  readonly #unknown = (word: string): void => this.#tell?.(this.#row, this.#name, word)
  #tell: Strangers["word"]
  #row = 0
  #offsets = noCodes
  #bags = 0
  #words: Int32Array = noCodes
  #counts: Float64Array = noNumbers
  #length = 0
  #reuse = false
  /** Words and counts are those of a source: to be read only. */
  #isBorrowed = false
  #cut: Bags | undefined

  constructor(name: string, reader: BagReader) {
    this.#name = name
    this.#reader = reader
  }

  /** Unless its room is used again, what is cut is a copy, or gone from here. */
  begin(rows: number, reuse: boolean): void {
    this.#reuse = reuse
    if (this.#isBorrowed) this.#leave()
    if (this.#offsets.length <= rows) this.#offsets = new Int32Array(rows + 1)
    this.#bags = 0
    this.#length = 0
  }

  read(
    cells: ArrayLike<Cell>,
    first: number,
    from: number,
    to: number,
    _at: number,
    { word }: Strangers,
  ): void {
    this.#tell = word
    const unknown = word && this.#unknown
    for (let i = from; i < to; i++) {
      const end = runOf(cells, i, to)
      if (end > i) {
        this.#readRun(cells[i] as SparseDocument, end - i, first + i, end - i === to - from)
        i = end - 1
        continue
      }
      const cell = cells[i]
      this.#row = first + i
      if (isSeen(cell) && !this.#reader.read(cell, this, unknown)) throw notABag(cell, this.#row, this.#name)
      this.skip(1)
    }
  }

  /** So many documents of a source, from this one on; `row`: where they stand in the data. `isAll`: there are no others beside them. */
  #readRun({ source, row: from }: SparseDocument, count: number, row: number, isAll: boolean): void {
    const { offsets, codes, counts } = source
    const map = this.#reader.mapOf(source)
    const to = from + count
    if (!map.isSame) {
      for (let d = from; d < to; d++) this.#readDocument(source, map, d, row + d - from)
      return
    }
    const start = offsets[from]
    const end = offsets[to]
    const at = this.#length
    if (isAll && this.#bags === 0 && count > 1 && this.#reuse) {
      this.#words = codes.subarray(start, end)
      this.#counts = counts ? counts.subarray(start, end) : onesOf(end - start)
      this.#isBorrowed = true
    } else {
      this.#reserve(end - start)
      if (count === 1) {
        for (let t = start; t < end; t++) {
          this.#words[at + t - start] = codes[t]
          this.#counts[at + t - start] = counts ? counts[t] : 1
        }
      } else {
        this.#words.set(codes.subarray(start, end), at)
        this.#counts.set(counts ? counts.subarray(start, end) : onesOf(end - start), at)
      }
    }
    this.#length += end - start
    const own = this.#offsets
    const bags = this.#bags
    for (let d = 1; d <= count; d++) own[bags + d] = offsets[from + d] - start + at
    this.#bags += count
  }

  #readDocument({ offsets, codes, counts, words }: SparseSource, map: CodeMap, d: number, row: number): void {
    const { tally } = this.#reader
    const start = offsets[d]
    const size = offsets[d + 1] - start
    const tell = this.#reader.isSilent ? undefined : this.#tell
    if (map.isRising) this.#reserve(size)
    else tally.begin(size)
    let at = this.#length
    for (let t = start; t < start + size; t++) {
      const code = map.codes[codes[t]]
      const count = counts ? counts[t] : 1
      if (code < 0) tell?.(row, this.#name, words[codes[t]])
      else if (map.isRising) {
        this.#words[at] = code
        this.#counts[at++] = count
      } else tally.add(code, count)
    }
    if (map.isRising) this.#length = at
    else tally.give(this)
    this.skip(1)
  }

  /** So many bags end here. */
  skip(count: number): void {
    for (let i = 0; i < count; i++) this.#offsets[++this.#bags] = this.#length
  }

  /** In order of their codes, each once. */
  addWords(codes: Int32Array, counts: Float64Array, size: number): void {
    const at = this.#length
    this.#reserve(size)
    const words = this.#words
    const own = this.#counts
    for (let t = 0; t < size; t++) {
      words[at + t] = codes[t]
      own[at + t] = counts[t]
    }
    this.#length = at + size
  }

  /** Room for so many words more, of our own. */
  #reserve(size: number): void {
    const at = this.#length
    if (at + size <= this.#words.length && !this.#isBorrowed) return
    const length = 2 * at + size + 64
    this.#words = longer(this.#words, new Int32Array(length))
    this.#counts = longer(this.#counts, new Float64Array(length))
    this.#isBorrowed = false
  }

  /** What was borrowed is not ours to write to. */
  #leave(): void {
    this.#words = noCodes
    this.#counts = noNumbers
    this.#isBorrowed = false
  }

  cut(from: number, to: number): Bags {
    const start = this.#offsets[from]
    const end = this.#offsets[to]
    if (from === 0 && to === this.#bags)
      return this.#reuse && this.#offsets.length === 2 ? this.#only() : this.#whole(end)
    const offsets = this.#offsets.slice(from, to + 1)
    for (let i = 0; i < offsets.length; i++) offsets[i] -= start
    // good until the next chunk: no need of a copy
    const part = this.#reuse ? "subarray" : "slice"
    return { offsets, words: this.#words[part](start, end), counts: this.#counts[part](start, end) }
  }

  /** The only bag there is room for, in arrays that may be longer than it is. */
  #only(): Bags {
    if (this.#cut?.words !== this.#words) {
      this.#cut = { offsets: this.#offsets, words: this.#words, counts: this.#counts }
    }
    this.#cut.scaled = undefined
    return this.#cut
  }

  /** All that is here: nothing is copied. */
  #whole(end: number): Bags {
    const bags: Bags = {
      offsets: this.#offsets.subarray(0, this.#bags + 1),
      words: this.#words.subarray(0, end),
      counts: this.#counts.subarray(0, end),
    }
    if (!this.#reuse) {
      this.#offsets = noCodes
      this.#leave()
    }
    return bags
  }
}

/** NaN is missing too. */
function isSeen(cell: Cell): boolean {
  return cell !== null && cell !== undefined && (cell as unknown) === (cell as unknown)
}

function longer<T extends Float64Array | Int32Array>(old: T, fresh: T): T {
  fresh.set(old)
  return fresh
}
