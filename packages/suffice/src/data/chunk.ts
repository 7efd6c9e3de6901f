/** Chunks under construction: encoded cells, row by row, cut into blocks when a chunk is full. */
import type { Block, Chunk } from "../contract/block.ts"
import type { Cell } from "../contract/cells.ts"
import type { ColumnEncoder, UnseenListener } from "../contract/door.ts"
import { ONES } from "../kernels/all-ones.ts"
import type { ColumnMemory } from "../kernels/columns.ts"
import { BLOCK } from "./cut.ts"
import type { Schema } from "./discover.ts"
import { encoderOf } from "./encoders.ts"

const noCodes = /* @__PURE__ */ new Int32Array(BLOCK).fill(-1)

/** The codes of a column that is missing in every row; never written to. */
const UNSEEN: ColumnEncoder = {
  begin() {},
  extend() {},
  read() {},
  skip() {},
  cut: (from, to) => noCodes.subarray(0, to - from),
}

/** Collects rows until a chunk is full. */
export class ChunkBuilder {
  readonly #encoders: readonly ColumnEncoder[]
  #capacity: number
  readonly #memory: ColumnMemory | undefined
  rows = 0
  /** The number of row 0 in the data; and of all rows, if they are not consecutive. */
  #first = 0
  #numbers: Float64Array | undefined

  /** `memory`: where every chunk is read into, overwriting the last one; without it, chunks stay valid. `target`: a column that is never read. */
  constructor(schema: Schema, capacity: number, memory?: ColumnMemory, target?: string) {
    this.#encoders = schema.columns.map(column =>
      column.name === target && column.kind === "level" && memory
        ? UNSEEN
        : encoderOf(schema, column, memory),
    )
    this.#capacity = capacity
    this.#memory = memory
  }

  /** Add rows from … to − 1 of a slice whose first row is `first`, column by column; a column without cells is missing. */
  push(
    columns: readonly (ArrayLike<Cell> | undefined)[],
    first: number,
    from: number,
    to: number,
    onUnseen: UnseenListener,
  ): void {
    if (this.rows === 0) this.#begin()
    if (this.rows + to - from > this.#capacity) this.#extend(this.rows + to - from)
    this.#number(first + from, to - from)
    for (let c = 0; c < columns.length; c++) {
      const cells = columns[c]
      if (cells) this.#encoders[c].read(cells, first, from, to, this.rows, onUnseen)
      else this.#encoders[c].skip(to - from, this.rows)
    }
    this.rows += to - from
  }

  /** The next rows of the data begin with this one. */
  #number(row: number, count: number): void {
    const at = this.rows
    if (at === 0) this.#first = row
    if (!this.#numbers && row !== this.#first + at) {
      this.#numbers = new Float64Array(this.#capacity)
      for (let i = 0; i < at; i++) this.#numbers[i] = this.#first + i
    }
    for (let i = 0; this.#numbers && i < count; i++) this.#numbers[at + i] = row + i
  }

  #begin(): void {
    const capacity = this.#capacity
    const lifetime = this.#memory ? "chunk" : "fit"
    const lent = this.#memory?.lend(this, this.#encoders.length, capacity)
    for (let c = 0; c < this.#encoders.length; c++) this.#encoders[c].begin(capacity, lifetime, lent?.[c])
  }

  /** Soft labels may make more rows than there were. */
  #extend(rows: number): void {
    this.#capacity = 2 * rows
    for (const encoder of this.#encoders) encoder.extend(this.#capacity)
    if (!this.#numbers) return
    const numbers = new Float64Array(this.#capacity)
    numbers.set(this.#numbers)
    this.#numbers = numbers
  }

  /** The last chunk is no longer needed. */
  end(): void {
    this.#memory?.release(this)
  }

  /** Rows have weight 1 by default. */
  take(weight = ONES): Chunk {
    const blocks: Block[] = []
    for (let from = 0, to = 0; from < this.rows; from = to) {
      to = Math.min(from + BLOCK, this.rows)
      for (const encoder of this.#encoders) to = encoder.endOf?.(from, to) ?? to
      const numbers = { first: this.#first + from, numbers: this.#numbers?.subarray(from, to) }
      blocks.push({
        rows: to - from,
        weight: weight.subarray(from, to),
        cells: this.#encoders.map(encoder => encoder.cut(from, to, numbers)),
        ...numbers,
      })
    }
    this.rows = 0
    this.#numbers = undefined
    return blocks
  }
}
