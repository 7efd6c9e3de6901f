/**
 * Steps at the door: a cell is a list of rows. The steps of many rows are concatenated, column by column, and go through the explorers and encoders of
 * their columns as if they were rows; messages name the row and the step.
 *
 *     [{ x: 1, y: "a" }, null, …]     rows; null: a step in which nothing is seen
 *     { x: [1, …], y: ["a", …] }      columns of equal length
 *     [1, …]                          cells, if there is one column
 *     null, []                        missing, and no steps: neither is evidence
 */
import { ownerOf } from "../blocks/encoded.ts"
import type { Cell } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { MadeCells } from "../contract/door.ts"
import { didYouMean, list, nearest, SufficeError, show } from "../errors.ts"
import { isMissing } from "./cells.ts"

/** The steps of some rows. */
export interface LaidSteps {
  /** Step t of row i is offsets[i] + t. */
  readonly offsets: Int32Array
  readonly steps: number
  /** By column; undefined: no step has it, or none of those that it is made of. */
  readonly columns: readonly (ArrayLike<Cell> | undefined)[]
  /** The sources that some step has. */
  readonly present: ReadonlySet<string>
}

/** A column of steps as it is read: `made` if the steps do not have it. */
export interface StepColumn {
  readonly name: string
  readonly kind: Column["kind"]
  readonly made?: MadeCells | undefined
}

/** Reads the steps of one column. */
export class StepReader {
  readonly #name: string
  readonly #columns: readonly StepColumn[]
  /** The columns that the steps should have. */
  readonly sources: readonly string[]
  /** If there is one column: its cells may be objects themselves. */
  readonly #isObject: boolean

  constructor(name: string, columns: readonly StepColumn[]) {
    this.#name = name
    this.#columns = columns
    this.sources = [...new Set(columns.flatMap(({ name, made }) => made?.from ?? [name]))]
    this.#isObject = columns[0]?.kind === "bag" || columns[0]?.kind === "steps"
  }

  /** The steps of cells from … to − 1; cell 0 is that of row `first`. Rows of weight 0 have no steps. */
  lay(cells: ArrayLike<Cell>, first: number, from: number, to: number, weights?: Float64Array): LaidSteps {
    const offsets = new Int32Array(to - from + 1)
    for (let i = from; i < to; i++) {
      const length = weights?.[i] === 0 ? 0 : this.#check(cells[i], first + i)
      offsets[i - from + 1] = offsets[i - from] + length
    }
    const steps = offsets[to - from]
    const found = new Map<string, ArrayLike<Cell>>()
    for (const name of this.sources) {
      const column = this.#column(name, cells, from, offsets)
      if (column) found.set(name, column)
    }
    const laid = { offsets, steps, columns: [], present: new Set(found.keys()) }
    const columns = this.#columns.map(({ name, made }) => {
      if (!made) return found.get(name)
      if (!made.from.some(source => found.has(source))) return undefined
      const sources = made.from.map(source => found.get(source))
      return inStep(() => made.cells(sources, offsets), first + from, laid)
    })
    return { ...laid, columns }
  }

  /** The number of steps in a cell, which is checked. */
  #check(cell: Cell, row: number): number {
    if (isMissing(cell)) return 0
    if (Array.isArray(cell)) {
      for (let t = 0; t < cell.length; t++) this.#checkStep(cell[t], row, t)
      return cell.length
    }
    if (ArrayBuffer.isView(cell)) {
      const { length } = cell as unknown as ArrayLike<Cell>
      if (length > 0) this.#checkStep((cell as unknown as ArrayLike<Cell>)[0], row, 0)
      return length
    }
    if (!isPlain(cell)) throw this.#notSteps(cell, row)
    return this.#checkColumns(cell, row)
  }

  #checkStep(step: unknown, row: number, t: number): void {
    if (step === null || step === undefined || this.sources.length === 1 || isPlain(step)) return
    const names = this.sources
    throw new SufficeError(
      "cell",
      `row ${row}, step ${t} of ${show(this.#name)} is ${show(step)}, which is no row. A step has the columns ${list(names)}, so its cells need names. Write { ${names[0]}: …, … }, or null for a step in which nothing is seen.`,
      { row, step: t, column: this.#name, value: step },
    )
  }

  #checkColumns(cell: object, row: number): number {
    const table = cell as Readonly<Record<string, unknown>>
    let length = -1
    let before = ""
    for (const name of Object.keys(table)) {
      const column = table[name]
      const isList = Array.isArray(column) || ArrayBuffer.isView(column)
      if (!isList) throw this.#notSteps(table as Cell, row)
      const here = (column as ArrayLike<Cell>).length
      if (length >= 0 && here !== length) {
        throw new SufficeError(
          "cell",
          `row ${row} of ${show(this.#name)}: column ${show(name)} has ${here} ${here === 1 ? "cell" : "cells"}, column ${show(before)} has ${length}: from step ${Math.min(here, length)} on one is missing. Columns of the steps of one row are equally long. Fill missing cells with null.`,
          { row, column: this.#name, within: name },
        )
      }
      length = here
      before = name
    }
    return Math.max(length, 0)
  }

  #notSteps(cell: Cell, row: number): SufficeError {
    const [name] = this.sources
    return new SufficeError(
      "cell",
      `row ${row} of ${show(this.#name)} holds ${show(cell)}. Its steps are a list of rows, or columns of equal length. Pass [{ ${name}: … }, …] or { ${name}: [ … ] }, or null.`,
      { row, column: this.#name, value: cell },
    )
  }

  /** One column of all steps; undefined if no step has it. */
  #column(
    name: string,
    cells: ArrayLike<Cell>,
    from: number,
    offsets: Int32Array,
  ): ArrayLike<Cell> | undefined {
    const rows = offsets.length - 1
    const steps = offsets[rows]
    const isOnly = this.sources.length === 1
    const doubles = this.#doubles(name, cells, from, offsets)
    if (doubles) return doubles
    const column = new Array<Cell>(steps)
    let found = false
    for (let i = 0; i < rows; i++) {
      const at = offsets[i]
      const length = offsets[i + 1] - at
      if (length === 0) continue
      const cell = cells[from + i] as object
      const own = columnIn(cell, name, isOnly)
      if (own) found = true
      for (let t = 0; t < length; t++) {
        if (own) column[at + t] = own[t]
        else if (Array.isArray(cell)) {
          const step: unknown = cell[t]
          if (this.#isRow(step, name)) {
            if (!Object.hasOwn(step, name)) continue
            column[at + t] = (step as Record<string, Cell>)[name]
            found = true
          } else if (isOnly) {
            column[at + t] = step as Cell
            if (step !== null && step !== undefined) found = true
          }
        }
      }
    }
    return found ? column : undefined
  }

  /** Columns that are doubles in every row stay doubles, and those of one row stay where they are: they are only read. */
  #doubles(
    name: string,
    cells: ArrayLike<Cell>,
    from: number,
    offsets: Int32Array,
  ): Float64Array | undefined {
    const rows = offsets.length - 1
    const isOnly = this.sources.length === 1
    const isDouble = (i: number): boolean =>
      offsets[i] === offsets[i + 1] ||
      columnIn(cells[from + i] as object, name, isOnly) instanceof Float64Array
    if (offsets[rows] === 0) return undefined
    for (let i = 0; i < rows; i++) if (!isDouble(i)) return undefined
    for (let i = 0; i < rows; i++)
      if (offsets[i + 1] - offsets[i] === offsets[rows])
        return columnIn(cells[from + i] as object, name, isOnly) as Float64Array
    const doubles = new Float64Array(offsets[rows])
    for (let i = 0; i < rows; i++) {
      if (offsets[i] === offsets[i + 1]) continue
      doubles.set(columnIn(cells[from + i] as object, name, isOnly) as Float64Array, offsets[i])
    }
    return doubles
  }

  /** Is it a row with the column, and not a cell of the only column? */
  #isRow(step: unknown, name: string): step is object {
    return isPlain(step) && (this.sources.length > 1 || !this.#isObject || Object.hasOwn(step, name))
  }
}

/** The names that the steps in these cells have. */
export function namesWithin(cells: ArrayLike<Cell>): Set<string> {
  const names = new Set<string>()
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    for (const step of Array.isArray(cell) ? cell : [cell])
      if (isPlain(step)) for (const name of Object.keys(step)) names.add(name)
  }
  return names
}

/** The cells of one column of the steps in these cells. */
export function cellsWithin(cells: ArrayLike<Cell>, name: string): Cell[] {
  const found: Cell[] = []
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    if (Array.isArray(cell)) {
      for (const step of cell)
        if (isPlain(step) && Object.hasOwn(step, name)) found.push((step as Record<string, Cell>)[name])
    } else if (isPlain(cell)) found.push(...Array.from(columnIn(cell, name, false) ?? []))
  }
  return found
}

export function notInSteps(column: string, name: string, named: ReadonlySet<string>): SufficeError {
  const near = nearest(column, [...named])
  return new SufficeError(
    "column",
    `column ${show(column)} is not in the steps of ${show(name)}. They have ${list(named)}. ${didYouMean(near, "Rename the column in the model or in the data.")} If it is missing in every step, put null in its cells.`,
    { column, steps: name, columns: [...named], nearest: near },
  )
}

/** The cells of a column in a row whose steps are given as columns. */
function columnIn(cell: object, name: string, isOnly: boolean): ArrayLike<Cell> | undefined {
  if (Array.isArray(cell)) return undefined
  if (ArrayBuffer.isView(cell)) return isOnly ? (cell as unknown as ArrayLike<Cell>) : undefined
  return Object.hasOwn(cell, name) ? (cell as Record<string, ArrayLike<Cell>>)[name] : undefined
}

/** An object of cells or columns by name. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    return false
  const { [Symbol.iterator]: iterator } = value as { [Symbol.iterator]?: unknown }
  return typeof iterator !== "function"
}

/** An error about step `row` of the concatenated steps, restated for its row and step. */
export function inStep<T>(work: () => T, first: number, { offsets }: LaidSteps): T {
  try {
    return work()
  } catch (error) {
    const inner = error instanceof SufficeError ? error.details.row : undefined
    if (!(error instanceof SufficeError) || typeof inner !== "number") throw error
    const i = ownerOf(offsets, inner)
    const row = first + i
    const step = inner - offsets[i]
    const message = error.message.replace(`row ${inner}`, `row ${row}, step ${step}`)
    throw new SufficeError(error.code, message, { ...error.details, row, step }, { cause: error })
  }
}
