/** What a cell may be, column kind by column kind: the one place that checks. */
import type { Cell, Level } from "../contract/cells.ts"
import type { Support } from "../contract/columns.ts"
import { SufficeError, show } from "../errors.ts"

/** NaN, null and undefined are missing. */
export function isMissing(cell: Cell): cell is null | undefined {
  return cell === null || cell === undefined || (cell as unknown) !== (cell as unknown)
}

/** A finite number, or NaN if it is missing. */
export function numberCell(cell: Cell, row: number, column: string): number {
  if (typeof cell === "number") {
    if (cell - cell === 0 || cell !== cell) return cell
    throw notFinite(cell, row, column)
  }
  if (cell === null || cell === undefined) return NaN
  if (typeof cell === "bigint") {
    const value = Number(cell)
    if (value - value === 0) return value
    throw notFinite(value, row, column)
  }
  throw new SufficeError(
    "cell",
    `row ${row} of ${show(column)} holds ${show(cell)}. The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical().`,
    { row, column, value: cell },
  )
}

function notFinite(value: number, row: number, column: string): SufficeError {
  return new SufficeError(
    "cell",
    `row ${row} of ${show(column)} holds ${value}. A number must be finite to be modelled. Drop the row, or put null for a missing cell.`,
    { row, column, value },
  )
}

/** A non-negative integer, or NaN if it is missing. */
export function countCell(cell: Cell, row: number, column: string): number {
  const value = numberCell(cell, row, column)
  if (value !== value || (value >= 0 && Number.isSafeInteger(value))) return value
  throw new SufficeError(
    "cell",
    `row ${row} of ${show(column)} holds ${value}. The support is the non-negative integers. Round it, drop the row, or choose gaussian().`,
    { row, column, value },
  )
}

/** Reads the number in a cell; NaN if it is missing. */
export type NumberReader = (cell: Cell, row: number, column: string) => number

/** A number in this support. */
function within(
  isIn: (x: number) => boolean,
  support: string,
  remedy: (value: number) => string,
): NumberReader {
  return (cell, row, column) => {
    const value = numberCell(cell, row, column)
    if (value !== value || isIn(value)) return value
    throw new SufficeError(
      "cell",
      `row ${row} of ${show(column)} holds ${value}. The support is the ${support}. ${remedy(value)}`,
      { row, column, value },
    )
  }
}

const READERS: Readonly<Record<Support, NumberReader>> = {
  any: numberCell,
  notNegative: /* @__PURE__ */ within(
    x => x >= 0,
    "numbers ≥ 0",
    () => "Drop the row, put null for a missing cell, or choose gaussian().",
  ),
  positive: /* @__PURE__ */ within(
    x => x > 0,
    "numbers > 0",
    value =>
      `Drop the row, put null for a missing cell, or choose ${value === 0 ? "exponential(), which takes 0 too, or gaussian(), which takes any number" : "gaussian()"}.`,
  ),
  share: /* @__PURE__ */ within(
    x => x > 0 && x < 1,
    "numbers between 0 and 1, without both ends",
    () => "Divide percentages by 100, drop the row, put null for a missing cell, or choose gaussian().",
  ),
}

/** The reader of cells that must lie in this support. */
export function numberReader(support: Support = "any"): NumberReader {
  return READERS[support]
}

/** A level, or undefined if it is missing. */
export function levelCell(cell: Cell, row: number, column: string): Level | undefined {
  if (typeof cell === "string" || typeof cell === "boolean") return cell
  if (typeof cell === "number") {
    if (cell - cell === 0) return cell === 0 ? 0 : cell
    if (cell !== cell) return undefined
    throw new SufficeError(
      "cell",
      `row ${row} of ${show(column)} holds ${cell}. A level is text, a boolean or a finite number. Put null for a missing cell.`,
      { row, column, value: cell },
    )
  }
  if (cell === null || cell === undefined) return undefined
  if (typeof cell === "bigint") {
    const level = Number(cell)
    if (Number.isSafeInteger(level)) return level
    throw new SufficeError(
      "cell",
      `row ${row} of ${show(column)} holds ${show(cell)}. Beyond 2^53 two levels could become the same number. Convert the column to text.`,
      { row, column, value: cell },
    )
  }
  throw new SufficeError(
    "cell",
    `row ${row} of ${show(column)} holds ${show(cell)}. A level is text, a boolean or a finite number. Put one level in each cell (soft labels are for fit), or choose multinomial() for lists of words.`,
    { row, column, value: cell },
  )
}

/** Levels in an order that does not depend on that of the rows: false, true; then numbers by size; then text by code unit. */
export function sortLevels(levels: Iterable<Level>): Level[] {
  return [...levels].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0))
}

function rank(level: Level): number {
  return typeof level === "boolean" ? 0 : typeof level === "number" ? 1 : 2
}

/**
 * Collects the levels of a column. It must not contain both 1 and "1", which a description could not tell apart. The keys of a soft label
 * are always text: they are the names of levels of any type.
 */
export class LevelSet {
  readonly #column: string
  readonly #byText = new Map<string, Level>()
  /** With the row that each was first met in. */
  readonly #seen = new Map<Level, number>()
  readonly names = new Set<string>()

  constructor(column: string) {
    this.#column = column
  }

  has(level: Level): boolean {
    return this.#seen.has(level)
  }

  add(level: Level, row: number): void {
    if (this.#seen.has(level)) return
    const text = String(level)
    const other = this.#byText.get(text)
    if (other !== undefined) {
      throw new SufficeError(
        "cell",
        `row ${row} of ${show(this.#column)} holds ${show(level)}, another row holds ${show(other)}. One is a ${typeof level}, the other a ${typeof other}, and no table tells them apart. Convert the column to one type.`,
        { row, column: this.#column, value: level },
      )
    }
    this.#byText.set(text, level)
    this.#seen.set(level, row)
  }

  /** The levels met in rows, in their order. */
  met(): [Level, number][] {
    return [...this.#seen].filter(([, row]) => row >= 0)
  }

  addName(name: string): void {
    this.names.add(name)
  }

  /** The level of this name. One that occurs in soft labels only gets the type of the others, if it can be read so. */
  named(name: string): Level {
    const level = this.#byText.get(name)
    if (level !== undefined) return level
    const types = new Set(Array.from(this.#seen.keys(), level => typeof level))
    if (types.size === 1 && types.has("number") && String(Number(name)) === name) return Number(name)
    if (types.size === 1 && types.has("boolean") && (name === "true" || name === "false"))
      return name === "true"
    return name
  }

  sorted(): Level[] {
    return sortLevels(new Set([...this.#seen.keys(), ...Array.from(this.names, name => this.named(name))]))
  }
}
