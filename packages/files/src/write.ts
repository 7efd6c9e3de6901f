/**
 * Tables into files: CSV, TSV, NDJSON (gzipped by extension) and Parquet. A file is written under a temporary name in the
 * same folder and renamed at the end: at its path is the old file, the whole new one, or nothing.
 */
import { randomUUID } from "node:crypto"
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { Batch, Columns, Row, Source } from "suffice"
import { encode, namesOf, refuseNewColumns, type TextFormat } from "./encode.ts"
import { FileError, quoted } from "./errors.ts"

export interface WriteOptions {
  /** Instead of what the extension says. */
  readonly format?: WriteFormat
  /** The columns to write, in this order; without it, those of the first batch. */
  readonly columns?: readonly string[]
  readonly signal?: AbortSignal
}

export type WriteFormat = TextFormat | "parquet"

export async function writeTable(
  path: string,
  data: Batch | Source,
  options: WriteOptions = {},
): Promise<{ rows: number }> {
  const format = options.format ?? formatOf(path)
  await checkTarget(path)
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`)
  try {
    const rows =
      format === "parquet"
        ? await writeParquet(temporary, data, options)
        : await writeText(temporary, data, format, /\.gz$/i.test(path), options)
    await rename(temporary, path)
    return { rows }
  } catch (error) {
    await rm(temporary, { force: true })
    throw unwritable(path, error)
  }
}

const EXTENSIONS: readonly (readonly [RegExp, WriteFormat])[] = [
  [/\.csv(\.gz)?$/i, "csv"],
  [/\.(tsv|tab)(\.gz)?$/i, "tsv"],
  [/\.(ndjson|jsonl|json)(\.gz)?$/i, "ndjson"],
  [/\.(parquet|pq)$/i, "parquet"],
]

function formatOf(path: string): WriteFormat {
  const found = EXTENSIONS.find(([pattern]) => pattern.test(path))
  if (found) return found[1]
  throw new FileError(
    "format",
    `the format to write ${quoted(basename(path))} in is not known. Its extension is none of csv, tsv, ndjson and parquet. Choose another name, or pass format: "csv" | "tsv" | "ndjson" | "parquet".`,
    { path },
  )
}

async function checkTarget(path: string): Promise<void> {
  const [target, folder] = await Promise.all(
    [path, dirname(path)].map(place => stat(place).catch(() => undefined)),
  )
  if (target?.isDirectory()) {
    throw new FileError(
      "write",
      `${quoted(path, 200)} is a directory, and a file is to be written there. It would have to be removed. Give the name of a file in it.`,
      { path },
    )
  }
  if (!folder?.isDirectory()) {
    throw new FileError(
      "write",
      `there is no folder ${quoted(dirname(path), 200)}. A file is written into a folder that exists. Make it, or choose another path.`,
      { path },
    )
  }
}

function unwritable(path: string, cause: unknown): unknown {
  const { code, syscall } = cause as NodeJS.ErrnoException
  // What the data's own source has to say is not about this file.
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
  temporary: string,
  data: Batch | Source,
  format: TextFormat,
  zipped: boolean,
  { columns, signal }: WriteOptions,
): Promise<number> {
  const file = await open(temporary, "wx")
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
      await put(encode(batch, { format, columns: names, header: !begun }))
      begun = true
      rows += rowsOf(batch)
    }
    if (!begun && names) await put(encode([], { format, columns: names, header: true }))
    await file.sync()
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

// ── Parquet ────────────────────────────────────────────────────────────────────────────────────────

type ParquetType = "DOUBLE" | "BOOLEAN" | "VARCHAR"

/** By way of NDJSON in a file beside it: DuckDB makes Parquet of it without holding it in memory. */
async function writeParquet(temporary: string, data: Batch | Source, options: WriteOptions): Promise<number> {
  const { literal, openDatabase } = await import("./duckdb/database.ts")
  const lines = `${temporary}.ndjson`
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
    const columns = names.map(name => `${literal(name)}: '${types.get(name) ?? "VARCHAR"}'`).join(", ")
    const select = `select * from read_json(${literal(lines)}, format='newline_delimited', maximum_object_size=67108864, columns={${columns}})`
    await database.ask(`copy (${select}) to ${literal(temporary)} (format parquet)`)
    return rows
  } finally {
    await database.close()
    await rm(lines, { force: true })
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
  if (Array.isArray(batch)) for (const row of batch as readonly Row[]) see(row[name])
  else {
    const cells = (batch as Columns)[name]
    for (let i = 0; i < (cells?.length ?? 0); i++) see(cells[i])
  }
  return type ?? "VARCHAR"
}
