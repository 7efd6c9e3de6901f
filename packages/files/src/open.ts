/** `openTable`: a table from a file, several files, a folder, a stream or a query; the format by its extension, or by what is in it. */
import { stat } from "node:fs/promises"
import type { Readable } from "node:stream"
import { AS } from "./asked.ts"
import { type Found, findFile, noSuchFile, type Place } from "./bytes.ts"
import { contentOf } from "./content.ts"
import { FileError, listed, quoted } from "./errors.ts"
import { DESCRIPTIONS, FORMATS, type FormatDescription, formatNamed } from "./formats.ts"
import { type OpenPlace, READERS } from "./readers.ts"
import { type FileTable, fileTable, type Reader, type ReadingOptions, type TableOptions } from "./table.ts"
import { closing, gunzipped, spooled, transcoded, type Unpacked, unzipped, withTabs } from "./unpack.ts"

/** A path; several, with the same columns; a stream, which is kept in a temporary file; or a DuckDB select. */
export type TableInput =
  | string
  | readonly string[]
  | { readonly stream: Readable; readonly name?: string }
  | { readonly sql: string }

const OPTIONS = [
  ...[
    "format",
    "missing",
    "as",
    "asIfThere",
    "delimiter",
    "header",
    "quote",
    "decimal",
    "thousands",
    "encoding",
    "sheet",
    "names",
  ],
  ...["label", "onRows", "signal"],
]

export async function openTable(input: TableInput, options: TableOptions = {}): Promise<FileTable> {
  checkInput(input)
  checkOptions(options)
  options.signal?.throwIfAborted()
  const reader = await readerOf(input, { ...options, as: { ...options.asIfThere, ...options.as } })
  try {
    return fileTable(reader, options)
  } catch (error) {
    await reader.close?.()
    throw error
  }
}

async function readerOf(input: TableInput, options: ReadingOptions): Promise<Reader> {
  if (typeof input === "string") return openOne({ path: input, at: input }, options)
  if (isList(input)) {
    if (input.length === 1) return readerOf(input[0], options)
    const { sharedDatabase } = await import("./duckdb/database.ts")
    const together = { ...options, database: sharedDatabase() }
    return (await import("./several.ts")).openSeveral(input, path => readerOf(path, together))
  }
  if ("sql" in input) return (await import("./duckdb/relation.ts")).openSql(input.sql, options)
  const { stream, name = "the stream" } = input
  const kept = await spooled([stream], name, "stream", options.signal)
  return closing(kept, openOne(kept, options))
}

function isList(input: TableInput): input is readonly string[] {
  return Array.isArray(input)
}

/** Opens a file by its format: the requested one, else that of its name, else that of its bytes. Archives are unpacked first. */
async function openOne(place: Place, options: ReadingOptions): Promise<Reader> {
  const { signal } = options
  const status = await stat(place.at).catch(error => {
    throw noSuchFile(place.path, error)
  })
  const named = options.format ?? (status.isDirectory() ? "folder" : formatNamed(place.at))
  const described: FormatDescription | undefined = named && DESCRIPTIONS[named]
  if (named && (described?.content === "folder" || described?.content === "database"))
    return (READERS[named] as OpenPlace)(place, options)

  const file = await findFile(place, signal)
  const unpacked = async (made: Unpacked, as = options): Promise<Reader> => closing(made, openOne(made, as))
  const content = await contentOf(file, options.encoding === "utf-16")
  switch (content.kind) {
    case "zip":
      return unpacked(await unzipped(file, signal))
    case "gzip":
      return unpacked(await gunzipped(file, signal))
    case "bytes":
      return READERS[content.format](file, options, named === undefined)
    case "text":
      break
    default:
      return content satisfies never
  }
  if (described?.content === "bytes") throw isText(file, described)
  const encoding = content.encoding === "utf-8" && isWestern(options) ? "windows-1252" : content.encoding
  if (encoding !== "utf-8") {
    const { encoding: _, ...rest } = options
    return unpacked(await transcoded(file, encoding, signal), rest)
  }
  if (named === undefined && content.aligned && options.delimiter === undefined)
    return unpacked(await withTabs(file, signal), { ...options, format: "tsv" })
  return READERS[named ?? content.format](file, options, named === undefined)
}

/** A byte for each character. What calls itself Latin-1 is nearly always what Windows makes of it, where € and “ are. */
function isWestern({ encoding }: ReadingOptions): boolean {
  return encoding === "latin-1" || encoding === "windows-1252"
}

function isText({ path }: Found, { title }: FormatDescription): FileError {
  return new FileError(
    "format",
    `${quoted(path, 200)} is no ${title}, whatever its name says: it is text. If it is CSV, it was given the wrong name. Rename it, or pass format: "csv".`,
    { path },
  )
}

/** Paths are taken as they are: there are no patterns. */
function checkInput(input: TableInput): void {
  if (
    typeof input === "string" ||
    (isList(input) && input.length > 0 && input.every(path => typeof path === "string"))
  )
    return
  if (typeof input === "object" && input !== null && !isList(input)) {
    if ("sql" in input && typeof input.sql === "string") return
    if ("stream" in input && typeof input.stream?.pipe === "function") return
  }
  throw new FileError(
    "option",
    `openTable was given ${isList(input) ? (input.length === 0 ? "an empty list" : "a list that holds something else than paths") : `a value of type ${input === null ? "null" : typeof input}`}. A table is a path, several paths, { stream } or { sql }. Name a file.`,
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
  const { format, as = {}, asIfThere = {}, decimal, thousands, sheet } = options
  if (format !== undefined && !FORMATS.includes(format)) {
    throw new FileError(
      "option",
      `format is ${quoted(String(format))}. Nothing reads it. Choose among ${listed(FORMATS, FORMATS.length)}.`,
      {
        option: "format",
      },
    )
  }
  checkNumerals(decimal, thousands)
  if (sheet !== undefined && typeof sheet !== "string" && !(Number.isInteger(sheet) && sheet > 0)) {
    throw new FileError(
      "option",
      `sheet is ${String(sheet)}. It is the name of a sheet, or its number, from 1. Pass for example sheet: 2.`,
      { option: "sheet" },
    )
  }
  for (const [column, kind] of Object.entries({ ...asIfThere, ...as })) {
    if (AS.includes(kind)) continue
    throw new FileError(
      "option",
      `as: ${quoted(column)} is to be read as ${quoted(String(kind))}. Nothing is called so. Choose among ${listed(AS, AS.length)}.`,
      { option: "as", column },
    )
  }
}

const DECIMALS: readonly string[] = [".", ","]
const THOUSANDS: readonly string[] = [",", ".", " ", "'", ""]

function checkNumerals(decimal: string | undefined, thousands: string | undefined): void {
  const [option, value] =
    decimal !== undefined && !DECIMALS.includes(decimal)
      ? ["decimal", decimal]
      : thousands !== undefined && !THOUSANDS.includes(thousands)
        ? ["thousands", thousands]
        : []
  if (option !== undefined) {
    throw new FileError(
      "option",
      `${option} is ${quoted(String(value))}. It is one sign. Choose among ${listed(option === "decimal" ? DECIMALS : THOUSANDS)}.`,
      { option },
    )
  }
  if (
    thousands !== undefined &&
    thousands !== "" &&
    thousands === (decimal ?? (thousands === "." ? "." : undefined))
  ) {
    throw new FileError(
      "option",
      `thousands is ${quoted(thousands)}, and so is the decimal sign. Groups of digits and decimals cannot begin with the same sign. ${decimal === undefined ? 'Pass decimal: "," too' : "Choose another for one of them"}.`,
      { option: "thousands" },
    )
  }
}
