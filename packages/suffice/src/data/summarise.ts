/** What `auto()` sees of the data: for each column, what its first cells are. */
import type { Cell, Columns, Row } from "../contract/cells.ts"
import type { ColumnSummary } from "../contract/columns.ts"
import { SufficeError, show } from "../errors.ts"
import { isBag } from "../text/tokenise.ts"
import { Moments } from "./moments.ts"

/** Distinct values are counted up to here. */
export const MOST_DISTINCT = 1000

export interface SummariseOptions {
  /** How many rows are looked at, from the first. */
  readonly most?: number
}

export function summarise(
  data: readonly Row[] | Columns,
  { most = 10_000 }: SummariseOptions = {},
): ColumnSummary[] {
  return isRows(data) ? summariseRows(data, most) : summariseColumns(data, most)
}

function isRows(data: readonly Row[] | Columns): data is readonly Row[] {
  if (Array.isArray(data)) return true
  if (typeof data === "object" && data !== null) return false
  throw new SufficeError(
    "data",
    `the data is ${show(data)}. It must be a list of rows, or an object of columns. Give for example [{ x: 1 }] or { x: [1] }.`,
  )
}

function summariseRows(rows: readonly Row[], most: number): ColumnSummary[] {
  const count = Math.min(rows.length, most)
  const names = new Set<string>()
  for (let i = 0; i < count; i++) {
    if (typeof rows[i] !== "object" || rows[i] === null) {
      throw new SufficeError(
        "data",
        `row ${i} is ${show(rows[i])}. A row is an object with a cell per column. Give for example { x: 1 }.`,
        { row: i },
      )
    }
    for (const name of Object.keys(rows[i])) names.add(name)
  }
  return [...names].map(name =>
    summariseCells(name, count, i => (Object.hasOwn(rows[i], name) ? rows[i][name] : undefined)),
  )
}

function summariseColumns(columns: Columns, most: number): ColumnSummary[] {
  return Object.entries(columns).map(([name, cells]) => {
    if (typeof cells !== "object" || typeof cells?.length !== "number") {
      throw new SufficeError(
        "data",
        `column ${show(name)} is ${show(cells)}. A column is an array of cells. Give for example { x: [1, 2] }, or a list of rows.`,
        { column: name },
      )
    }
    return summariseCells(name, Math.min(cells.length, most), i => cells[i])
  })
}

/** White space between two words; around them it does not count. */
const SEVERAL_WORDS = /\S\s+\S/

function summariseCells(name: string, rows: number, cellOf: (i: number) => Cell): ColumnSummary {
  let missing = 0
  let numbers = 0
  let integers = 0
  let negatives = 0
  let smallest = Infinity
  let largest = -Infinity
  const moments = new Moments()
  let booleans = 0
  let strings = 0
  let texts = 0
  let bags = 0
  const values = new Set<unknown>()
  for (let i = 0; i < rows; i++) {
    const cell = cellOf(i)
    if (cell === null || cell === undefined || Number.isNaN(cell)) {
      missing++
      continue
    }
    if (typeof cell === "number" || typeof cell === "bigint") {
      const x = Number(cell)
      numbers++
      if (Number.isInteger(x)) integers++
      if (x < 0) negatives++
      smallest = Math.min(smallest, x)
      largest = Math.max(largest, x)
      moments.add(x, 1)
    } else if (typeof cell === "boolean") {
      booleans++
    } else if (typeof cell === "string") {
      strings++
      if (SEVERAL_WORDS.test(cell)) texts++
    }
    const isWords = typeof cell === "object" && isBag(cell)
    if (isWords) bags++
    if (values.size < MOST_DISTINCT)
      values.add(isWords ? JSON.stringify(cell instanceof Map ? [...cell] : cell) : cell)
  }
  const { mean, spread } = moments.found()
  return {
    name,
    rows,
    missing,
    numbers,
    integers,
    negatives,
    smallest,
    largest,
    mean: numbers > 0 ? mean : Number.NaN,
    variance: numbers > 0 ? spread * spread : Number.NaN,
    booleans,
    strings,
    texts,
    bags,
    distinct: values.size,
  }
}
