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
const KEPT = 60_000_000

export async function cellsReader(cells: Cells, options: TableOptions): Promise<Reader> {
  const { name, names } = cells
  const isMissing = missingCells(options.missing)
  const looked = await beginning(cells, isMissing)
  const columns = textColumns(names, looked, cells.delimiter, options)
  /** Columns that were read as a whole, by name. */
  const kept = new Map<string, ArrayLike<Cell>>()
  const reader: Reader = {
    name,
    get columns() {
      return columns.map(({ decoding: _, value: __, plain: ___, ...column }) => column)
    },
    async *read(wanted) {
      if (wanted.every(column => kept.has(column))) {
        yield* keptBatches(kept, wanted)
        return
      }
      // one reading for all columns, as long as they fit
      const all = kept.size === 0 && !over ? names : wanted
      const batches: Columns[] = []
      let rows = 0
      for await (const batch of batchesOf(cells, columns, all, isMissing)) {
        const length = batch[all[0]].length
        rows += length
        if (!over && rows * all.length <= KEPT) batches.push(batch)
        else {
          over = true
          batches.length = 0
        }
        yield all === wanted ? batch : Object.fromEntries(wanted.map(column => [column, batch[column]]))
      }
      if (!over && all === names) for (const column of names) kept.set(column, joined(batches, column, rows))
    },
    retype(column, note, cell) {
      const c = names.indexOf(column)
      const other = retyped(columns[c], note, quoted(cell?.trim() ?? ""), cell)
      if (!other) return false
      columns[c] = other
      kept.clear()
      return true
    },
  }
  let over = false
  return reader

  function joined(batches: readonly Columns[], column: string, rows: number): ArrayLike<Cell> {
    const isNumber = batches[0]?.[column] instanceof Float64Array
    const whole = isNumber ? new Float64Array(rows) : new Array<Cell>(rows)
    let at = 0
    for (const batch of batches) {
      const part = batch[column]
      for (let i = 0; i < part.length; i++) whole[at++] = part[i] as number
    }
    return whole
  }
}

function* keptBatches(
  kept: ReadonlyMap<string, ArrayLike<Cell>>,
  wanted: readonly string[],
): Generator<Columns> {
  const rows = kept.get(wanted[0])?.length ?? 0
  for (let from = 0; from < rows; from += LIMITS.batch) {
    const to = Math.min(from + LIMITS.batch, rows)
    yield Object.fromEntries(
      wanted.map(column => [column, (kept.get(column) as Cell[] | Float64Array).slice(from, to)]),
    ) as Columns
  }
}

/** The cells that are looked at, column by column; a missing one is null. */
async function beginning(
  { names, records, whole }: Cells,
  isMissing: ReadonlySet<string>,
): Promise<(string | null)[][]> {
  const most = whole ? Infinity : Math.ceil(Math.min(LIMITS.sampleRows, LIMITS.sampleCells / names.length))
  const looked: (string | null)[][] = names.map(() => [])
  for await (const some of records()) {
    for (const record of some) {
      if (looked[0].length >= most) return looked
      for (let c = 0; c < names.length; c++) looked[c].push(isMissing.has(record[c]) ? null : record[c])
    }
  }
  return looked
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
