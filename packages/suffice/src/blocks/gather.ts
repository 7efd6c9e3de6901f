/** Rows taken out of blocks, bags and steps with them: mini-batches, samples, and single rows that are written to. */
import type { Bags, Block, Encoded, Nested } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import { emptyRow, isHole } from "./encoded.ts"

type Plain = Int32Array | Float64Array

/** Rows out of blocks: row rows[j] of blocks[j]. */
export interface Picks {
  readonly blocks: Block[]
  readonly rows: number[]
}

/** These rows as one block of its own, which holds on to no other. */
export function gather(columns: readonly Column[], picks: Picks): Block {
  return alone(new Gatherer(columns).gather(picks))
}

/** Without the blocks that bags were gathered from. */
function alone(block: Block): Block {
  return {
    ...block,
    cells: block.cells.map(held => {
      if (held instanceof GatheredBags) return held.alone()
      return "block" in held ? { ...held, block: alone(held.block) } : held
    }),
  }
}

/** Row `row` of a block as a block of its own, to be written to; empty bags have room for `length` words. */
export function rowOf(columns: readonly Column[], block: Block, row: number, length: number): Block {
  const fresh = emptyRow(columns, length)
  const alone = gather(columns, { blocks: [block], rows: [row] })
  const cells = columns.map((column, place) =>
    column.kind === "bag" && isHole(column, alone.cells[place], 0) ? fresh.cells[place] : alone.cells[place],
  )
  return { rows: 1, weight: fresh.weight, cells }
}

/** Gathers rows into the same arrays again and again: a block is good until the next one. */
export class Gatherer {
  readonly #columns: readonly Column[]
  #weight = new Float64Array(0)
  #numbers = new Float64Array(0)
  /** By place, as are those that gather steps. */
  readonly #arrays: readonly Arrays[]
  readonly #within: readonly (Gatherer | undefined)[]

  constructor(columns: readonly Column[]) {
    this.#columns = columns
    this.#arrays = columns.map(() => new Arrays())
    this.#within = columns.map(column => (column.kind === "steps" ? new Gatherer(column.columns) : undefined))
  }

  gather({ blocks, rows }: Picks): Block {
    const count = rows.length
    if (this.#weight.length !== count) {
      this.#weight = new Float64Array(count)
      this.#numbers = new Float64Array(count)
    }
    const weight = this.#weight
    const isNumbered = blocks[0]?.first !== undefined || blocks[0]?.numbers !== undefined
    const numbers = isNumbered ? this.#numbers : undefined
    for (let j = 0; j < count; j++) {
      weight[j] = blocks[j].weight[rows[j]]
      if (numbers) numbers[j] = blocks[j].numbers?.[rows[j]] ?? (blocks[j].first ?? 0) + rows[j]
    }
    const cells = this.#columns.map(({ kind }, place): Encoded => {
      const arrays = this.#arrays[place]
      if (kind === "steps") return this.#steps(blocks, place, rows, numbers)
      if (kind === "bag")
        return new GatheredBags(
          blocks.map(block => block.cells[place] as Bags),
          rows,
          arrays,
        )
      if (arrays.cells.length !== count)
        arrays.cells = new (kind === "level" ? Int32Array : Float64Array)(count)
      for (let j = 0; j < count; j++) arrays.cells[j] = (blocks[j].cells[place] as Plain)[rows[j]]
      return arrays.cells
    })
    return { rows: count, weight, cells, ...(numbers && { numbers }) }
  }

  #steps(
    blocks: readonly Block[],
    place: number,
    rows: readonly number[],
    numbers: Float64Array | undefined,
  ): Nested {
    const from = blocks.map(block => block.cells[place] as Nested)
    const offsets = this.#arrays[place].ends(from, rows)
    const picks: Picks = { blocks: [], rows: [] }
    for (let j = 0; j < rows.length; j++) {
      const { offsets, block } = from[j]
      for (let t = offsets[rows[j]]; t < offsets[rows[j] + 1]; t++) {
        picks.blocks.push(block)
        picks.rows.push(t)
      }
    }
    const missing = Uint8Array.from(rows, (row, j) => from[j].missing?.[row] ?? 0)
    return { offsets, missing, block: { ...this.#within[place]!.gather(picks), numbers, offsets } }
  }
}

/** Arrays of one column, used again. */
class Arrays {
  cells: Plain = new Int32Array(0)
  offsets = new Int32Array(0)
  words = new Int32Array(0)
  counts = new Float64Array(0)
  scaled = new Float64Array(0)

  /** Where each of the rows ends, one after the other. */
  ends(from: readonly Pick<Nested, "offsets">[], rows: readonly number[]): Int32Array {
    const count = rows.length
    if (this.offsets.length !== count + 1) this.offsets = new Int32Array(count + 1)
    const { offsets } = this
    for (let j = 0; j < count; j++) {
      const own = from[j].offsets
      offsets[j + 1] = offsets[j] + own[rows[j] + 1] - own[rows[j]]
    }
    return offsets
  }
}

/** Rows of other bags. Most learners read them where they stand; who asks for words gets them gathered. */
class GatheredBags implements Bags {
  readonly offsets: Int32Array
  readonly picked: { readonly from: readonly Bags[]; readonly rows: readonly number[] }
  readonly #arrays: Arrays
  #words: Int32Array | undefined
  #counts: Float64Array | undefined
  #scaled: Float64Array | undefined

  constructor(from: readonly Bags[], rows: readonly number[], arrays: Arrays) {
    this.offsets = arrays.ends(from, rows)
    this.picked = { from, rows }
    this.#arrays = arrays
  }

  get words(): Int32Array {
    this.#words ??= this.#fill("words", Int32Array)
    return this.#words
  }

  get counts(): Float64Array {
    this.#counts ??= this.#fill("counts", Float64Array)
    return this.#counts
  }

  get missing(): ArrayLike<number> {
    return this.picked.rows.map((row, j) => this.picked.from[j].missing?.[row] ?? 0)
  }

  get scaled(): Float64Array | undefined {
    if (this.picked.from.every(bags => bags.scaled)) this.#scaled ??= this.#fill("scaled", Float64Array)
    return this.#scaled
  }

  set scaled(scaled: Float64Array | undefined) {
    this.#scaled = scaled
  }

  /** The same, without the rows they were gathered from. */
  alone(): Bags {
    const { offsets, words, scaled, counts, missing } = this
    return { offsets, words, counts, missing, ...(scaled && { scaled }) }
  }

  #fill<Key extends "words" | "counts" | "scaled">(
    key: Key,
    make: new (length: number) => Arrays[Key],
  ): Arrays[Key] {
    const { from, rows } = this.picked
    const size = this.offsets[rows.length]
    if (this.#arrays[key].length < size) this.#arrays[key] = new make(roomFor(size, this.#arrays[key]))
    const to = this.#arrays[key]
    for (let j = 0; j < rows.length; j++) {
      const { offsets, [key]: values } = from[j]
      // whole runs at once: rows that stand far apart are waited for, and this waits for more of them at a time
      to.set(values!.subarray(offsets[rows[j]], offsets[rows[j] + 1]), this.offsets[j])
    }
    return to
  }
}

/** Exact the first time: most are used once. */
function roomFor(size: number, before: { readonly length: number }): number {
  return before.length === 0 ? size : 2 * size
}
