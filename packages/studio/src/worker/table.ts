/** The table that is open: its file, what was said of it, its reports, and the cells that can be looked at. */
import type { Cell, Columns, Row } from "suffice"
import { kindOfLabel, rowsIn } from "suffice-cli/browser"
import { type ColumnReport, FileError, type FileTable, fileTable, type Reader } from "suffice-files/columns"
import type { RowView, Settings, TableView } from "../bench/types.ts"
import { KEPT } from "../read/cells.ts"
import { readerOf } from "../read/open.ts"
import { oddCells, smallOf } from "./small.ts"

export interface OpenTable {
  readonly file: File
  readonly settings: Settings
  readonly reader: Reader
  readonly table: FileTable
  readonly reports: readonly ColumnReport[]
  /** The first rows, column by column. */
  readonly cells: Columns
  readonly rows: number
  /** Of steps: the label differs within a sequence. */
  readonly isTag: boolean
  /** The label is measured: it has no levels. */
  readonly isNumber: boolean
}

/** So many rows can be looked at. */
const SHOWN = 200_000

/** `before`: the same file, as it is open. Its cells are not read again for another label, weight or sequence. */
export async function opened(
  file: File,
  settings: Settings,
  signal: AbortSignal,
  onRows: (rows: number) => void,
  before?: OpenTable,
): Promise<OpenTable> {
  const { as, label, missing } = settings
  const options = { as, missing, signal, onRows, ...(label !== undefined && { label }) }
  const isRead = before && isSame(before.settings.as, as) && isSame(before.settings.missing, missing)
  const reader = isRead ? before.reader : await readerOf(file, options)
  const table = fileTable(reader, options)
  const reports = await table.summary()
  const rows = rowsIn(reports)
  if (rows === 0)
    throw new FileError(
      "empty",
      `${file.name} has no rows. There is nothing to learn from. Check whether it was written to its end.`,
      {},
    )
  const cells = await firstRows(table, SHOWN)
  const own = reports.find(({ name }) => name === label)
  const isNumber = own !== undefined && kindOfLabel(own, as[own.name]) === "number"
  return {
    file,
    settings,
    reader,
    table,
    reports,
    cells,
    rows,
    isTag: differsWithin(cells, settings),
    isNumber,
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Does the label differ within a sequence? Then it is a tag, predicted for each step. */
function differsWithin(cells: Columns, { label, sequence }: Settings): boolean {
  if (label === undefined || sequence === undefined || !cells[label]) return false
  if (sequence === "" || !cells[sequence]) return true
  const first = new Map<Cell, Cell>()
  for (let i = 0; i < cells[label].length; i++) {
    const of = cells[sequence][i]
    if (!first.has(of)) first.set(of, cells[label][i])
    else if (first.get(of) !== cells[label][i]) return true
  }
  return false
}

async function firstRows(table: FileTable, most: number): Promise<Columns> {
  const names = table.columns.map(({ name }) => name)
  const parts: Columns[] = []
  let rows = 0
  for await (const batch of table.read(names)) {
    parts.push(batch as Columns)
    rows += (batch as Columns)[names[0]].length
    if (rows >= most) break
  }
  return Object.fromEntries(
    names.map(name => {
      if (parts.every(part => part[name] instanceof Float64Array)) {
        const whole = new Float64Array(rows)
        let at = 0
        for (const part of parts) {
          whole.set(part[name] as Float64Array, at)
          at += part[name].length
        }
        return [name, whole]
      }
      return [name, parts.flatMap(part => Array.from(part[name] as ArrayLike<Cell>))]
    }),
  )
}

export function viewOf({ file, reports, cells, rows, table, isTag, isNumber }: OpenTable): TableView {
  const shown = cells[table.columns[0].name]?.length ?? 0
  return {
    name: file.name,
    bytes: file.size,
    rows,
    isStreamed: rows * table.columns.length > KEPT,
    shown,
    columns: reports.map(({ parts: _, ...report }) => ({
      ...report,
      small: cells[report.name] ? smallOf(report, cells[report.name]) : { kind: "none" },
      odd: cells[report.name] ? oddCells(report, cells[report.name]) : [],
    })),
    guess: guessed(reports),
    isTag,
    isNumber,
  }
}

const NAMES = /^(label|class|target|y|kind|species|party|outcome|diagnosis|category|type|spam|section)$/i

/** The column people most often ask for: by its name, or the last one if it has a few levels. */
function guessed(reports: readonly ColumnReport[]): string | undefined {
  const isLabel = ({ levels, kind }: ColumnReport): boolean =>
    levels !== undefined && !levels.more && levels.count > 1 && levels.count <= 30 && kind !== "id"
  const named = reports.find(report => NAMES.test(report.name) && isLabel(report))
  const last = reports.at(-1)
  return (
    named?.name ??
    (last && isLabel(last) && last.kind !== "number" && last.kind !== "count" ? last.name : undefined)
  )
}

export function rowsBetween({ cells }: OpenTable, from: number, to: number): RowView[] {
  const names = Object.keys(cells)
  const count = cells[names[0]]?.length ?? 0
  return Array.from({ length: Math.max(Math.min(to, count) - from, 0) }, (_, i) => ({
    row: from + i,
    at: from + i,
    cells: Object.fromEntries(names.map(name => [name, shownCell(cells[name][from + i])])),
  }))
}

export function shownCell(cell: Cell): string | number | boolean | null {
  if (cell === null || cell === undefined || cell !== cell) return null
  if (typeof cell === "object") return JSON.stringify(cell)
  return typeof cell === "bigint" ? Number(cell) : cell
}

export function rowAt(columns: Columns, row: number): Row {
  return Object.fromEntries(Object.keys(columns).map(name => [name, shownCell(columns[name][row])]))
}
