/** A file of a page as a table: what it is by its name and by its first bytes, then as the command reads it. */
import {
  FileError,
  type FileTable,
  fileTable,
  grouped,
  nothingIn,
  quoted,
  type Reader,
  type TableOptions,
} from "suffice-files/columns"

/** Rows of objects are held as text and as rows at once; texts of cells are streamed. */
const MOST_OBJECTS = 200_000_000
const MOST_CELLS = 2_000_000_000

export async function openFile(file: File, options: TableOptions = {}): Promise<FileTable> {
  return fileTable(await readerOf(file, options), options)
}

/** What reads the cells: it depends on how columns are to be read, but not on which of them is the label. */
export async function readerOf(file: File, options: TableOptions): Promise<Reader> {
  if (file.size === 0) throw nothingIn(file.name)
  const first = new Uint8Array(await file.slice(0, 4096).arrayBuffer())
  const mark = String.fromCharCode(...first.subarray(0, 4))
  if (mark === "PAR1") {
    refuseLarger(file, MOST_OBJECTS)
    const { openParquet } = await import("./parquet.ts")
    return openParquet(file, options)
  }
  if (first[0] === 0x1f && first[1] === 0x8b) return readerOf(await unzipped(file), options)
  refuseBinary(file, first, mark)
  const isJson =
    /\.(json|ndjson|jsonl)$/i.test(file.name) || /^\s*[[{]\s*["{]/.test(new TextDecoder().decode(first))
  if (isJson) {
    refuseLarger(file, MOST_OBJECTS)
    const { objectsReader, rowsOfJson } = await import("./objects.ts")
    return objectsReader(file.name, rowsOfJson(file.name, await file.text()), options)
  }
  refuseLarger(file, MOST_CELLS)
  const { openCsv } = await import("./csv.ts")
  const named = /\.(csv|tsv|tab)$/i.exec(file.name)?.[1].toLowerCase()
  return openCsv(file, options, { tabs: named === "tsv" || named === "tab", bySight: named === undefined })
}

async function unzipped(file: File): Promise<File> {
  const stream = file.stream().pipeThrough(new DecompressionStream("gzip"))
  const blob = await new Response(stream).blob()
  return new File([blob], file.name.replace(/\.gz$/i, ""))
}

/** Kinds of files that people drop, by their first bytes. */
const OTHERS: readonly (readonly [string, string])[] = [
  ["PK\u0003\u0004", "a zip file or a workbook of Excel"],
  ["%PDF", "a PDF"],
  ["\u0089PNG", "a picture"],
  ["\u00ff\u00d8\u00ff", "a picture"],
  ["GIF8", "a picture"],
  ["SQLi", "a database of SQLite"],
  ["\u007fELF", "a program"],
]

function refuseBinary(file: File, first: Uint8Array, mark: string): void {
  const known = OTHERS.find(([begins]) => mark.startsWith(begins))?.[1]
  const isWide = (first[0] === 0xff && first[1] === 0xfe) || (first[0] === 0xfe && first[1] === 0xff)
  const isBinary = !isWide && first.some(byte => byte < 9 || (byte > 13 && byte < 27))
  if (!known && !isBinary) return
  throw new FileError(
    "format",
    `${quoted(file.name, 200)} is ${known ?? "no text: it holds bytes that are no characters"}. The studio reads CSV, TSV, JSON, NDJSON and Parquet, and models that it has saved. ${known?.includes("Excel") ? "Save the sheet as CSV, or use the command, which reads workbooks: suffice fit" : "Save it as one of these, or use the command, which reads more: suffice fit"} ${quoted(file.name)} --label COLUMN.`,
    { path: file.name },
  )
}

function refuseLarger(file: File, most: number): void {
  if (file.size <= most) return
  throw new FileError(
    "format",
    `${quoted(file.name, 200)} has ${grouped(Math.round(file.size / 1e6))} MB. A page holds at most ${grouped(Math.round(most / 1e6))} MB of such a file. Use the command, which reads files of any size: suffice fit ${quoted(file.name)} --label COLUMN.`,
    { path: file.name, bytes: file.size },
  )
}
