/** Chunks under construction: held cells, row by row, cut into blocks when a chunk is full. */
import type { Bags, Block, Chunk, Column, Held } from "../contract.ts"
import type { Schema } from "./discover.ts"

/** Engine constants, not options: what fits the cache, and what threads and checkpoints count by. */
export const BLOCK = 256
export const CHUNK = 8192

/** Writes the cells of rows from … to − 1 at places `at`, at + 1, … of a chunk under construction. */
export type CellReader = (from: number, to: number, target: ColumnBuilder, at: number) => void

/** A Map holds at most 2^24 words and a text at most 2^29 characters, so code · ROOM + place is exact. */
const ROOM = 536870912

/** Bags up to this many words are sorted by insertion, which needs no view of the scratch. */
const FEW = 32

/** Shared: a question of one row would make hundreds of them. */
const noNumbers = /* @__PURE__ */ new Float64Array(0)
const noCodes = /* @__PURE__ */ new Int32Array(0)

/** One column of the chunk under construction. */
export class ColumnBuilder {
  readonly numbers: Float64Array
  readonly codes: Int32Array
  #offsets = noCodes
  #bags = 0
  #words = noCodes
  #counts = noNumbers
  #length = 0
  // the bag under construction: its words as they came, with their counts
  #codes = new Int32Array(0)
  #came = new Float64Array(0)
  #size = 0
  #isSorted = true
  #isOnes = true

  constructor(kind: Column["kind"], rows: number) {
    this.numbers = kind === "number" || kind === "count" ? new Float64Array(rows) : noNumbers
    this.codes = kind === "level" ? new Int32Array(rows) : noCodes
    if (kind === "bag") this.#offsets = new Int32Array(rows + 1)
  }

  addWord(code: number, count: number): void {
    const size = this.#size++
    if (size === this.#codes.length) {
      this.#codes = longer(this.#codes, new Int32Array(2 * size + 64))
      this.#came = longer(this.#came, new Float64Array(2 * size + 64))
    }
    if (size > 0 && code < this.#codes[size - 1]) this.#isSorted = false
    if (count !== 1) this.#isOnes = false
    this.#codes[size] = code
    this.#came[size] = count
  }

  /** Words of a bag are held in order of their codes, however the text had them. */
  endBag(): void {
    const size = this.#size
    if (!this.#isSorted) this.#sort()
    if (this.#length + size > this.#words.length) {
      this.#words = longer(this.#words, new Int32Array(2 * (this.#length + size)))
      this.#counts = longer(this.#counts, new Float64Array(2 * (this.#length + size)))
    }
    const codes = this.#codes
    for (let t = 0, last = -1; t < size; t++) {
      if (codes[t] === last) this.#counts[this.#length - 1] += this.#came[t]
      else {
        last = codes[t]
        this.#words[this.#length] = last
        this.#counts[this.#length++] = this.#came[t]
      }
    }
    this.#size = 0
    this.#isSorted = true
    this.#isOnes = true
    this.#offsets[++this.#bags] = this.#length
  }

  /** Equal words stay in the order in which they came. */
  #sort(): void {
    if (this.#size <= FEW) {
      sortFew(this.#codes, this.#came, this.#size)
      return
    }
    const codes = this.#codes.subarray(0, this.#size)
    if (this.#isOnes) {
      codes.sort()
      return
    }
    const keys = Float64Array.from(codes, (code, place) => code * ROOM + place).sort()
    const came = this.#came.slice()
    for (let t = 0; t < keys.length; t++) {
      codes[t] = Math.floor(keys[t] / ROOM)
      this.#came[t] = came[keys[t] - codes[t] * ROOM]
    }
  }

  /** The rows [from, to) as held cells. */
  cut(kind: Column["kind"], from: number, to: number): Held {
    if (kind === "number" || kind === "count") return this.numbers.subarray(from, to)
    if (kind === "level") return this.codes.subarray(from, to)
    const start = this.#offsets[from]
    const end = this.#offsets[to]
    const offsets = this.#offsets.slice(from, to + 1)
    for (let i = 0; i < offsets.length; i++) offsets[i] -= start
    const bags: Bags = {
      offsets,
      words: this.#words.slice(start, end),
      counts: this.#counts.slice(start, end),
    }
    return bags
  }
}

function longer<T extends Float64Array | Int32Array>(old: T, fresh: T): T {
  fresh.set(old)
  return fresh
}

function sortFew(codes: Int32Array, counts: Float64Array, size: number): void {
  for (let t = 1; t < size; t++) {
    const code = codes[t]
    const count = counts[t]
    let at = t
    for (; at > 0 && codes[at - 1] > code; at--) {
      codes[at] = codes[at - 1]
      counts[at] = counts[at - 1]
    }
    codes[at] = code
    counts[at] = count
  }
}

/** Gathers rows until a chunk is full. */
export class ChunkBuilder {
  readonly #schema: Schema
  readonly #capacity: number
  #columns: ColumnBuilder[] = []
  /** Of the rows so far; 1 unless it is changed. */
  weight = new Float64Array(0)
  rows = 0

  constructor(schema: Schema, capacity: number) {
    this.#schema = schema
    this.#capacity = capacity
  }

  /** Arrays for a new chunk. */
  begin(): void {
    this.weight = new Float64Array(this.#capacity).fill(1)
    this.#columns = this.#schema.columns.map(column => new ColumnBuilder(column.kind, this.#capacity))
  }

  /** Rows from … to − 1, for which there is room, column by column. */
  push(from: number, to: number, readers: readonly CellReader[]): void {
    if (this.rows === 0) this.begin()
    for (let c = 0; c < readers.length; c++) readers[c](from, to, this.#columns[c], this.rows)
    this.rows += to - from
  }

  take(): Chunk {
    const blocks: Block[] = []
    for (let from = 0; from < this.rows; from += BLOCK) {
      const to = Math.min(from + BLOCK, this.rows)
      blocks.push({
        rows: to - from,
        weight: this.weight.subarray(from, to),
        cells: this.#columns.map((column, c) => column.cut(this.#schema.columns[c].kind, from, to)),
      })
    }
    this.rows = 0
    return blocks
  }
}
