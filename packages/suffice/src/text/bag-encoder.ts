/** The bags of a chunk under construction: words and counts in sequence, and where each bag ends. */
import { bagsOf } from "../blocks/encoded.ts"
import type { Bags, Block, Encoded } from "../contract/block.ts"
import type { Cell } from "../contract/cells.ts"
import type { BagSink, ColumnEncoder, Lifetime, UnseenListener } from "../contract/door.ts"
import { notABag } from "../errors.ts"
import { sortWords } from "./sort.ts"
import { runOf, type SparseDocument, type SparseSource } from "./sparse.ts"
import type { Tally } from "./tally.ts"

/** Adds the words of a cell to the bag, each once; `unknown` is called for words that the column lacks. False if the cell is not a bag. */
export type ReadBag = (cell: Cell, bag: BagSink, unknown: ((word: string) => void) | undefined) => boolean

/** Maps codes of sparse counts to codes of the column. */
export interface CodeMap {
  /** −1 for a word that the column lacks. */
  readonly codes: Int32Array
  /** Every word has the same code in both. */
  readonly isSame: boolean
}

/** Knows the words of a column. */
export interface BagReader {
  readonly read: ReadBag
  mapOf(source: SparseSource): CodeMap
  /** Unknown words need not be reported. */
  readonly isSilent: boolean
  /** Whether an empty bag is evidence; missing cells are then marked. */
  readonly isEmptySeen: boolean
  /** Scratch for the words of one document. */
  readonly tally: Tally
}

const noNumbers = /* @__PURE__ */ new Float64Array(0)
const noCodes = /* @__PURE__ */ new Int32Array(0)

export class BagEncoder implements ColumnEncoder, BagSink {
  readonly #name: string
  readonly #reader: BagReader
  /** Reports unknown words; a single closure for all rows, which reads the current row. */
  readonly #unknown = (word: string): void => this.#tell?.(this.#row, this.#name, word)
  #tell: UnseenListener["word"]
  #row = 0
  #offsets = noCodes
  #bags = 0
  #words: Int32Array = noCodes
  #counts: Float64Array = noNumbers
  #length = 0
  /** How many rows come with this one. */
  #coming = 0
  /** By bag: 1 if the cell is missing, if that is marked. */
  #missing: Uint8Array | undefined
  #lifetime: Lifetime = "fit"
  #cut: Reused | undefined

  constructor(name: string, reader: BagReader) {
    this.#name = name
    this.#reader = reader
  }

  /** What is cut from a chunk that lasts is a copy, or no longer used here. */
  begin(rows: number, lifetime: Lifetime): void {
    this.#lifetime = lifetime
    if (this.#words.length === this.#length) this.#leave()
    if (this.#offsets.length <= rows) this.#offsets = new Int32Array(rows + 1)
    this.#bags = 0
    this.#length = 0
    this.#missing = undefined
  }

  extend(rows: number): void {
    if (this.#offsets.length > rows) return
    this.#offsets = longer(this.#offsets, new Int32Array(rows + 1))
    if (this.#missing) this.#missing = longer(this.#missing, new Uint8Array(rows + 1))
  }

  read(
    cells: ArrayLike<Cell>,
    first: number,
    from: number,
    to: number,
    _at: number,
    { word }: UnseenListener,
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

  /** Reads `count` documents of a source, starting with this one; `row`: their first row in the data. `isAll`: they are all that is read at once. */
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
      // used in place: these arrays are full, so nothing is ever written to them
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

  /** Sorted by code, whatever form the document has: the order decides the bits, and makes passes faster. */
  addWords(codes: Int32Array, counts: Float64Array | Int32Array, from: number, to: number): void {
    this.#reserve(to - from)
    sortWords(codes, counts, from, to, this.#words, this.#counts, this.#length)
    this.#length += to - from
  }

  /** Reserves space for `size` more words, and for the expected rest of the chunk by the mean length so far, within limits. */
  #reserve(size: number): void {
    const end = this.#length + size
    if (this.#words.length >= end) return
    const coming = (1.1 * end * this.#coming) / (this.#bags + 1)
    const length = Math.ceil(end + Math.max(Math.min(coming, 8 * end), end / 2))
    this.#words = longer(this.#words, new Int32Array(length))
    this.#counts = longer(this.#counts, new Float64Array(length))
  }

  /** Arrays without spare capacity may belong to a source, or have been handed over: start new ones. */
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
    // valid until the next chunk: no copy needed
    const part = this.#lifetime === "chunk" ? "subarray" : "slice"
    return bagsOf(
      offsets,
      this.#words[part](start, end),
      this.#counts[part](start, end),
      this.#missing?.slice(from, to),
    )
  }

  /** The single bag of a one-row chunk, in arrays that may be longer than it. */
  #only(): Bags {
    if (this.#cut?.words !== this.#words)
      this.#cut = bagsOf(this.#offsets, this.#words, this.#counts) as Reused
    this.#cut.block.rows = this.#length
    // not scaled yet
    this.#cut.block.cells.length = 1
    this.#cut.missing = this.#missing
    return this.#cut
  }

  /** Hands over everything without copying. */
  #whole(end: number): Bags {
    const offsets = this.#offsets.subarray(0, this.#bags + 1)
    const bags = bagsOf(offsets, this.#words.subarray(0, end), this.#counts.subarray(0, end), this.#missing)
    if (this.#lifetime === "fit") {
      this.#offsets = noCodes
      this.#leave()
    }
    return bags
  }
}

/** Bags of one row, which the next one takes the place of. */
interface Reused extends Bags {
  missing?: ArrayLike<number> | undefined
  readonly block: Block & { rows: number; readonly cells: Encoded[] }
}

/** NaN also counts as missing. */
function isSeen(cell: Cell): boolean {
  return cell !== null && cell !== undefined && (cell as unknown) === (cell as unknown)
}

function longer<T extends Float64Array | Int32Array | Uint8Array>(old: T, fresh: T): T {
  fresh.set(old)
  return fresh
}
