/** Rows taken out of blocks, bags and steps with them: mini-batches, samples, and single rows that are written to. */
import type { Bags, Block, Encoded, Nested } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import { asBags, blankRows, columnsWithin, isBags, isHole } from "./encoded.ts"
import { isWide, rowMajor } from "./row-major.ts"

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

/** Without the blocks that it was gathered from. */
function alone(block: Block): Block {
  const cells = block.cells.map(held => {
    if (ArrayBuffer.isView(held)) return held
    const nested = { offsets: held.offsets, block: alone(held.block), missing: held.missing }
    return isBags(held) ? asBags(nested) : nested
  })
  return { ...block, cells }
}

/** Row `row` of a block as a block of its own, to be written to; empty bags have space for `length` words. */
export function rowOf(columns: readonly Column[], block: Block, row: number, length: number): Block {
  const fresh = blankRows(columns, 1, length)
  const alone = gather(columns, { blocks: [block], rows: [row] })
  const cells = columns.map((column, place) =>
    column.kind === "bag" && isHole(column, alone.cells[place], 0) ? fresh.cells[place] : alone.cells[place],
  )
  return { rows: 1, weight: fresh.weight, cells }
}

/** Gathers rows into the same arrays again and again: a block is good until the next one. */
export class Gatherer {
  readonly #columns: readonly Column[]
  readonly #isWide: boolean
  #wideCells: WideCells | undefined
  readonly #weight = new Reused()
  #numbers = new Float64Array(0)
  /** By place. */
  readonly #cells: Reused[] = []
  readonly #offsets: Int32Array[] = []
  readonly #within: readonly (Gatherer | undefined)[]

  /** `again`: the same blocks are gathered from many times, so that a copy of a wide one is worth its memory. */
  constructor(columns: readonly Column[], again = false) {
    this.#columns = columns
    this.#isWide = again && isWide(columns)
    this.#within = columns.map(column => {
      const within = columnsWithin(column)
      return within && new Gatherer(within)
    })
  }

  gather({ blocks, rows }: Picks): Block {
    const count = rows.length
    const isNumbered = blocks[0]?.first !== undefined || blocks[0]?.numbers !== undefined
    if (!isNumbered) return this.#isWide ? this.#wide(blocks, rows) : this.runs(blocks, rows)
    if (this.#numbers.length !== count) this.#numbers = new Float64Array(count)
    const numbers = this.#numbers
    for (let j = 0; j < count; j++)
      numbers[j] = blocks[j].numbers?.[rows[j]] ?? (blocks[j].first ?? 0) + rows[j]
    const gathered = this.#isWide ? this.#wide(blocks, rows) : this.runs(blocks, rows, undefined, numbers)
    return { ...gathered, numbers }
  }

  /** One row of each of these blocks of plain cells, read where they stand side by side. */
  #wide(blocks: readonly Block[], rows: readonly number[]): Block {
    const count = rows.length
    const width = this.#columns.length
    const from = blocks.map(rowMajor)
    const weight = this.#weight.take(Float64Array, count)
    for (let j = 0; j < count; j++) weight[j] = blocks[j].weight[rows[j]]
    if (this.#wideCells?.rows !== count) this.#wideCells = new WideCells(this.#columns, count)
    const { cells, numbers, codes, isCode } = this.#wideCells
    for (let place = 0, at = 0; place < width; place++, at += count) {
      if (isCode[place]) for (let j = 0; j < count; j++) codes[at + j] = from[j][rows[j] * width + place]
      else for (let j = 0; j < count; j++) numbers[at + j] = from[j][rows[j] * width + place]
    }
    return { rows: count, weight, cells }
  }

  /** Rows starts[k] … ends[k] − 1 of blocks[k], for every k; without `ends` one of each. `numbers`: of the rows that steps stand in. */
  runs(
    blocks: readonly Block[],
    starts: readonly number[],
    ends: readonly number[] | undefined = starts.map(start => start + 1),
    numbers?: Float64Array,
  ): Block {
    if (blocks.length === 0) return blankRows(this.#columns, 0)
    const runs = { starts, ends, rows: starts.reduce((sum, start, k) => sum + ends[k] - start, 0) }
    const weight = this.#weight.fill(
      blocks.map(block => block.weight),
      runs,
    )
    const cells: Encoded[] = []
    // a column that some blocks lack is left out: what words weigh is computed block by block
    for (let place = 0; blocks.every(block => place < block.cells.length); place++) {
      const from = blocks.map(block => block.cells[place])
      this.#cells[place] ??= new Reused()
      cells[place] = ArrayBuffer.isView(from[0])
        ? this.#cells[place].fill(from as Plain[], runs)
        : this.#nested(from as Nested[], place, runs, numbers)
    }
    return { rows: runs.rows, weight, cells }
  }

  #nested(
    held: readonly Nested[],
    place: number,
    { starts, ends, rows: count }: Runs,
    numbers: Float64Array | undefined,
  ): Nested {
    const from: Nested[] = []
    const rows: number[] = []
    if (this.#offsets[place]?.length !== count + 1) this.#offsets[place] = new Int32Array(count + 1)
    const offsets = this.#offsets[place]
    for (let k = 0; k < starts.length; k++) {
      const own = held[k].offsets
      for (let row = starts[k]; row < ends[k]; row++) {
        offsets[rows.length + 1] = offsets[rows.length] + own[row + 1] - own[row]
        from.push(held[k])
        rows.push(row)
      }
    }
    const Made = isBags(held[0]) ? GatheredBags : GatheredRows
    return new Made({ from, rows }, offsets, this.#within[place]!, numbers)
  }
}

/** Cells of many columns, side by side in two arrays. */
class WideCells {
  readonly rows: number
  readonly numbers: Float64Array
  readonly codes: Int32Array
  readonly isCode: Uint8Array
  readonly cells: readonly Plain[]

  constructor(columns: readonly Column[], rows: number) {
    this.rows = rows
    this.isCode = Uint8Array.from(columns, ({ kind }) => (kind === "level" ? 1 : 0))
    this.numbers = new Float64Array(columns.length * rows)
    this.codes = new Int32Array(columns.length * rows)
    this.cells = columns.map(({ kind }, place) =>
      (kind === "level" ? this.codes : this.numbers).subarray(place * rows, (place + 1) * rows),
    )
  }
}

/** Which rows are gathered, and how many in all. */
interface Runs {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly rows: number
}

/** From here on a copy by the engine is faster than a loop; it also waits for more memory at a time. */
const LONG = 16

/** An array that is used again. */
class Reused {
  #all: Plain | undefined

  take<Array extends Plain>(make: new (length: number) => Array, rows: number): Array {
    // exact the first time: most are used once
    if (!this.#all || this.#all.length < rows) this.#all = new make(this.#all ? 2 * rows : rows)
    return (this.#all.length === rows ? this.#all : this.#all.subarray(0, rows)) as Array
  }

  fill<Array extends Plain>(from: readonly Array[], { starts, ends, rows }: Runs): Array {
    const to = this.take(from[0].constructor as new (length: number) => Array, rows)
    for (let k = 0, at = 0; k < starts.length; k++) {
      const [own, start, end] = [from[k], starts[k], ends[k]]
      if (end - start < LONG) for (let t = start; t < end; t++) to[at++] = own[t]
      else {
        to.set(own.subarray(start, end), at)
        at += end - start
      }
    }
    return to
  }
}

/** Inner rows of other blocks. Most learners read words where they stand; who asks for the block gets it gathered. */
class GatheredRows implements Nested {
  readonly picked: { readonly from: readonly Nested[]; readonly rows: readonly number[] }
  readonly offsets: Int32Array
  readonly #gatherer: Gatherer
  readonly #numbers: Float64Array | undefined
  #block: Block | undefined
  #missing: Uint8Array | undefined

  constructor(
    picked: GatheredRows["picked"],
    offsets: Int32Array,
    gatherer: Gatherer,
    numbers: Float64Array | undefined,
  ) {
    this.picked = picked
    this.offsets = offsets
    this.#gatherer = gatherer
    this.#numbers = numbers
  }

  get block(): Block {
    if (!this.#block) {
      const { from, rows } = this.picked
      const blocks = from.map(({ block }) => block)
      const starts = from.map(({ offsets }, j) => offsets[rows[j]])
      const ends = from.map(({ offsets }, j) => offsets[rows[j] + 1])
      const gathered = this.#gatherer.runs(blocks, starts, ends)
      this.#block = { ...gathered, numbers: this.#numbers, offsets: this.offsets }
    }
    return this.#block
  }

  get missing(): Uint8Array {
    const { from, rows } = this.picked
    this.#missing ??= Uint8Array.from(rows, (row, j) => from[j].missing?.[row] ?? 0)
    return this.#missing
  }
}

class GatheredBags extends GatheredRows implements Bags {
  declare readonly picked: NonNullable<Bags["picked"]>

  get words(): Int32Array {
    return this.block.cells[0] as Int32Array
  }

  get counts(): Float64Array {
    return this.block.weight
  }
}
