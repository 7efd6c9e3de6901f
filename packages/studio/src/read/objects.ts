/** Rows that are objects (JSON, NDJSON, Parquet) in a page: cells have types of their own, and strings are what they hold, as in the command. */
import type { Cell, Columns } from "suffice"
import {
  type FileColumn,
  FileError,
  LIMITS,
  MISSING,
  quoted,
  type Reader,
  type TableOptions,
  textColumns,
} from "suffice-files/columns"

const WRITTEN_AS_TEXT = "numbers that are written as text; if they are codes, read it as a category"

export interface Declared {
  /** Columns of numbers that need not be whole, whatever their cells are. */
  readonly measured?: ReadonlySet<string>
}

/** A table from rows in memory. */
export function objectsReader(
  name: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  options: TableOptions,
  { measured = new Set() }: Declared = {},
): Reader {
  if (rows.length === 0) {
    throw new FileError(
      "empty",
      `${quoted(name)} has no rows. There is nothing to learn from. Check whether it was written to its end.`,
      { name },
    )
  }
  const names = new Set<string>()
  for (const row of rows) for (const column of Object.keys(row)) names.add(column)
  const missing = new Set([...MISSING, ...(options.missing ?? [])])
  const columns = [...names].map(column => columnOf(column, rows, missing, measured.has(column), options))
  return {
    name,
    columns: columns.map(({ column }) => column),
    async *read(wanted) {
      const own = wanted.map(column => columns.find(one => one.column.name === column)!.cells)
      for (let from = 0; from < rows.length; from += LIMITS.batch) {
        yield Object.fromEntries(
          wanted.map((column, i) => [column, (own[i] as Cell[]).slice(from, from + LIMITS.batch)]),
        ) as Columns
      }
    },
    count: async () => rows.length,
  }
}

interface Made {
  readonly column: FileColumn
  readonly cells: ArrayLike<Cell>
}

function columnOf(
  name: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  missing: ReadonlySet<string>,
  isMeasured: boolean,
  options: TableOptions,
): Made {
  const cells = rows.map(row => (Object.hasOwn(row, name) ? plain(row[name], missing) : null))
  const seen = cells.filter(cell => cell !== null)
  const kinds = new Set(seen.map(kindOf))
  const [only] = kinds.size === 1 ? kinds : [undefined]
  if (only === "number") {
    const isWhole = !isMeasured && seen.every(cell => Number.isInteger(cell))
    return {
      column: { name, type: isWhole ? "integer" : "number" },
      cells: Float64Array.from(cells, cell => (cell === null ? Number.NaN : (cell as number))),
    }
  }
  if (only === "boolean") return { column: { name, type: "boolean" }, cells: cells as Cell[] }
  if (only === "bag") return { column: { name, type: "bag" }, cells: cells as Cell[] }
  if (only === "date")
    return {
      column: { name, type: "date" },
      cells: cells.map(cell => (cell === null ? null : dateText(cell as Date))),
    }
  if (only === "string" || seen.length === 0) return fromStrings(name, cells as (string | null)[], options)
  if (kinds.has("nested"))
    return {
      column: { name, type: "string", nested: true, note: "nested: read as text; take it apart first" },
      cells: cells.map(cell => (cell === null ? null : JSON.stringify(cell))),
    }
  const text = cells.map(cell => (cell === null ? null : String(cell)))
  return {
    column: { name, type: "string", note: "mixed: cells of several types, read as text" },
    cells: text,
  }
}

function fromStrings(name: string, cells: readonly (string | null)[], options: TableOptions): Made {
  const [column] = textColumns([name], [cells], ",", options)
  const { decoding, value, plain: _, ...own } = column
  const isPlain = column.plain && own.note === undefined
  const values = cells.map(cell => (cell === null ? null : (value(cell) ?? null)))
  return {
    column: { ...own, ...(isPlain && { note: WRITTEN_AS_TEXT }) },
    cells:
      decoding === "number"
        ? Float64Array.from(values, one => (one === null ? Number.NaN : Number(one)))
        : values,
  }
}

function plain(cell: unknown, missing: ReadonlySet<string>): unknown {
  if (cell === undefined || cell === null) return null
  if (typeof cell === "bigint") return Number(cell)
  if (typeof cell === "number") return Number.isNaN(cell) ? null : cell
  if (typeof cell !== "string") return cell
  const text = cell.trim()
  return missing.has(text) ? null : text
}

function kindOf(cell: unknown): "number" | "string" | "boolean" | "date" | "bag" | "nested" {
  if (typeof cell === "number" || typeof cell === "string" || typeof cell === "boolean")
    return typeof cell as "number"
  if (cell instanceof Date) return "date"
  if (Array.isArray(cell)) return cell.every(word => typeof word === "string") ? "bag" : "nested"
  const counts = Object.values(cell as object)
  return counts.length > 0 && counts.every(count => typeof count === "number") ? "bag" : "nested"
}

/** As databases write it: without a time where there is none. */
function dateText(date: Date): string {
  const text = date.toISOString()
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ")
}

/** JSON: a list of objects, or an object per line. */
export function rowsOfJson(name: string, text: string): Readonly<Record<string, unknown>>[] {
  const whole = parsed(text)
  if (whole !== undefined) {
    const list = Array.isArray(whole) ? whole : [whole]
    const odd = list.find(row => typeof row !== "object" || row === null || Array.isArray(row))
    if (odd === undefined) return list as Readonly<Record<string, unknown>>[]
    throw malformed(name, "It holds no list of objects, each a row")
  }
  const rows: Readonly<Record<string, unknown>>[] = []
  for (const [l, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue
    const row = parsed(line)
    if (typeof row !== "object" || row === null || Array.isArray(row))
      throw malformed(name, `Line ${l + 1} is no JSON object`, l + 1)
    rows.push(row as Readonly<Record<string, unknown>>)
  }
  return rows
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function malformed(name: string, why: string, line?: number, format = "JSON"): FileError {
  return new FileError(
    "format",
    `${quoted(name, 200)} cannot be read as ${format}. ${why}. Check whether it was written to its end.`,
    { path: name, ...(line !== undefined && { line }) },
  )
}
