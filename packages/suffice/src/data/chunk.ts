/** Chunks under construction: held cells, row by row, cut into blocks when a chunk is full. */
import type { Block, Cell, Chunk, Holder, Strangers } from "../contract.ts"
import { ONES } from "../kernels/all-ones.ts"
import type { ColumnMemory } from "../kernels/columns.ts"
import type { Schema } from "./discover.ts"
import { holderOf } from "./holders.ts"

/**
 * Engine constants, not options: what threads and checkpoints count by, and what fits the cache while steps per block are few. No power of two:
 * scores of one row, a block apart for each slot, would fall into the same sets of the cache.
 */
export const BLOCK = 480
export const CHUNK = 8192

const noCodes = /* @__PURE__ */ new Int32Array(BLOCK).fill(-1)

/** Levels that are missing in every row, and never written to: nothing is held. */
const UNSEEN: Holder = {
  begin() {},
  read() {},
  skip() {},
  cut: (from, to) => noCodes.subarray(0, to - from),
}

/** Gathers rows until a chunk is full. */
export class ChunkBuilder {
  readonly #holders: readonly Holder[]
  readonly #capacity: number
  readonly #memory: ColumnMemory | undefined
  rows = 0

  /** `memory`: what each chunk is read into anew, so that it is good until the next; without it, chunks last. `asked`: a column that is never read. */
  constructor(schema: Schema, capacity: number, memory?: ColumnMemory, asked?: string) {
    this.#holders = schema.columns.map(column =>
      column.name === asked && column.kind === "level" && memory ? UNSEEN : holderOf(schema, column, memory),
    )
    this.#capacity = capacity
    this.#memory = memory
  }

  /** Rows from … to − 1 of a slice whose first row is `first`, column by column, at most as many as fit the chunk; without cells all are missing. */
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
    const lifetime = this.#memory ? "chunk" : "fit"
    const lent = this.#memory?.lend(this, this.#holders.length, capacity)
    for (let c = 0; c < this.#holders.length; c++) this.#holders[c].begin(capacity, lifetime, lent?.[c])
  }

  /** The last chunk is no longer needed. */
  end(): void {
    this.#memory?.release(this)
  }

  /** `first`: the place of its first row, where that is asked for. Rows weigh 1 unless something else is said. */
  take(first?: number, weight = ONES): Chunk {
    const blocks: Block[] = []
    for (let from = 0; from < this.rows; from += BLOCK) {
      const to = Math.min(from + BLOCK, this.rows)
      blocks.push({
        rows: to - from,
        weight: weight.subarray(from, to),
        cells: this.#holders.map(holder => holder.cut(from, to)),
        ...(first !== undefined && { first: first + from }),
      })
    }
    this.rows = 0
    return blocks
  }
}
