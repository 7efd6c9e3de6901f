/** Bags of a chunk under construction: words and counts one after the other, and where each bag ends. */
import type { BagSink, Bags, Cell, Holder, Lifetime, Strangers } from "../contract.ts"
import { notABag } from "../errors.ts"
import { sortWords } from "./sort.ts"
import { runOf, type SparseDocument, type SparseSource } from "./sparse.ts"
import type { Tally } from "./tally.ts"

/** The words of a cell into the bag, each once; `unknown` hears of words that were never met. False: no bag. */
export type ReadBag = (cell: Cell, bag: BagSink, unknown: ((word: string) => void) | undefined) => boolean

/** Codes of sparse counts to codes of the column. */
export interface CodeMap {
  /** −1: a word that the column does not have. */
  readonly codes: Int32Array
  /** Every word has the same code there and here. */
  readonly isSame: boolean
}

/** Knows the words of a column. */
export interface BagReader {
  readonly read: ReadBag
  mapOf(source: SparseSource): CodeMap
  /** Nobody hears of unknown words. */
  readonly isSilent: boolean
  /** Are empty bags seen? Then those that are missing are told apart. */
  readonly isEmptySeen: boolean
  /** Room for the words of one document. */
  readonly tally: Tally
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
  /** How many rows come with this one. */
  #coming = 0
  /** By bag: 1 where the cell is missing, and that is told apart. */
  #missing: Uint8Array | undefined
  #lifetime: Lifetime = "fit"
  #cut: (Bags & { missing?: ArrayLike<number> | undefined }) | undefined

  constructor(name: string, reader: BagReader) {
    this.#name = name
    this.#reader = reader
  }

  /** What is cut from a chunk that lasts is a copy, or gone from here. */
  begin(rows: number, lifetime: Lifetime): void {
    this.#lifetime = lifetime
    if (this.#words.length === this.#length) this.#leave()
    if (this.#offsets.length <= rows) this.#offsets = new Int32Array(rows + 1)
    this.#bags = 0
    this.#length = 0
    this.#missing = undefined
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
      this.#coming = to - i
      if (!isSeen(cell)) this.skip(1)
      else if (this.#reader.read(cell, this, unknown)) this.#end()
      else throw notABag(cell, this.#row, this.#name)
    }
  }

  /** `count` documents of a source, from this one on; `row`: that of the first in the data. `isAll`: they are all that is read at once. */
  #readRun({ source, row: from }: SparseDocument, count: number, row: number, isAll: boolean): void {
    const { offsets, codes, counts } = source
    const map = this.#reader.mapOf(source)
    const to = from + count
    if (!map.isSame || count === 1) {
      for (let d = from; d < to; d++) this.#readDocument(source, map, d, row + d - from)
      return
    }
    const start = offsets[from]
    const end = offsets[to]
    const at = this.#length
    const words = codes.subarray(start, end)
    const times = counts.subarray(start, end)
    if (isAll && this.#bags === 0 && this.#lifetime === "chunk") {
      // read where they are: these arrays are full, so nothing is ever written to them
      this.#words = words
      this.#counts = times
    } else {
      this.#reserve(end - start)
      this.#words.set(words, at)
      this.#counts.set(times, at)
    }
    this.#length += end - start
    const own = this.#offsets
    let bags = this.#bags
    for (let d = from + 1; d <= to; d++) own[++bags] = offsets[d] - start + at
    this.#bags = bags
  }

  #readDocument({ offsets, codes, counts, words }: SparseSource, map: CodeMap, d: number, row: number): void {
    const { tally } = this.#reader
    const start = offsets[d]
    const size = offsets[d + 1] - start
    const tell = this.#reader.isSilent ? undefined : this.#tell
    tally.begin(size)
    for (let t = start; t < start + size; t++) {
      const code = map.codes[codes[t]]
      if (code < 0) tell?.(row, this.#name, words[codes[t]])
      else tally.add(code, counts[t])
    }
    tally.give(this)
    this.#end()
  }

  skip(count: number): void {
    if (this.#reader.isEmptySeen) {
      this.#missing ??= new Uint8Array(this.#offsets.length)
      this.#missing.fill(1, this.#bags, this.#bags + count)
    }
    for (let i = 0; i < count; i++) this.#end()
  }

  /** A bag ends here. */
  #end(): void {
    this.#offsets[++this.#bags] = this.#length
  }

  /** In order of codes, whatever form the document has: the order decides the bits, and makes passes faster. */
  addWords(codes: Int32Array, counts: Float64Array | Int32Array, from: number, to: number): void {
    this.#reserve(to - from)
    sortWords(codes, counts, from, to, this.#words, this.#counts, this.#length)
    this.#length += to - from
  }

  /** Makes place for `size` words more, and for those that come if bags go on as long as they were; not for too many at once. */
  #reserve(size: number): void {
    const end = this.#length + size
    if (this.#words.length >= end) return
    const coming = (1.1 * end * this.#coming) / (this.#bags + 1)
    const length = Math.ceil(end + Math.max(Math.min(coming, 8 * end), end / 2))
    this.#words = longer(this.#words, new Int32Array(length))
    this.#counts = longer(this.#counts, new Float64Array(length))
  }

  /** Arrays without room may be those of a source, or gone from here. */
  #leave(): void {
    this.#words = noCodes
    this.#counts = noNumbers
  }

  cut(from: number, to: number): Bags {
    const start = this.#offsets[from]
    const end = this.#offsets[to]
    if (from === 0 && to === this.#bags)
      return this.#lifetime === "chunk" && this.#offsets.length === 2 ? this.#only() : this.#whole(end)
    const offsets = this.#offsets.slice(from, to + 1)
    for (let i = 0; i < offsets.length; i++) offsets[i] -= start
    // good until the next chunk: no need of a copy
    const part = this.#lifetime === "chunk" ? "subarray" : "slice"
    return {
      offsets,
      words: this.#words[part](start, end),
      counts: this.#counts[part](start, end),
      missing: this.#missing?.slice(from, to),
    }
  }

  /** The bag of a chunk of one row, in arrays that may be longer than it is. */
  #only(): Bags {
    if (this.#cut?.words !== this.#words) {
      this.#cut = { offsets: this.#offsets, words: this.#words, counts: this.#counts }
    }
    this.#cut.scaled = undefined
    this.#cut.missing = this.#missing
    return this.#cut
  }

  /** All that is here: nothing is copied. */
  #whole(end: number): Bags {
    const bags: Bags = {
      offsets: this.#offsets.subarray(0, this.#bags + 1),
      words: this.#words.subarray(0, end),
      counts: this.#counts.subarray(0, end),
      missing: this.#missing,
    }
    if (this.#lifetime === "fit") {
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
