/** Workbooks of Excel (.xlsx). */
import type { Found } from "./bytes.ts"
import { noSheet, noWorkbook, openSheet, type SheetCell, type Workbook } from "./sheets.ts"
import type { Reader, ReadingOptions } from "./table.ts"

export function openExcel(file: Found, options: ReadingOptions): Promise<Reader> {
  const workbook: Workbook = { rows: sheet => rowsOf(file, sheet), names: () => namesIn(file) }
  return openSheet(workbook, file, options)
}

/** The error of the library if there is no such sheet. */
interface SheetNotFound {
  readonly sheets: readonly string[]
}

async function rowsOf(file: Found, sheet: string | number): Promise<SheetCell[][]> {
  const { readSheet } = await import("read-excel-file/node")
  try {
    return (await readSheet(file.at, sheet)) as unknown as SheetCell[][]
  } catch (cause) {
    if ((cause as Error).name !== "SheetNotFoundError") throw noWorkbook(file, "an Excel workbook", cause)
    throw noSheet(file, sheet, (cause as SheetNotFound).sheets, cause)
  }
}

async function namesIn({ at }: Found): Promise<readonly string[]> {
  const { readSheet } = await import("read-excel-file/node")
  // no sheet has an empty name: the error lists the names
  return readSheet(at, "").then(
    () => [],
    (error: unknown) => (error as SheetNotFound).sheets ?? [],
  )
}
