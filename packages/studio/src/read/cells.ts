/** Records of written cells become batches of columns; what the columns are is decided as in the command (suffice-files/columns). */
import type { Cell, Columns } from "suffice"
import {
  FileError,
  LIMITS,
  missingCells,
  quoted,
  type Reader,
  retyped,
  type TableOptions,
  type TextColumn,
  textColumns,
} from "suffice-files/columns"

/** Records from the beginning, some at a time. */
export type Records = () => AsyncIterable<readonly (readonly string[])[]>

export interface Cells {
  readonly name: string
  readonly names: readonly string[]
  readonly delimiter: string
  readonly records: Records
  /** All of them are looked at, or the first ones. */
  readonly whole: boolean
  /** Where a row stands in the file, for messages. */
  lineOf(row: number): string
}

/** Cells that were read are kept, up to so many: a second reading costs nothing. */
export const KEPT = 60_000_000

export async function cellsReader(cells: Cells, options: TableOptions): Promise<Reader> {
  const { name, names } = cells
  const isMissing = missingCells(options.missing)
  const { looked, all } = await beginning(cells, isMissing)
  const columns = textColumns(names, looked, cells.delimiter, options)
  /** The first reading goes on where looking has ended: no record is taken apart twice for it. */
  let unread: ReturnType<Records> | undefined = all
  const records = (): ReturnType<Records> => {
    const own = unread ?? cells.records()
    unread = undefined
    return own
  }
  /** All batches, once they have been read. */
  let kept: readonly Columns[] | undefined
  let over = false
  return {
    name,
    get columns() {
      return columns.map(({ decoding: _, value: __, plain: ___, ...column }) => column)
    },
    async *read(wanted) {
      if (kept) {
        for (const batch of kept) yield picked(batch, wanted)
        return
      }
      // one reading for all columns, as long as they fit
      const every = over ? wanted : names
      const batches: Columns[] = []
      let rows = 0
      for await (const batch of batchesOf({ ...cells, records }, columns, every, isMissing)) {
        rows += batch[every[0]].length
        if (rows * names.length > KEPT) {
          over = true
          batches.length = 0
        }
        if (!over) batches.push(batch)
        yield picked(batch, wanted)
      }
      if (!over) kept = batches
    },
    retype(column, note, cell) {
      const c = names.indexOf(column)
      const other = retyped(columns[c], note, quoted(cell?.trim() ?? ""), cell)
      if (!other) return false
      columns[c] = other
      kept = undefined
      return true
    },
  }
}

/** Copies of some columns, since whoever gets a batch may hand its memory on. */
function picked(batch: Columns, wanted: readonly string[]): Columns {
  return Object.fromEntries(
    wanted.map(column => [column, (batch[column] as Cell[] | Float64Array).slice()]),
  ) as Columns
}

/** The cells that are looked at, column by column; a missing one is null. And all records, those that were looked at first. */
async function beginning(
  { names, records, whole }: Cells,
  isMissing: ReadonlySet<string>,
): Promise<{ looked: (string | null)[][]; all: ReturnType<Records> }> {
  const most = whole ? Infinity : Math.ceil(Math.min(LIMITS.sampleRows, LIMITS.sampleCells / names.length))
  const looked: (string | null)[][] = names.map(() => [])
  const taken: (readonly (readonly string[])[])[] = []
  const rest = records()[Symbol.asyncIterator]()
  while (looked[0].length < most) {
    const { done, value: some } = await rest.next()
    if (done) break
    taken.push(some)
    for (const record of some) {
      if (looked[0].length >= most) break
      for (let c = 0; c < names.length; c++) looked[c].push(isMissing.has(record[c]) ? null : record[c])
    }
  }
  async function* all(): ReturnType<Records> {
    while (taken.length > 0) yield taken.shift()!
    yield* { [Symbol.asyncIterator]: () => rest }
  }
  return { looked, all: all() }
}

async function* batchesOf(
  { name, names, records, lineOf }: Cells,
  columns: readonly TextColumn[],
  wanted: readonly string[],
  isMissing: ReadonlySet<string>,
): AsyncGenerator<Columns> {
  const places = wanted.map(column => names.indexOf(column))
  const own = places.map(c => columns[c])
  // words recur: each is kept once
  const words = own.map(() => new Map<string, string>())
  const fresh = (): (Float64Array | Cell[])[] =>
    own.map(({ decoding }) => (decoding === "number" ? new Float64Array(LIMITS.batch) : []))
  let batch = fresh()
  let rows = 0
  let before = 0
  const taken = (): Columns =>
    Object.fromEntries(
      wanted.map((column, i) => [
        column,
        batch[i] instanceof Float64Array ? (batch[i] as Float64Array).slice(0, rows) : batch[i],
      ]),
    ) as Columns
  for await (const some of records()) {
    for (const record of some) {
      for (let i = 0; i < own.length; i++) {
        const cell = record[places[i]]
        const column = own[i]
        const value = isMissing.has(cell) ? null : column.value(cell)
        if (value === undefined) throw oddCell(name, column, cell, lineOf(before + rows))
        if (column.decoding === "number")
          (batch[i] as Float64Array)[rows] = (value as number | null) ?? Number.NaN
        else if (typeof value === "string") (batch[i] as Cell[]).push(kept(words[i], value))
        else (batch[i] as Cell[]).push(value)
      }
      if (++rows < LIMITS.batch) continue
      yield taken()
      before += rows
      rows = 0
      batch = fresh()
    }
  }
  if (rows > 0) yield taken()
}

const WORDS = 10_000

function kept(words: Map<string, string>, text: string): string {
  const known = words.get(text)
  if (known !== undefined) return known
  if (words.size < WORDS) words.set(text, text)
  return text
}

function oddCell(table: string, { name, type }: TextColumn, cell: string, at: string): FileError {
  return new FileError(
    "cell",
    `${at} of ${quoted(table, 200)} holds ${quoted(cell)} in column ${quoted(name)}, which otherwise holds ${type === "boolean" ? "true and false" : "numbers"}. A column has one type. Name the cell among the missing ones, or read the column as a category.`,
    { column: name, value: cell },
  )
}
