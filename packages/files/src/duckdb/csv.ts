/**
 * CSV and TSV through DuckDB. Delimiter and header are found by looking at the first records; types by looking at the
 * cells, all of them where the file is small: DuckDB's own guesses take a missing marker for text, a code such as 0815 for
 * a number, and a ragged file for one with other delimiters.
 */
import { type As, askedOf, cellsAsked } from "../asked.ts"
import { badGzip, beginningOf, endsInLongLine, type Found, findFile, nothingIn, notUtf8 } from "../bytes.ts"
import { type Dialect, dialectOf } from "../dialect.ts"
import { counted, FileError, grouped, quoted } from "../errors.ts"
import { LIMITS, MISSING } from "../limits.ts"
import type { ColumnType, Reader, TableOptions } from "../table.ts"
import { type Database, fileLiteral, literal, openDatabase } from "./database.ts"
import { type QueryColumn, queryReader, withDictionaries } from "./query.ts"

export async function openCsv(path: string, options: TableOptions, tabs: boolean): Promise<Reader> {
  const file = await findFile(path)
  const encoding = options.encoding ?? "utf-8"
  const { text, cut } = await beginningOf(
    file,
    encoding === "latin-1" ? "latin1" : encoding === "utf-16" ? "utf-16le" : encoding,
  )
  const { header, quote = '"' } = options
  const delimiter = checkedDelimiter(options.delimiter ?? (tabs ? "\t" : undefined))
  const dialect = dialectOf(text, cut, { delimiter, header, quote })
  if (!dialect) throw nothingIn(path)
  refuseOtherDelimiter(file, text, cut, dialect, options)
  if (dialect.header && dialect.records === 1 && !cut) throw headerOnly(file)

  // DuckDB silently drops a last line that is longer than its buffer
  if (!file.zipped && (await endsInLongLine(file, LIMITS.csvLine)))
    throw longLine(`the last line of ${quoted(path, 200)}`, { path })
  const from = fileLiteral(path)
  const names = namesOf(dialect)
  const missing = [...new Set([...MISSING, ...(options.missing ?? [])])]
  const settings = [
    "auto_detect=false",
    "hive_partitioning=false",
    `delim=${literal(dialect.delimiter)}`,
    `quote=${literal(quote)}`,
    `escape=${literal(quote)}`,
    `header=${dialect.header}`,
    "strict_mode=true",
    "null_padding=false",
    // a quarter of the default: memory use is the same for short and long files
    `buffer_size=${LIMITS.csvLine}`,
    `compression=${file.zipped ? "'gzip'" : "'none'"}`,
    `nullstr=[${missing
      .flatMap(marker => (marker === "" ? [marker, " "] : [marker, ` ${marker}`]))
      .map(literal)
      .join(", ")}]`,
    ...(encoding === "utf-8" ? [] : [`encoding=${literal(encoding)}`]),
  ].join(", ")
  const relation = (types: readonly string[]): string =>
    `read_csv(${from}, ${settings}, columns={${types.map((type, c) => `'c${c}': '${type}'`).join(", ")}})`

  const { signal } = options
  const database = await openDatabase(signal && { signal })
  const explain = async (error: unknown): Promise<Error> => {
    signal?.throwIfAborted()
    return sentence(error, file, names, dialect, options.as ?? {})
  }
  try {
    const seen = await look(database, relation(names.map(() => "VARCHAR")), names.length, file)
    if (seen[0]?.rows === 0) throw headerOnly(file)
    const plain = names.map((name, c) => csvColumn(name, c, seen[c], options))
    const columns = await withDictionaries(database, relation(names.map(() => "VARCHAR")), plain)
    return queryReader({
      name: file.name,
      database,
      columns: () => columns,
      relation: () =>
        relation(
          columns.map(({ decoding }) =>
            decoding === "number" ? "DOUBLE" : decoding === "boolean" ? "BOOLEAN" : "VARCHAR",
          ),
        ),
      explain,
      retype(column, note) {
        const c = names.indexOf(column)
        if (columns[c].decoding === "string") return false
        columns[c] = { ...textColumn(column, c, "string"), note }
        return true
      },
    })
  } catch (error) {
    await database.close()
    throw await explain(error)
  }
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

function headerOnly({ path }: Found): FileError {
  return new FileError(
    "empty",
    `${quoted(path, 200)} has a header and no rows. There is nothing to learn from. Check whether it was written to its end; if its first line is a row, pass header: false.`,
    { path },
  )
}

/** The names of the header, made different from each other; column1, column2 … where there are none. */
function namesOf({ header, first }: Dialect): string[] {
  const used = new Set<string>()
  return first.map((cell, c) => {
    const name = (header && cell.replace(/^\ufeff/, "").trim()) || `column${c + 1}`
    let free = name
    for (let n = 2; used.has(free); n++) free = `${name}_${n}`
    used.add(free)
    return free
  })
}

// ── types ──────────────────────────────────────────────────────────────────────────────────────────

/** How many cells of a column are of which type. */
interface Seen {
  readonly rows: number
  readonly present: number
  readonly numbers: number
  readonly integers: number
  /** Numbers with a leading zero: as numbers, 0815 and 815 would be the same. */
  readonly codes: number
  readonly booleans: number
  readonly dates: number
  /** A cell that is not a number. */
  readonly odd: string | null
}

const DATE =
  "^\\s*(\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}|\\d{1,2}[./-]\\d{1,2}[./-]\\d{4})([T ]+\\d{1,2}:\\d{2}(:\\d{2}([.,]\\d+)?)?\\s*(Z|[+-]\\d{2}:?\\d{2})?)?\\s*$"
/** Columns per query, so that its text and plan stay small. */
const GROUP = 100

/** Counts over all rows, or the first ones of a long file: first what is cheap, then the rest for columns that are not numbers. */
async function look(database: Database, relation: string, width: number, file: Found): Promise<Seen[]> {
  const whole = file.bytes <= (file.zipped ? LIMITS.wholeBytes / 4 : LIMITS.wholeBytes)
  const from = whole ? relation : `(select * from ${relation} limit ${LIMITS.sampleRows})`
  const all = Array.from({ length: width }, (_, c) => c)
  const numeric = await askOf(database, from, all, c => ({
    rows: "count(*)::double",
    present: `count(c${c})::double`,
    numbers: `count(try_cast(c${c} as double))::double`,
    integers: `count(*) filter (try_cast(c${c} as double) % 1 = 0)::double`,
    codes: `count(*) filter (starts_with(c${c}, '0') and length(c${c}) > 1 and not contains(c${c}, '.'))::double`,
  }))
  const others = all.filter(c => numeric[c].numbers !== numeric[c].present)
  const textual = await askOf(database, from, others, c => ({
    booleans: `count(*) filter (lower(trim(c${c})) in ('true', 'false'))::double`,
    dates: `count(*) filter (regexp_matches(c${c}, ${literal(DATE)}))::double`,
    odd: `min(c${c}) filter (try_cast(c${c} as double) is null)`,
  }))
  return numeric.map((counts, c) => {
    const more = textual[others.indexOf(c)] ?? { booleans: 0, dates: 0, odd: null }
    return { ...counts, ...more } as unknown as Seen
  })
}

/** The results of some expressions for each column, by name. */
async function askOf(
  database: Database,
  from: string,
  places: readonly number[],
  questions: (c: number) => Readonly<Record<string, string>>,
): Promise<Record<string, unknown>[]> {
  const answers: Record<string, unknown>[] = []
  for (let first = 0; first < places.length; first += GROUP) {
    const group = places.slice(first, first + GROUP)
    const asked = group.flatMap(c =>
      Object.entries(questions(c)).map(([name, expression]) => `${expression} as ${name}_${c}`),
    )
    const [row] = await database.ask(`select ${asked.join(", ")} from ${from}`)
    for (const c of group) {
      answers.push(Object.fromEntries(Object.keys(questions(c)).map(name => [name, row[`${name}_${c}`]])))
    }
  }
  return answers
}

function csvColumn(name: string, c: number, seen: Seen, { as = {} }: TableOptions): QueryColumn {
  const asked = cellsAsked(as, name)
  if (asked === "number" || asked === "count")
    return numberColumn(name, c, asked === "count" ? "integer" : "number")
  const { type, note } = typeOf(seen)
  const said = note === undefined ? {} : { note }
  if (asked === "category" || asked === "text") return { ...textColumn(name, c, "string"), ...said }
  if (type === "number" || type === "integer") return { ...numberColumn(name, c, type), ...said }
  if (type === "boolean") return { name, type, expression: `c${c}`, decoding: "boolean", ...said }
  return { ...textColumn(name, c, type), ...said }
}

function numberColumn(name: string, c: number, type: "number" | "integer"): QueryColumn {
  return { name, type, expression: `c${c}`, decoding: "number" }
}

/** Blanks around text carry no meaning: they are trimmed. */
function textColumn(name: string, c: number, type: ColumnType): QueryColumn {
  return { name, type, expression: `trim(c${c})`, decoding: "string" }
}

/** Above this share of numbers, the few other cells are worth a note. */
const MOSTLY = 0.5

function typeOf({ present, numbers, integers, codes, booleans, dates, odd }: Seen): {
  type: ColumnType
  note?: string
} {
  if (present === 0) return { type: "string" }
  if (booleans === present) return { type: "boolean" }
  if (dates === present) return { type: "date" }
  if (numbers === present && codes === 0) return { type: integers === present ? "integer" : "number" }
  if (numbers === present) {
    return {
      type: "string",
      note: "whole numbers, some with leading zeros: read as text, since they are codes",
    }
  }
  if (numbers > MOSTLY * present) {
    const others = present - numbers
    return {
      type: "string",
      note: `mixed: ${grouped(numbers)} cells are numbers, ${grouped(others)} ${others === 1 ? "is" : "are"} not, such as ${quoted(odd ?? "", 20)}; if that means "not known", name it among the missing cells`,
    }
  }
  return { type: "string" }
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
    const few = Number(width[2]) < Number(width[1])
    return new FileError(
      "row",
      `${at} has ${counted(Number(width[2]), "cell")}, the first line has ${width[1]}: ${quoted(original)}. ${few ? "A row may be cut off, or the file ends in the middle of one" : `A cell that holds ${quoted(delimiter)} must be quoted`}. Mend the line${delimiter === "," ? "" : ", or pass another delimiter"}.`,
      { ...details, expected: Number(width[1]), found: Number(width[2]) },
      { cause: error },
    )
  }
  if (/unterminated quote/i.test(said)) {
    return new FileError(
      "row",
      `${at} opens a quote that is never closed: ${quoted(original)}. The file ends inside a cell, or a cell holds a single quote sign${file.bytes > LIMITS.csvLine ? `, or a line has more than ${grouped(LIMITS.csvLine)} bytes, which is too long` : ""}. Close it, write a quote inside a cell twice, or, if no cell is quoted, pass quote: "".`,
      details,
      { cause: error },
    )
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
