/** `openTable`: a table from a file, a folder or a query; the format by its extension. */
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { AS } from "./asked.ts"
import { noSuchFile } from "./bytes.ts"
import { FileError, listed, quoted } from "./errors.ts"
import { type FileTable, FORMATS, type Format, fileTable, type Reader, type TableOptions } from "./table.ts"

/** A path, or a DuckDB select. */
export type TableInput = string | { readonly sql: string }

const OPTIONS = ["format", "missing", "as", "delimiter", "header", "quote", "encoding", "label", "signal"]

export async function openTable(input: TableInput, options: TableOptions = {}): Promise<FileTable> {
  checkInput(input)
  checkOptions(options)
  options.signal?.throwIfAborted()
  const reader = await readerOf(input, options)
  try {
    return fileTable(reader, options)
  } catch (error) {
    await reader.close?.()
    throw error
  }
}

async function readerOf(input: TableInput, options: TableOptions): Promise<Reader> {
  if (typeof input !== "string") return (await import("./duckdb/relation.ts")).openSql(input.sql, options)
  const format = options.format ?? (await formatOf(input))
  switch (format) {
    case "csv":
    case "tsv":
      return (await import("./duckdb/csv.ts")).openCsv(input, options, format === "tsv")
    case "parquet":
      return (await import("./duckdb/relation.ts")).openParquet(input, options)
    case "json":
      return (await import("./duckdb/relation.ts")).openJson(input, options)
    case "svmlight":
      return (await import("./svmlight.ts")).openSvmlight(input, options)
    case "arff":
      return (await import("./arff.ts")).openArff(input, options)
    case "folder":
      return (await import("./folder.ts")).openFolder(input, options)
    default:
      return format satisfies never
  }
}

const EXTENSIONS: readonly (readonly [RegExp, Format])[] = [
  [/\.csv(\.gz)?$/i, "csv"],
  [/\.(tsv|tab)(\.gz)?$/i, "tsv"],
  [/\.(parquet|pq)$/i, "parquet"],
  [/\.(json|ndjson|jsonl)(\.gz)?$/i, "json"],
  [/\.(svm|svmlight|libsvm)(\.gz)?$/i, "svmlight"],
  [/\.arff(\.gz)?$/i, "arff"],
]

async function formatOf(path: string): Promise<Format> {
  const status = await stat(path).catch(error => {
    throw noSuchFile(path, error)
  })
  if (status.isDirectory()) return "folder"
  const found = EXTENSIONS.find(([pattern]) => pattern.test(path))
  if (found) return found[1]
  throw new FileError(
    "format",
    `the format of ${quoted(basename(path))} is not known. Its extension is none of csv, tsv, parquet, json, ndjson, svm, libsvm and arff (and .gz of most). Rename it, or pass format: ${FORMATS.map(format => quoted(format)).join(" | ")}.`,
    { path },
  )
}

/** One path, taken as it is, or one query. */
function checkInput(input: TableInput): void {
  if (
    typeof input === "string" ||
    (typeof input === "object" && input !== null && typeof input.sql === "string")
  )
    return
  throw new FileError(
    "option",
    `openTable was given ${Array.isArray(input) ? "a list" : `a value of type ${input === null ? "null" : typeof input}`}. A table is one path, or { sql }. Name one file; several are read by SQL: { sql: "select * from read_csv(['a.csv', 'b.csv'])" }.`,
  )
}

function checkOptions(options: TableOptions): void {
  const strange = Object.keys(options).find(name => !OPTIONS.includes(name))
  if (strange !== undefined) {
    throw new FileError(
      "option",
      `openTable: there is no option ${quoted(strange)}. It knows ${listed(OPTIONS)}. Leave it out.`,
      {
        option: strange,
      },
    )
  }
  const { format, as = {} } = options
  if (format !== undefined && !FORMATS.includes(format)) {
    throw new FileError(
      "option",
      `format is ${quoted(String(format))}. Nothing reads it. Choose among ${listed(FORMATS)}.`,
      {
        option: "format",
      },
    )
  }
  for (const [column, kind] of Object.entries(as)) {
    if (AS.includes(kind)) continue
    throw new FileError(
      "option",
      `as: ${quoted(column)} is to be read as ${quoted(String(kind))}. Nothing is called so. Choose among ${listed(AS, AS.length)}.`,
      { option: "as", column },
    )
  }
}
