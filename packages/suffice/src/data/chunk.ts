/** Chunks under construction: held cells, row by row, cut into blocks when a chunk is full. */
import type { BagSink, Bags, Block, Chunk, Column, Held } from "../contract.ts"
import type { Schema } from "./discover.ts"

/** Engine constants, not options: what fits the cache, and what threads and checkpoints count by. */
export const BLOCK = 256
export const CHUNK = 8192

/** Writes the cells of rows from … to − 1 at places `at`, at + 1, … of a chunk under construction. */
export type CellReader = (from: number, to: number, target: ColumnBuilder, at: number) => void

/** Shared: a question of one row would make hundreds of them. */
const noNumbers = /* @__PURE__ */ new Float64Array(0)
const noCodes = /* @__PURE__ */ new Int32Array(0)

/** One column of the chunk under construction. */
export class ColumnBuilder implements BagSink {
  readonly numbers: Float64Array
  readonly codes: Int32Array
  readonly #rows: number
  #offsets = noCodes
  #bags = 0
  #words = noCodes
  #counts = noNumbers
  #length = 0

  constructor(kind: Column["kind"], rows: number) {
    this.numbers = kind === "number" || kind === "count" ? new Float64Array(rows) : noNumbers
    this.codes = kind === "level" ? new Int32Array(rows) : noCodes
    this.#rows = rows
    if (kind === "bag") this.empty()
  }

  /** Begins anew: what was cut is a copy. */
  empty(): this {
    if (this.#offsets.length === 0) this.#offsets = new Int32Array(this.#rows + 1)
    this.#bags = 0
    this.#length = 0
    return this
  }

  /** In order of their codes, each once. */
  addWords(codes: Int32Array, counts: Float64Array, size: number): void {
    const at = this.#length
    if (at + size > this.#words.length) {
      const length = 2 * at + size + 64
      this.#words = longer(this.#words, new Int32Array(length))
      this.#counts = longer(this.#counts, new Float64Array(length))
    }
    const [words, own] = [this.#words, this.#counts]
    for (let t = 0; t < size; t++) {
      words[at + t] = codes[t]
      own[at + t] = counts[t]
    }
    this.#length = at + size
  }

  endBag(): void {
    this.#offsets[++this.#bags] = this.#length
  }

  /** The rows [from, to) as held cells. */
  cut(kind: Column["kind"], from: number, to: number): Held {
    if (kind === "number" || kind === "count") return this.numbers.subarray(from, to)
    if (kind === "level") return this.codes.subarray(from, to)
    const start = this.#offsets[from]
    const end = this.#offsets[to]
    if (from === 0 && to === this.#bags) return this.#whole(end)
    const offsets = this.#offsets.slice(from, to + 1)
    for (let i = 0; i < offsets.length; i++) offsets[i] -= start
    const bags: Bags = {
      offsets,
      words: this.#words.slice(start, end),
      counts: this.#counts.slice(start, end),
    }
    return bags
  }

  /** All that is here, which is then gone: nothing is copied. */
  #whole(end: number): Bags {
    const bags: Bags = {
      offsets: this.#offsets.subarray(0, this.#bags + 1),
      words: this.#words.subarray(0, end),
      counts: this.#counts.subarray(0, end),
    }
    this.#offsets = noCodes
    this.#words = noCodes
    this.#counts = noNumbers
    return bags
  }
}

function longer<T extends Float64Array | Int32Array>(old: T, fresh: T): T {
  fresh.set(old)
  return fresh
}

/** Gathers rows until a chunk is full. */
export class ChunkBuilder {
  readonly #schema: Schema
  readonly #capacity: number
  readonly #reuse: boolean
  #columns: ColumnBuilder[] = []
  /** Of the rows so far; 1 unless it is changed. */
  weight = new Float64Array(0)
  rows = 0

  /** `reuse`: a chunk is good until the next one begins. */
  constructor(schema: Schema, capacity: number, reuse = false) {
    this.#schema = schema
    this.#capacity = capacity
    this.#reuse = reuse
  }

  /** Arrays for a new chunk. Bags are copied when they are cut, so theirs go on. */
  #begin(): void {
    const { columns } = this.#schema
    if (!this.#reuse || this.#columns.length === 0) this.weight = new Float64Array(this.#capacity).fill(1)
    this.#columns = columns.map(({ kind }, c) =>
      this.#columns[c] && (this.#reuse || kind === "bag")
        ? this.#columns[c].empty()
        : new ColumnBuilder(kind, this.#capacity),
    )
  }

  /** Rows from … to − 1, for which there is room, column by column. */
  push(from: number, to: number, readers: readonly CellReader[]): void {
    if (this.rows === 0) this.#begin()
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
