/** Workbooks of Excel (.xlsx): a sheet becomes a CSV file, which is then read like any other; tables become a sheet. */
import { basename } from "node:path"
import { Readable } from "node:stream"
import type { Found } from "./bytes.ts"
import { encode } from "./encode.ts"
import { FileError, listed, quoted } from "./errors.ts"
import { spooled, type Unpacked } from "./unpack.ts"

type SheetCell = string | number | boolean | Date | null

/** The sheet of this name or number; without it, the first. */
export async function sheetAsCsv(
  file: Found,
  sheet: string | number | undefined,
  signal: AbortSignal | undefined,
): Promise<Unpacked> {
  const rows = tableIn(await sheetOf(file, sheet))
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

async function sheetOf({ path, at }: Found, sheet: string | number | undefined): Promise<SheetCell[][]> {
  const { readSheet } = await import("read-excel-file/node")
  try {
    return (await readSheet(at, sheet ?? 1)) as unknown as SheetCell[][]
  } catch (cause) {
    const { name, message } = cause as Error
    if (name === "SheetNotFoundError") {
      throw new FileError(
        "option",
        `${quoted(path, 200)} has no sheet ${typeof sheet === "number" ? sheet : quoted(String(sheet))}. ${sheetsText((cause as SheetNotFound).sheets)}. Name ${(cause as SheetNotFound).sheets.length === 1 ? "it, or none" : "one of them"}.`,
        { option: "sheet", path },
        { cause },
      )
    }
    throw new FileError(
      "format",
      `${quoted(path, 200)} cannot be read as an Excel workbook. ${message.replace(/\.$/, "")}. Open it and save it again, or save it as CSV.`,
      { path },
      { cause },
    )
  }
}

function sheetsText(sheets: readonly string[]): string {
  return sheets.length === 1
    ? `Its only sheet is ${quoted(sheets[0])}`
    : `Its sheets are ${listed(sheets, 20)}`
}

interface SheetNotFound {
  readonly sheets: readonly string[]
}

/** What to call the first sheet of a workbook that has others: they may be what is meant. */
export async function nameOfFirst({ at, name }: Found): Promise<string> {
  const { readSheet } = await import("read-excel-file/node")
  // no sheet has an empty name: the error says which there are
  const sheets = await readSheet(at, "").then(
    () => [],
    (error: unknown) => (error as SheetNotFound).sheets ?? [],
  )
  return sheets.length < 2
    ? name
    : `${name}, sheet ${quoted(sheets[0])} (not read: ${listed(sheets.slice(1), 3)})`
}

/** Without what is empty around the table, and without a title above it: rows of one cell before the first that has more. */
function tableIn(rows: readonly (readonly SheetCell[])[]): SheetCell[][] {
  const filled = rows.filter(row => row.some(isFilled))
  const first = filled.findIndex(row => row.filter(isFilled).length > 1)
  const table = filled.slice(Math.max(first, 0))
  const width = table.reduce((most, row) => Math.max(most, row.length), 0)
  const kept = Array.from({ length: width }, (_, c) => c).filter(c => table.some(row => isFilled(row[c])))
  return table.map(row => kept.map(c => row[c] ?? null))
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
