/**
 * Tables into files: CSV, TSV, JSON, NDJSON (gzipped by extension), Excel and Parquet. At the path is the old file, the whole new one,
 * or nothing (replace.ts).
 */
import { type FileHandle, open, stat } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { Batch, Cell, Columns, Row, Source } from "suffice"
import { cellsOf, encode, namesOf, refuseNewColumns, type TextFormat } from "./encode.ts"
import { FileError, grouped, quoted } from "./errors.ts"
import { LIMITS } from "./limits.ts"
import { replaceFile, targetOf } from "./replace.ts"
import { hold, release } from "./temporary.ts"

export interface WriteOptions {
  /** Instead of what the extension says. */
  readonly format?: WriteFormat
  /** The columns to write, in this order; without it, those of the first batch. */
  readonly columns?: readonly string[]
  /** CSV and TSV: text that a spreadsheet would take for a formula begins with a single quote. */
  readonly safe?: boolean
  readonly signal?: AbortSignal
}

/** `json` is one list of objects, `ndjson` an object per line. */
export type WriteFormat = TextFormat | "json" | "xlsx" | "parquet"

export async function writeTable(
  path: string,
  data: Batch | Source,
  options: WriteOptions = {},
): Promise<{ rows: number }> {
  const format = options.format ?? formatOf(path)
  await checkTarget(path, format)
  let rows = 0
  try {
    await replaceFile(path, async place => {
      rows =
        format === "parquet"
          ? await writeParquet(place, data, options)
          : format === "xlsx"
            ? await writeSheet(place, data, options)
            : await writeText(place, data, format, /\.gz$/i.test(path), options)
    })
    return { rows }
  } catch (error) {
    throw unwritable(path, error)
  }
}

const EXTENSIONS: readonly (readonly [RegExp, WriteFormat])[] = [
  [/\.csv(\.gz)?$/i, "csv"],
  [/\.(tsv|tab)(\.gz)?$/i, "tsv"],
  [/\.json(\.gz)?$/i, "json"],
  [/\.(ndjson|jsonl)(\.gz)?$/i, "ndjson"],
  [/\.xlsx$/i, "xlsx"],
  [/\.(parquet|pq)$/i, "parquet"],
]

function formatOf(path: string): WriteFormat {
  const found = EXTENSIONS.find(([pattern]) => pattern.test(path))
  if (found) return found[1]
  throw new FileError(
    "format",
    `the format to write ${quoted(basename(path))} in is not known. Its extension is none of csv, tsv, json, ndjson, xlsx and parquet. Choose another name, or pass format: "csv" | "tsv" | "json" | "ndjson" | "xlsx" | "parquet".`,
    { path },
  )
}

async function checkTarget(path: string, format: WriteFormat): Promise<void> {
  const place = dirname(await targetOf(path))
  const [target, folder] = await Promise.all([path, place].map(place => stat(place).catch(() => undefined)))
  if (target?.isDirectory()) {
    throw new FileError(
      "write",
      `${quoted(path, 200)} is a directory, and a file is to be written there. It would have to be removed. Give the name of a file in it.`,
      { path },
    )
  }
  if (target && !target.isFile() && (format === "parquet" || format === "xlsx")) {
    throw new FileError(
      "write",
      `${quoted(path, 200)} is no file. ${format === "parquet" ? "Parquet" : "A workbook"} is not written from its beginning to its end, so it cannot go into a device or a pipe. Write a file, or another format.`,
      { path },
    )
  }
  if (!folder?.isDirectory()) {
    throw new FileError(
      "write",
      `there is no folder ${quoted(place, 200)}. A file is written into a folder that exists. Make it, or choose another path.`,
      { path },
    )
  }
}

function unwritable(path: string, cause: unknown): unknown {
  const { code, syscall } = cause as NodeJS.ErrnoException
  // errors of the data source are not about this file
  if (cause instanceof FileError || typeof code !== "string" || syscall === undefined) return cause
  const [why, todo] =
    code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG"
      ? ["There is no space left for it", "Free some, or choose another disk"]
      : code === "EACCES" || code === "EPERM" || code === "EROFS"
        ? [
            "You have no permission to write there",
            "Change the permissions of the folder, or choose another one",
          ]
        : [`The system says ${code}`, "Check the path"]
  return new FileError(
    "write",
    `cannot write ${quoted(path, 200)}. ${why}; nothing was left there. ${todo}.`,
    { path, code },
    { cause },
  )
}

async function* batchesOf(data: Batch | Source): AsyncGenerator<Batch> {
  if (typeof (data as Source)[Symbol.asyncIterator] === "function") yield* data as Source
  else yield data as Batch
}

const zip = promisify(gzip)

async function writeText(
  place: string,
  data: Batch | Source,
  format: TextFormat | "json",
  zipped: boolean,
  { columns, safe, signal }: WriteOptions,
): Promise<number> {
  const isList = format === "json"
  const lines = isList ? "ndjson" : format
  const file = await open(place, "w", 0o600)
  try {
    let rows = 0
    let begun = false
    let names = columns
    const put = async (text: string): Promise<void> =>
      writeAll(file, zipped ? await zip(text) : Buffer.from(text))
    for await (const batch of batchesOf(data)) {
      signal?.throwIfAborted()
      if (names === undefined) names = namesOf(batch)
      else if (!columns) refuseNewColumns(batch, names)
      // Each part is zipped by itself: parts of gzip, one behind the other, are gzip.
      const text = encode(batch, { format: lines, columns: names, header: !begun, safe })
      if (isList && text !== "")
        await put(`${rows === 0 ? "[\n" : ",\n"}${text.slice(0, -1).replaceAll("\n", ",\n")}`)
      else await put(text)
      begun = true
      rows += rowsOf(batch)
    }
    if (isList) await put(rows === 0 ? "[]\n" : "\n]\n")
    else if (!begun && names) await put(encode([], { format: lines, columns: names, header: true, safe }))
    // A device has nothing to bring to the disk.
    if ((await file.stat()).isFile()) await file.sync()
    return rows
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at)
    at += bytesWritten
  }
}

export function rowsOf(batch: Batch): number {
  if (Array.isArray(batch)) return batch.length
  for (const name in batch) return (batch as Columns)[name].length
  return 0
}

// ── Excel ──────────────────────────────────────────────────────────────────────────────────────────

/** A sheet of Excel has so many rows, the names among them. */
const SHEET_ROWS = 1_048_576

async function writeSheet(place: string, data: Batch | Source, options: WriteOptions): Promise<number> {
  const { default: writeExcelFile } = await import("write-excel-file/node")
  let names = options.columns
  const lines: (string | number | boolean | null)[][] = []
  for await (const batch of batchesOf(data)) {
    options.signal?.throwIfAborted()
    names ??= namesOf(batch)
    const cellAt = cellsOf(batch, names)
    for (let i = 0; i < cellAt.rows; i++) lines.push(names.map((_, c) => sheetCell(cellAt(i, c))))
    if (lines.length >= SHEET_ROWS) {
      throw new FileError(
        "write",
        `the table has more than ${grouped(SHEET_ROWS - 1)} rows. A sheet of Excel holds no more. Write CSV or Parquet.`,
      )
    }
  }
  await writeExcelFile([[...(names ?? [])], ...lines]).toFile(place)
  return lines.length
}

function sheetCell(cell: Cell): string | number | boolean | null {
  if (cell === null || cell === undefined || Number.isNaN(cell)) return null
  if (typeof cell === "boolean" || typeof cell === "string") return cell
  if (typeof cell === "object") return JSON.stringify(cell)
  const value = Number(cell)
  return Number.isFinite(value) ? value : String(value)
}

// ── Parquet ────────────────────────────────────────────────────────────────────────────────────────

type ParquetType = "DOUBLE" | "BOOLEAN" | "VARCHAR"

/** By way of a temporary NDJSON file, which DuckDB converts to Parquet without holding it in memory. */
async function writeParquet(place: string, data: Batch | Source, options: WriteOptions): Promise<number> {
  const { fileLiteral, literal, openDatabase, outputLiteral } = await import("./duckdb/database.ts")
  const lines = `${place}.ndjson`
  hold(lines)
  let names = options.columns
  const types = new Map<string, ParquetType>()
  const watched: Source = {
    async *[Symbol.asyncIterator]() {
      for await (const batch of batchesOf(data)) {
        names ??= namesOf(batch)
        for (const name of names) types.set(name, typeOf(batch, name, types.get(name)))
        yield batch
      }
    },
  }
  const database = await openDatabase()
  try {
    const rows = await writeText(lines, watched, "ndjson", false, options)
    if (!names || names.length === 0) {
      throw new FileError(
        "write",
        "there is nothing to write: no rows, and no columns were named. A Parquet file has columns. Pass columns.",
      )
    }
    const unwritten = names.find(name => name.includes("\0"))
    if (unwritten !== undefined) {
      throw new FileError(
        "write",
        `the column ${quoted(unwritten)} has the character NUL in its name. DuckDB, which writes Parquet, takes that for the end of a text. Rename the column, or write CSV or NDJSON.`,
        { column: unwritten },
      )
    }
    const columns = names.map(name => `${literal(name)}: '${types.get(name) ?? "VARCHAR"}'`).join(", ")
    const select = `select * from read_json(${fileLiteral(lines)}, format='newline_delimited', hive_partitioning=false, maximum_object_size=${LIMITS.object}, columns={${columns}})`
    // written in place: the file already has the right permissions
    await database.ask(`copy (${select}) to ${outputLiteral(place)} (format parquet, use_tmp_file false)`)
    return rows
  } finally {
    await database.close()
    await release(lines)
  }
}

/** The one type of all cells so far; text where they differ. */
function typeOf(batch: Batch, name: string, before: ParquetType | undefined): ParquetType {
  let type = before
  const see = (cell: unknown): void => {
    if (cell === null || cell === undefined || Number.isNaN(cell)) return
    const is =
      typeof cell === "number" || typeof cell === "bigint"
        ? "DOUBLE"
        : typeof cell === "boolean"
          ? "BOOLEAN"
          : "VARCHAR"
    type = type === undefined || type === is ? is : "VARCHAR"
  }
  if (Array.isArray(batch))
    for (const row of batch as readonly Row[]) see(Object.hasOwn(row, name) ? row[name] : null)
  else {
    const cells = Object.hasOwn(batch, name) ? (batch as Columns)[name] : []
    for (let i = 0; i < cells.length; i++) see(cells[i])
  }
  return type ?? "VARCHAR"
}
