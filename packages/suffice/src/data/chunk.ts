/** Chunks under construction: held cells, row by row, cut into blocks when a chunk is full. */
import type { Block, Cell, Chunk, Holder, Stay, Strangers } from "../contract.ts"
import { fastKernels } from "../kernels/twins.ts"
import type { Schema } from "./discover.ts"
import { holderOf } from "./holders.ts"

/**
 * Engine constants, not options: what threads and checkpoints count by, and what fits the cache while steps per block are few. No power of two:
 * scores of one row, a block apart for each slot, would fall into the same sets of the cache.
 */
export const BLOCK = 480
export const CHUNK = 8192

/** Gathers rows until a chunk is full. */
export class ChunkBuilder {
  readonly #holders: readonly Holder[]
  readonly #capacity: number
  readonly #stay: Stay
  /** Of the rows so far; 1 unless it is changed. */
  weight = new Float64Array(0)
  rows = 0

  constructor(schema: Schema, capacity: number, stay: Stay) {
    this.#holders = schema.columns.map(column => holderOf(schema, column))
    this.#capacity = capacity
    this.#stay = stay
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
    const capacity = this.#capacity
    const stay = this.#stay
    if (stay !== "brief" || this.weight.length === 0) this.weight = new Float64Array(capacity).fill(1)
    const near = stay === "brief" ? fastKernels()?.near.lend(this, this.#holders.length, capacity) : undefined
    for (let c = 0; c < this.#holders.length; c++) this.#holders[c].begin(capacity, stay, near?.[c])
  }

  /** The last chunk is no longer needed. */
  end(): void {
    fastKernels()?.near.release(this)
  }

  /** `first`: the place of its first row, where that is asked for. */
  take(first?: number): Chunk {
    const blocks: Block[] = []
    for (let from = 0; from < this.rows; from += BLOCK) {
      const to = Math.min(from + BLOCK, this.rows)
      blocks.push({
        rows: to - from,
        weight: this.weight.subarray(from, to),
        cells: this.#holders.map(holder => holder.cut(from, to)),
        ...(first !== undefined && { first: first + from }),
      })
    }
    this.rows = 0
    return blocks
  }
}
