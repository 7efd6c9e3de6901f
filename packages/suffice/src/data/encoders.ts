/** Cells are encoded, column kind by column kind. Nothing past this point checks a cell again. */
import type { Encoded } from "../contract/block.ts"
import type { Cell, Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { ColumnEncoder, Lifetime, UnseenListener } from "../contract/door.ts"
import { type ColumnMemory, ORDINARY, standardise } from "../kernels/columns.ts"
import { binOf } from "./bins-explorer.ts"
import { countCell, levelCell, type NumberReader, numberCell, numberReader } from "./cells.ts"
import type { Schema } from "./discover.ts"
import { codeRun, doublesOf } from "./doubles.ts"
import { madeOf } from "./lagged.ts"
import { isSoft, sharesOf, softLevels } from "./soft.ts"
import { StepsEncoder } from "./steps-encoder.ts"

/** `memory`: where the numbers of a chunk may go. */
export function encoderOf(
  schema: Pick<Schema, "readings">,
  column: Column,
  memory = ORDINARY,
): ColumnEncoder {
  switch (column.kind) {
    case "number":
    case "count":
      return new NumberEncoder(column, memory)
    case "level":
      return column.cuts ? new BinEncoder(column, column.cuts) : new LevelEncoder(column)
    case "bag":
      return schema.readings.get(column.name)!.encoder(column)
    case "steps":
      return new StepsEncoder(
        column,
        column.columns.map(inner => encoderOf(schema, inner)),
        ({ name }) => madeOf(name, schema.readings.get(name)?.made),
      )
    default:
      return column satisfies never
  }
}

type NumberColumn = Extract<Column, { kind: "number" | "count" }>
type LevelColumn = Extract<Column, { kind: "level" }>

/** An encoder with one array element per row. */
class PlainEncoder<Of extends Column, Cells extends Float64Array | Int32Array> {
  protected readonly column: Of
  protected encoded: Cells
  #lent: Float64Array | undefined
  readonly #make: (rows: number, lent?: Float64Array) => Cells
  readonly #missing: number
  /** Cut blocks by where they begin, while chunk after chunk is read into the same array. */
  readonly #cuts = new Map<number, Cells>()

  constructor(column: Of, make: (rows: number, lent?: Float64Array) => Cells, missing: number) {
    this.column = column
    this.#make = make
    this.#missing = missing
    this.encoded = make(0)
  }

  begin(rows: number, lifetime: Lifetime, lent?: Float64Array): void {
    if (lifetime === "chunk" && this.encoded.length >= rows && this.#lent === lent) return
    this.#lent = lent
    this.encoded = this.#make(rows, lent)
    this.#cuts.clear()
  }

  extend(rows: number): void {
    if (this.encoded.length >= rows) return
    const fresh = this.#make(rows)
    fresh.set(this.encoded)
    this.encoded = fresh
    this.#cuts.clear()
  }

  skip(count: number, at: number): void {
    this.encoded.fill(this.#missing, at, at + count)
  }

  cut(from: number, to: number): Encoded {
    let cut = this.#cuts.get(from)
    if (cut?.length !== to - from) {
      cut = this.part(from, to)
      this.#cuts.set(from, cut)
    }
    return cut
  }

  protected part(from: number, to: number): Cells {
    return this.encoded.subarray(from, to) as Cells
  }
}

class NumberEncoder extends PlainEncoder<NumberColumn, Float64Array> implements ColumnEncoder {
  /** (shift, 1/scale), in an array because two numbers would be boxed for every call. */
  readonly #measure: Float64Array
  readonly #check: NumberReader
  /** A value above 0 stays above 0, as families take its logarithm. */
  readonly #least: number
  readonly #memory: ColumnMemory

  constructor(column: NumberColumn, memory: ColumnMemory) {
    super(column, (rows, lent) => lent ?? new Float64Array(rows), NaN)
    this.#memory = memory
    // a product, as a division would dominate the cost
    this.#measure =
      column.kind === "number" ? Float64Array.of(column.shift, 1 / column.scale) : Float64Array.of(0, 1)
    const support = column.kind === "number" ? column.within?.support : undefined
    this.#check = column.kind === "number" ? numberReader(support) : countCell
    this.#least = support === "positive" || support === "share" ? 1 / FARTHEST : -FARTHEST
  }

  read(cells: ArrayLike<Cell>, first: number, from: number, to: number, at: number): void {
    const { column, encoded } = this
    const measure = this.#measure
    const check = this.#check
    const least = this.#least
    // a column without a support is read in runs
    const doubles = check === numberCell ? doublesOf(cells, from, to) : undefined
    let run = this.#memory.standardise
    for (let i = from; i < to; i++) {
      // stops at a number beyond FARTHEST
      if (doubles) i = run(doubles, i, to, encoded, at + i - from, measure, FARTHEST)
      if (i === to) break
      // from now on by the plain twin, which stops at the next such number instead of passing over all of them
      run = standardise
      const value = (check(cells[i], first + i, column.name) - measure[0]) * measure[1]
      encoded[at + i - from] = value > FARTHEST ? FARTHEST : value < least ? least : value
    }
  }

  protected override part(from: number, to: number): Float64Array {
    return this.#memory.cut(this.encoded, from, to)
  }
}

class LevelEncoder extends PlainEncoder<LevelColumn, Int32Array> implements ColumnEncoder {
  readonly #codes: Codes
  readonly #beliefs: BeliefCodes | undefined

  constructor(column: LevelColumn) {
    super(column, rows => new Int32Array(rows), -1)
    this.#codes = codesOf(column, column.levels)
    this.#beliefs = column.beliefs && new BeliefCodes(column, column.beliefs)
  }

  read(
    cells: ArrayLike<Cell>,
    first: number,
    from: number,
    to: number,
    at: number,
    onUnseen: UnseenListener,
  ): void {
    const { all, small } = this.#codes
    const { name } = this.column
    const doubles = doublesOf(cells, from, to)
    for (let i = from; i < to; i++) {
      if (doubles) i = codeRun(doubles, i, to, small, this.encoded, at + i - from)
      if (i === to) break
      if (this.#beliefs && isSoft(cells[i])) {
        this.encoded[at + i - from] = this.#beliefs.code(cells[i], first + i, onUnseen)
        continue
      }
      const level = levelCell(cells[i], first + i, name)
      const code = level === undefined ? -1 : all.get(level)
      this.encoded[at + i - from] = code ?? -1
      if (code === undefined) onUnseen.level(first + i, name, level!)
    }
  }
}

/** Numbers become the level they lie in; a level may also be given by its name. */
class BinEncoder extends PlainEncoder<LevelColumn, Int32Array> implements ColumnEncoder {
  readonly #cuts: Float64Array
  readonly #codes: ReadonlyMap<unknown, number>

  constructor(column: LevelColumn, cuts: readonly number[]) {
    super(column, rows => new Int32Array(rows), -1)
    this.#cuts = Float64Array.from(cuts)
    this.#codes = new Map(column.levels.map((level, code) => [level, code]))
  }

  read(cells: ArrayLike<Cell>, first: number, from: number, to: number, at: number): void {
    for (let i = from; i < to; i++) {
      const cell = cells[i]
      let code = typeof cell === "string" ? this.#codes.get(cell) : undefined
      if (code === undefined) {
        const value = numberCell(cell, first + i, this.column.name)
        code = value === value ? binOf(this.#cuts, value) : -1
      }
      this.encoded[at + i - from] = code
    }
  }
}

/** The codes of soft labels of steps: −2 − n is the n-th belief of the column. A stream brings new ones. */
class BeliefCodes {
  readonly #name: string
  readonly #places: ReadonlyMap<string, number>
  readonly #shares: (readonly number[])[]
  readonly #known: Map<string, number>

  constructor({ name, levels }: LevelColumn, beliefs: readonly (readonly number[])[]) {
    this.#name = name
    this.#places = new Map(levels.map((level, place) => [String(level), place]))
    this.#shares = beliefs as (readonly number[])[]
    this.#known = new Map(beliefs.map((shares, n) => [shares.join(), n]))
  }

  code(cell: Cell, row: number, onUnseen: UnseenListener): number {
    const soft = softLevels(cell, row, this.#name)!
    const stranger = soft.find(({ name }) => !this.#places.has(name))
    if (stranger) {
      onUnseen.level(row, this.#name, stranger.name)
      return -1
    }
    const shares = sharesOf(soft, this.#places)
    const key = shares.join()
    let n = this.#known.get(key)
    if (n === undefined) {
      n = this.#shares.push(shares) - 1
      this.#known.set(key, n)
    }
    return -2 - n
  }
}

interface Codes {
  readonly all: ReadonlyMap<Level, number>
  /** The codes of levels that are small integers; −1: none. */
  readonly small: Int32Array
}

const known = /* @__PURE__ */ new WeakMap<Column, Codes>()

/** The code of each level; cached, since a question may be a single row. */
function codesOf(column: Column, levels: readonly Level[]): Codes {
  let codes = known.get(column)
  if (!codes) {
    codes = {
      all: new Map(levels.map((level, code) => [level, code])),
      small: new Int32Array(1024).fill(-1),
    }
    // whole numbers within
    for (const [level, code] of codes.all) {
      if (typeof level === "number" && level in codes.small) codes.small[level] = code
    }
    known.set(column, codes)
  }
  return codes
}

/**
 * Encoded numbers are clipped to ± this. Its square divided by the smallest variance that a family allows is finite, and so are sums of such
 * squares. Otherwise all scores of a far row would be −∞, and its posterior uniform.
 */
const FARTHEST = 1e140
