/** Chunks under construction: held cells, row by row, cut into blocks when a chunk is full. */
import type { Block, Cell, Chunk, Held, Holder, Strangers } from "../contract.ts"
import type { Schema } from "./discover.ts"
import { holderOf } from "./holders.ts"

/** Engine constants, not options: what fits the cache, and what threads and checkpoints count by. */
export const BLOCK = 256
export const CHUNK = 8192

/** Gathers rows until a chunk is full. */
export class ChunkBuilder {
  readonly #holders: readonly Holder[]
  readonly #capacity: number
  readonly #reuse: boolean
  /** Of the rows so far; 1 unless it is changed. */
  weight = new Float64Array(0)
  rows = 0
  readonly #cells: Held[] = []
  #one: Block | undefined

  /** `reuse`: a chunk is good until the next one begins. */
  constructor(schema: Schema, capacity: number, reuse = false) {
    this.#holders = schema.columns.map(column => holderOf(schema, column))
    this.#capacity = capacity
    this.#reuse = reuse
  }

  /** Rows from … to − 1 of a slice whose first row is `first`, for which there is room, column by column; without cells all are missing. */
  push(
    columns: readonly (ArrayLike<Cell> | undefined)[],
    first: number,
    from: number,
    to: number,
    strangers: Strangers,
  ): void {
    if (this.rows === 0) this.#begin()
    for (let c = 0; c < columns.length; c++) {
      const cells = columns[c]
      if (cells) this.#holders[c].read(cells, first, from, to, this.rows, strangers)
      else this.#holders[c].skip(to - from, this.rows)
    }
    this.rows += to - from
  }

  #begin(): void {
    if (!this.#reuse || this.weight.length === 0) this.weight = new Float64Array(this.#capacity).fill(1)
    for (const holder of this.#holders) holder.begin(this.#capacity, this.#reuse)
  }

  /** `first`: the place of its first row, where that is asked for. */
  take(first?: number): Chunk {
    const blocks: Block[] = []
    for (let from = 0; from < this.rows; from += BLOCK) {
      const to = Math.min(from + BLOCK, this.rows)
      const cells = this.#cut(from, to, [])
      const weight = this.weight.subarray(from, to)
      blocks.push({ rows: to - from, weight, cells, ...(first !== undefined && { first: first + from }) })
    }
    this.rows = 0
    return blocks
  }

  /** The only row there is room for, in a block that is always the same. */
  takeOne(): Block {
    this.#cut(0, 1, this.#cells)
    this.rows = 0
    this.#one ??= { rows: 1, weight: this.weight, cells: this.#cells, first: 0 }
    return this.#one
  }

  #cut(from: number, to: number, cells: Held[]): Held[] {
    for (let c = 0; c < this.#holders.length; c++) cells[c] = this.#holders[c].cut(from, to)
    return cells
  }
}
