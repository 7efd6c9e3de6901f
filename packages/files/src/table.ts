/**
 * A table in a file: its columns, a restartable source of their cells, and what can be said of them.
 * Readers of formats give a `Reader`; this file makes a `FileTable` of it.
 */
import type { Cell, Columns, Row, Source } from "suffice"
import { type As, askedOf, cellsAsked } from "./asked.ts"
import { type PartingReader, withDateParts } from "./date-parts.ts"
import { type DatePart, daysOf } from "./dates.ts"
import type { OpenDatabase } from "./duckdb/database.ts"
import { FileError, noColumn, quoted } from "./errors.ts"
import type { Format } from "./formats.ts"
import { type ColumnReport, summarise } from "./summary.ts"

export type ColumnType = "number" | "integer" | "boolean" | "string" | "date" | "bag"

export interface FileColumn {
  readonly name: string
  readonly type: ColumnType
  /** The levels the file itself declares (ARFF). */
  readonly levels?: readonly string[]
  /** A column of objects or lists, which no family models: read as text. */
  readonly nested?: boolean
  /** Every cell of it that was looked at is missing. */
  readonly empty?: boolean
  /** It is made of a column of dates: this part of them. */
  readonly made?: { readonly of: string; readonly part: DatePart }
  /** What was odd about it. */
  readonly note?: string
}

export interface TableOptions {
  /** Instead of what the extension says. */
  readonly format?: Format
  /** Further cells that mean "not known". */
  readonly missing?: readonly string[]
  readonly as?: Readonly<Record<string, As>>
  /** The same of columns that need not be there, such as those a model remembers; `as` goes before it. */
  readonly asIfThere?: Readonly<Record<string, As>>
  /** CSV: what stands between cells; without it, found by looking. */
  readonly delimiter?: string
  /** CSV: whether the first line names the columns; detected by default. */
  readonly header?: boolean
  /** CSV: what cells are quoted with; empty: they are not, and a quote is a character like others. */
  readonly quote?: '"' | "'" | ""
  /** CSV: the sign before decimals; without it, found by looking at the cells. */
  readonly decimal?: "." | ","
  /** CSV: what parts groups of three digits; empty: nothing does. Without it, found by looking. */
  readonly thousands?: "," | "." | " " | "'" | ""
  /** Workbooks: the name of the sheet, or its number, from 1; without it, the first. */
  readonly sheet?: string | number
  /** CSV: how characters are written as bytes; UTF-16 is known by its mark. */
  readonly encoding?: "utf-8" | "utf-16" | "windows-1252" | "latin-1"
  /** CoNLL: names of the columns; without them c1, c2 …, or those of CoNLL-U. */
  readonly names?: readonly string[]
  /** The column that is the label; svmlight and folders name theirs so. */
  readonly label?: string
  /** Hears of the rows as they are read, in every pass. */
  readonly onRows?: (rows: number) => void
  readonly signal?: AbortSignal
}

/** What readers are given: files that are read together share a database. */
export interface ReadingOptions extends TableOptions {
  readonly database?: OpenDatabase
}

export interface FileTable {
  /** Short, for messages and reports. */
  readonly name: string
  /** In the order of the file. */
  readonly columns: readonly FileColumn[]
  /** Batches of columns, without those that are ignored. Each `for await` starts from the beginning. */
  readonly source: Source
  /** The same, of some columns only: columns that are not requested cost nothing. Of dates also their parts, as `day.month`. */
  read(columns: readonly string[]): Source
  /** Can this column be read: is it one of the columns, or a part of one that may hold dates? */
  has(column: string): boolean
  count(): Promise<number>
  /** The first rows. */
  take(n: number): Promise<Row[]>
  /** What each column is, from all of its rows. */
  summary(): Promise<ColumnReport[]>
  close(): Promise<void>
}

/** What each format provides; formats.ts lists them. */
export interface Reader {
  readonly name: string
  readonly columns: readonly FileColumn[]
  /** Batches of these columns, from the beginning; missing cells are NaN or null. */
  read(columns: readonly string[]): AsyncIterable<Columns>
  count?(): Promise<number>
  /**
   * A cell did not have the type its column was thought to have: from now on the column is text, or the cell is missing if it only
   * stands in for one. False: nothing to do.
   */
  retype?(column: string, note: string, cell?: string): boolean
  close?(): Promise<void>
}

/** A table from a reader of a format of your own. */
export function fileTable(given: Reader, options: TableOptions): FileTable {
  const { as: asked = {}, asIfThere = {}, label } = options
  const reader = withDateParts(given, options)
  const names = reader.columns.map(({ name }) => name)
  for (const column of Object.keys(asked)) {
    if (!reader.has(column)) throw noColumn("as", column, reader.name, names)
  }
  const as = { ...asIfThere, ...asked }
  if (label !== undefined && !names.includes(label)) throw noColumn("label", label, reader.name, names)
  const columns = names.filter(name => askedOf(as, name) !== "ignore")
  const typed: TypedReader = { reader, names, as, options }
  const source = sourceOf(typed, columns)
  let summary: Promise<ColumnReport[]> | undefined
  return {
    name: reader.name,
    get columns() {
      return typedColumns(typed)
    },
    source,
    has: column => reader.has(column),
    read: columns => sourceOf(typed, checkedColumns(typed, columns)),
    count: () => countRows(reader, columns.slice(0, 1)),
    take: n => take(source, n),
    summary() {
      summary ??= summarised(typed, source)
      return summary
    },
    close: async () => reader.close?.(),
  }
}

/** A reader, and the requested types of its columns. */
interface TypedReader {
  readonly reader: PartingReader
  readonly names: readonly string[]
  readonly as: Readonly<Record<string, As>>
  readonly options: TableOptions
}

function sourceOf(
  { reader, as, options: { signal, onRows } }: TypedReader,
  columns: readonly string[],
): Source {
  return {
    async *[Symbol.asyncIterator]() {
      signal?.throwIfAborted()
      for await (const batch of reader.read(columns)) {
        onRows?.(lengthOf(batch))
        yield converted(batch, as, reader)
        signal?.throwIfAborted()
      }
    },
  }
}

function typedColumns({ reader, as }: TypedReader): FileColumn[] {
  return reader.columns.map(column => ({
    ...column,
    type: typeAs(column.type, cellsAsked(as, column.name)),
  }))
}

function checkedColumns({ reader, names }: TypedReader, columns: readonly string[]): readonly string[] {
  for (const column of columns) if (!reader.has(column)) throw noColumn("read", column, reader.name, names)
  return columns
}

async function countRows(reader: Reader, columns: readonly string[]): Promise<number> {
  if (reader.count) return reader.count()
  let rows = 0
  for await (const batch of reader.read(columns)) rows += lengthOf(batch)
  return rows
}

/** Reads a column whose later rows are of another type as text, and summarises again. */
async function summarised(typed: TypedReader, source: Source): Promise<ColumnReport[]> {
  const { reader, as, options } = typed
  for (;;) {
    const columns = typedColumns(typed)
    try {
      return await summarise(columns, source, { as, label: options.label })
    } catch (error) {
      if (!(error instanceof FileError) || error.code !== "cell") throw error
      const { column, value } = error.details as { column?: string; value?: string }
      const note = `mixed: most cells are numbers, but one holds ${quoted(value ?? "")}`
      if (column === undefined || askedOf(as, column) || !reader.retype?.(column, note, value)) throw error
    }
  }
}

function typeAs(type: ColumnType, as: ReturnType<typeof cellsAsked>): ColumnType {
  if (as === "number") return "number"
  if (as === "count") return "integer"
  if (as === "category" || as === "text") return type === "bag" ? "bag" : "string"
  return type
}

/** Converts cells to the requested type, unless they have it already. */
function converted(batch: Columns, as: Readonly<Record<string, As>>, { name }: Reader): Columns {
  const asked = Object.keys(as).filter(column => as[column] !== "ignore" && Object.hasOwn(batch, column))
  if (asked.length === 0) return batch
  const columns = new Map(Object.entries(batch))
  for (const column of asked) {
    const cells = batch[column]
    const wanted = cellsAsked(as, column)
    if (wanted === "number" || wanted === "count") {
      if (!(cells instanceof Float64Array))
        columns.set(
          column,
          Float64Array.from(cells as Cell[], cell => numberOf(cell, column, name)),
        )
    } else if (cells instanceof Float64Array || typeof cells[0] === "boolean") {
      columns.set(
        column,
        Array.from(cells, cell => (cell === null || Number.isNaN(cell) ? null : String(cell))),
      )
    }
  }
  return Object.fromEntries(columns)
}

function numberOf(cell: Cell, column: string, table: string): number {
  if (cell === null || cell === undefined) return Number.NaN
  const value = typeof cell === "string" && cell.trim() === "" ? Number.NaN : Number(cell)
  if (!Number.isNaN(value)) return value
  const days = typeof cell === "string" ? daysOf(cell) : undefined
  if (days !== undefined) return days
  throw new FileError(
    "cell",
    `${table}: column ${quoted(column)} holds ${typeof cell === "string" ? quoted(cell) : "no number"}, and is to be read as numbers. Not every cell is one. Read it as a category, or name the cell among the missing ones.`,
    { column, value: cell },
  )
}

export function lengthOf(batch: Columns): number {
  for (const name in batch) return batch[name].length
  return 0
}

async function take(source: Source, n: number): Promise<Row[]> {
  const rows: Row[] = []
  if (!(n > 0)) return rows
  for await (const batch of source) {
    const columns = batch as Columns
    const names = Object.keys(columns)
    const length = lengthOf(columns)
    for (let i = 0; i < length && rows.length < n; i++) {
      rows.push(
        Object.fromEntries(
          names.map(name => {
            const cell = columns[name][i]
            return [name, typeof cell === "number" && Number.isNaN(cell) ? null : cell]
          }),
        ),
      )
    }
    if (rows.length >= n) break
  }
  return rows
}
