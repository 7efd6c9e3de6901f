/** A sheet of a workbook becomes a CSV file, which is then read like any other. */
import { basename } from "node:path"
import { Readable } from "node:stream"
import { type Found, findFile } from "./bytes.ts"
import { openCsv } from "./duckdb/csv.ts"
import { encode } from "./encode.ts"
import { FileError, listed, quoted } from "./errors.ts"
import type { Reader, ReadingOptions } from "./table.ts"
import { closing, spooled, type Unpacked } from "./unpack.ts"

export type SheetCell = string | number | boolean | Date | null

/** Contract of the formats of workbooks. */
export interface Workbook {
  /** The rows of the sheet of this name or number, from 1. */
  rows(sheet: string | number): Promise<readonly (readonly SheetCell[])[]>
  /** Names of the sheets. */
  names(): Promise<readonly string[]>
}

/** Opens the sheet that `options` names, or the first. */
export async function openSheet(workbook: Workbook, file: Found, options: ReadingOptions): Promise<Reader> {
  const { delimiter: _, quote: __, encoding: ___, ...rest } = options
  const made = await sheetAsCsv(workbook, file, options)
  const name = options.sheet === undefined ? nameOfFirst(file, await workbook.names()) : file.name
  const cells = { ...(await findFile(made)), name }
  return closing(made, openCsv(cells, { ...rest, delimiter: "," }, { tabs: false, bySight: false }))
}

async function sheetAsCsv(
  workbook: Workbook,
  file: Found,
  { sheet, signal }: ReadingOptions,
): Promise<Unpacked> {
  const rows = tableIn(await workbook.rows(sheet ?? 1))
  if (rows.length === 0) {
    throw new FileError(
      "empty",
      `the ${sheet === undefined ? "first sheet" : `sheet ${quoted(String(sheet))}`} of ${quoted(file.path, 200)} is empty. There is no row to learn from. Name another: sheet: "…".`,
      { path: file.path, sheet },
    )
  }
  const names = rows[0].map((_, c) => String(c))
  const columns = Object.fromEntries(names.map((name, c) => [name, rows.map(row => textOf(row[c]))]))
  const text = encode(columns, { format: "csv", columns: names, header: false })
  return spooled([Readable.from([text])], file.path, `${basename(file.at)}.csv`, signal)
}

/** Names the first sheet of a workbook that has others: they may be what is meant. */
function nameOfFirst({ name }: Found, sheets: readonly string[]): string {
  return sheets.length < 2
    ? name
    : `${name}, sheet ${quoted(sheets[0])} (not read: ${listed(sheets.slice(1), 3)})`
}

export function noSheet(
  { path }: Found,
  sheet: string | number,
  sheets: readonly string[],
  cause?: unknown,
): FileError {
  const names =
    sheets.length === 1 ? `Its only sheet is ${quoted(sheets[0])}` : `Its sheets are ${listed(sheets, 20)}`
  return new FileError(
    "option",
    `${quoted(path, 200)} has no sheet ${typeof sheet === "number" ? sheet : quoted(String(sheet))}. ${names}. Name ${sheets.length === 1 ? "it, or none" : "one of them"}.`,
    { option: "sheet", path },
    { cause },
  )
}

/** `title`: what the file should be, as in "an Excel workbook". */
export function noWorkbook({ path }: Found, title: string, cause: unknown): FileError {
  const { message } = cause as Error
  return new FileError(
    "format",
    `${quoted(path, 200)} cannot be read as ${title}. ${message.replace(/\.$/, "")}. Open it and save it again, or save it as CSV.`,
    { path },
    { cause },
  )
}

/** Leaves out empty rows and columns around the table, and titles above it: rows of one cell before the first that has more. */
function tableIn(rows: readonly (readonly SheetCell[])[]): SheetCell[][] {
  const filled = rows.filter(row => row.some(isFilled))
  const first = filled.findIndex(row => row.filter(isFilled).length > 1)
  const table = filled.slice(Math.max(first, 0))
  const width = table.reduce((most, row) => Math.max(most, row.length), 0)
  const columns = Array.from({ length: width }, (_, c) => c).filter(c => table.some(row => isFilled(row[c])))
  return table.map(row => columns.map(c => row[c] ?? null))
}

function isFilled(cell: SheetCell | undefined): boolean {
  return cell !== null && cell !== undefined && cell !== ""
}

function textOf(cell: SheetCell): string | null {
  if (cell === null) return null
  if (cell instanceof Date) return cell.toISOString().replace(/(T00:00:00)?\.000Z$/, "")
  const text = String(cell)
  // A number of the sheet is a number: three digits behind its point shall not look like a group of thousands.
  return typeof cell === "number" && /\.\d{3}$/.test(text) ? `${text}0` : text
}
