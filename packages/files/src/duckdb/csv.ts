/**
 * CSV and TSV through DuckDB. Delimiter and header are found by looking at the first records; types by looking at the
 * cells, all of them where the file is small: DuckDB's own guesses take a missing marker for text, a code such as 0815 for
 * a number, and a ragged file for one with other delimiters.
 */
import { type As, askedOf } from "../asked.ts"
import { badGzip, beginningOf, endsInLongLine, type Found, notUtf8 } from "../bytes.ts"
import { headerOnly, nothingIn, openQuote, raggedRow, refuseProse } from "../csv-sentences.ts"
import { type Dialect, dialectOf, namesOf } from "../dialect.ts"
import { FileError, grouped, quoted } from "../errors.ts"
import { LIMITS, MISSING } from "../limits.ts"
import { STAND_INS } from "../stand-ins.ts"
import type { Reader, ReadingOptions, TableOptions } from "../table.ts"
import { type CsvColumn, columnsOf, lenientColumn, textColumn } from "./csv-columns.ts"
import { type Database, fileLiteral, literal, openDatabase } from "./database.ts"
import { queryReader, withDictionaries } from "./query.ts"

export interface CsvOptions {
  /** Cells are parted by tabs, unless it is said otherwise. */
  readonly tabs: boolean
  /** That it is CSV was found by looking: it may be no table at all. */
  readonly bySight: boolean
}

export async function openCsv(
  file: Found,
  options: ReadingOptions,
  { tabs, bySight }: CsvOptions,
): Promise<Reader> {
  const { path } = file
  const { header, quote = '"' } = options
  const { text, cut } = await beginningOf(file, "utf-8")
  const delimiter = checkedDelimiter(options.delimiter ?? (tabs ? "\t" : undefined))
  const dialect = dialectOf(text, cut, { delimiter, header, quote })
  if (!dialect) throw nothingIn(path)
  refuseOtherDelimiter(file, text, cut, dialect, options)
  if (bySight) refuseProse(path, dialect)
  if (dialect.header && dialect.records === 1 && !cut) throw headerOnly(path)

  // DuckDB silently drops a last line that is longer than its buffer
  if (!file.zipped && (await endsInLongLine(file, LIMITS.csvLine)))
    throw longLine(`the last line of ${quoted(path, 200)}`, { path })
  const { signal, database: open = openDatabase } = options
  const database = await open(signal && { signal })
  const names = namesOf(dialect)
  const settings = settingsOf(file, dialect, quote, options.missing)
  return readCsv({ file, options, dialect, names, settings, database, columns: [] })
}

/** Settings of DuckDB's `read_csv`. */
function settingsOf(file: Found, dialect: Dialect, quote: string, marks: readonly string[] = []): string {
  const missing = [...new Set([...MISSING, ...marks])]
  return [
    "auto_detect=false",
    "hive_partitioning=false",
    `delim=${literal(dialect.delimiter)}`,
    `quote=${literal(quote)}`,
    `escape=${literal(quote)}`,
    `header=${dialect.header}`,
    `skip=${dialect.skip}`,
    "strict_mode=true",
    "null_padding=false",
    // a quarter of the default: memory use is the same for short and long files
    `buffer_size=${LIMITS.csvLine}`,
    `compression=${file.zipped ? "'gzip'" : "'none'"}`,
    `nullstr=[${missing
      .flatMap(marker => (marker === "" ? [marker, " "] : [marker, ` ${marker}`]))
      .map(literal)
      .join(", ")}]`,
  ].join(", ")
}

/** An open CSV file. */
interface Csv {
  readonly file: Found
  readonly options: ReadingOptions
  readonly dialect: Dialect
  readonly names: readonly string[]
  readonly settings: string
  readonly database: Database
  /** Their types may change to text. */
  columns: CsvColumn[]
}

function relationOf({ file, settings }: Csv, types: readonly string[]): string {
  const columns = types.map((type, c) => `'c${c}': '${type}'`).join(", ")
  return `read_csv(${fileLiteral(file.at)}, ${settings}, columns={${columns}})`
}

async function readCsv(csv: Csv): Promise<Reader> {
  const { file, options, dialect, names, database } = csv
  const asText = relationOf(
    csv,
    names.map(() => "VARCHAR"),
  )
  const explain = async (error: unknown): Promise<Error> => {
    options.signal?.throwIfAborted()
    return (
      (await oddNumber(error, database, asText, csv.columns, file.path)) ??
      sentence(error, file, names, dialect, options.as ?? {})
    )
  }
  try {
    // All rows, or the first ones of a long file.
    const whole = file.bytes <= (file.zipped ? LIMITS.wholeBytes / 4 : LIMITS.wholeBytes)
    const sample = Math.ceil(Math.min(LIMITS.sampleRows, LIMITS.sampleCells / names.length))
    const looked = whole ? asText : `(select * from ${asText} limit ${sample})`
    const [{ n }] = await database.ask(`select count(*)::double as n from (select 1 from ${looked} limit 1)`)
    if (n === 0) throw headerOnly(file.path)
    const plain = await columnsOf(database, looked, names, dialect.delimiter, options)
    csv.columns = await withDictionaries(database, asText, plain, ({ longest = 0 }) => longest)
    return queryReader({
      name: file.name,
      database,
      columns: () => csv.columns,
      relation: () =>
        relationOf(
          csv,
          csv.columns.map(({ csvType }) => csvType),
        ),
      explain,
      retype: (column, note, cell) => retype(csv, column, note, cell),
    })
  } catch (error) {
    await database.close()
    throw await explain(error)
  }
}

/** Makes a column text, or a stand-in among its cells missing; false if it is text. */
function retype({ names, columns }: Csv, column: string, note: string, cell: string | undefined): boolean {
  const c = names.indexOf(column)
  const { csvType, type, decoding } = columns[c]
  if (decoding === "string") return false
  const isStandIn = cell !== undefined && STAND_INS.includes(cell.trim().toLowerCase())
  columns[c] =
    isStandIn && csvType === "DOUBLE"
      ? {
          ...lenientColumn(column, c, type as "number" | "integer"),
          note: `${quoted(cell.trim())} taken for missing`,
        }
      : { ...textColumn(column, c, "string"), note }
  return true
}

/** DuckDB does not say which column a number could not be made of. */
async function oddNumber(
  error: unknown,
  database: Database,
  relation: string,
  columns: readonly CsvColumn[],
  path: string,
): Promise<FileError | undefined> {
  const said = error instanceof Error ? error.message : String(error)
  if (!/Could not convert string/.test(said) || /CSV Error/.test(said)) return undefined
  for (const { name, expression, decoding, csvType, type } of columns) {
    if (csvType !== "VARCHAR" || decoding === "string") continue
    const c = /\bc\d+\b/.exec(expression)![0]
    const tried = expression.replace("then null else cast(", "then 0 else try_cast(").replace("::boolean", "")
    const [{ cell }] = await database.ask(
      `select min(${c}) as cell from ${relation} where ${c} is not null and (${tried}) is null`,
    )
    if (cell === null) continue
    return new FileError(
      "cell",
      `${quoted(path, 200)} holds ${quoted(String(cell))} in column ${quoted(name)}, which otherwise holds ${type === "boolean" ? "true and false" : "numbers"}. A column has one type. Name the cell among the missing ones, or read the column as a category: as: { ${quoted(name)}: "category" }.`,
      { path, column: name, value: cell },
      { cause: error },
    )
  }
  return undefined
}

function checkedDelimiter(delimiter: string | undefined): string | undefined {
  if (delimiter === undefined || (delimiter.length === 1 && !'"\n\r'.includes(delimiter))) return delimiter
  throw new FileError(
    "option",
    `delimiter is ${quoted(delimiter)}. It is one character, and neither a quote nor the end of a line. Pass for example ";".`,
    { option: "delimiter" },
  )
}

/** Refuses a given delimiter that does not occur if another one does. */
function refuseOtherDelimiter(
  file: Found,
  text: string,
  cut: boolean,
  dialect: Dialect,
  { delimiter, format, quote }: TableOptions,
): void {
  if (dialect.first.length > 1) return
  const other = dialectOf(text, cut, { quote })
  if (!other || other.first.length === 1 || other.agreeing < 0.9 * other.records) return
  const first = text.slice(0, text.search(/[\r\n]|$/))
  throw new FileError(
    "format",
    `${quoted(file.path, 200)} does not look separated by ${quoted(dialect.delimiter)}: its first line, ${quoted(first)}, would be one cell. ${quoted(other.delimiter)} would make ${other.first.length} columns. Pass delimiter: ${quoted(other.delimiter)}${delimiter === undefined && format === undefined ? "" : ", or leave the option out"}.`,
    { path: file.path, delimiter: dialect.delimiter, suggested: other.delimiter },
  )
}

function longLine(what: string, details: Readonly<Record<string, unknown>>, cause?: unknown): FileError {
  return new FileError(
    "row",
    `${what} has more than ${grouped(LIMITS.csvLine)} bytes. A line is held in memory as a whole; a quote may be open from there on, or the file is no CSV. Check the line, or, if no cell is quoted, pass quote: "".`,
    details,
    { cause },
  )
}

// ── errors ─────────────────────────────────────────────────────────────────────────────────────────

/** DuckDB's error in our words. */
function sentence(
  error: unknown,
  file: Found,
  names: readonly string[],
  { delimiter, first }: Dialect,
  asked: Readonly<Record<string, As>>,
): Error {
  if (error instanceof FileError) return error
  const said = error instanceof Error ? error.message : String(error)
  const { path } = file
  const line = Number(/CSV Error on Line: (\d+)/.exec(said)?.[1] ?? Number.NaN)
  const at = Number.isNaN(line) ? quoted(path, 200) : `line ${grouped(line)} of ${quoted(path, 200)}`
  const details = { path, ...(Number.isNaN(line) ? {} : { line }) }
  const original = /Original Line: (.*)/.exec(said)?.[1] ?? ""
  const width = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(said)
  if (width) {
    return raggedRow(at, Number(width[1]), Number(width[2]), original, delimiter, details, error)
  }
  if (/unterminated quote/i.test(said)) {
    return openQuote(at, original, file.bytes, details, error)
  }
  if (/not utf-8|Invalid unicode/i.test(said)) return notUtf8(path, details.line, error)
  const cell = /Error when converting column "c(\d+)". Could not convert string "([\s\S]*?)" to '(\w+)'/.exec(
    said,
  )
  if (cell) {
    const column = names[Number(cell[1])]
    return new FileError(
      "cell",
      `${at} holds ${quoted(cell[2])} in column ${quoted(column)}, which ${askedOf(asked, column) ? "is to be read as numbers" : `otherwise holds ${cell[3] === "BOOLEAN" ? "true and false" : "numbers"}`}. A column has one type. Name the cell among the missing ones, or read the column as a category: as: { ${quoted(column)}: "category" }.`,
      { ...details, column, value: cell[2] },
      { cause: error },
    )
  }
  if (/GZIP|miniz|zlib/i.test(said)) return badGzip(path, error)
  if (/Maximum line size|does not support a full read/i.test(said)) {
    return longLine(Number.isNaN(line) ? `a line of ${at}` : at, details, error)
  }
  return new FileError(
    "format",
    `${at} cannot be read as CSV with ${first.length} columns separated by ${quoted(delimiter)}. ${said.split("\n").slice(0, 2).join(" ")} Check the file, or pass delimiter and header.`,
    details,
    { cause: error },
  )
}
