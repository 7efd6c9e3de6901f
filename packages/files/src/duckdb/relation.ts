/** Parquet, JSON and SQL through DuckDB: relations that know the types of their columns. */
import { basename } from "node:path"
import { cellsAsked } from "../asked.ts"
import { type Found, findFile, linesOf, type Place } from "../bytes.ts"
import { FileError, grouped, quoted } from "../errors.ts"
import { LIMITS, MISSING } from "../limits.ts"
import type { ColumnType, Reader, ReadingOptions, TableOptions } from "../table.ts"
import { type CsvColumn, columnsOf } from "./csv-columns.ts"
import { type Database, fileLiteral, literal, openDatabase } from "./database.ts"
import { type QueryColumn, queryReader, withDictionaries } from "./query.ts"
import { inParentheses, oneSelect } from "./select.ts"

export async function openParquet(place: Place, options: ReadingOptions): Promise<Reader> {
  const { path, at } = await findFile(place)
  const relation = `read_parquet(${fileLiteral(at)}, hive_partitioning=false)`
  return openRelation(
    basename(path),
    async () => relation,
    options,
    async error => malformed(path, "Parquet", error, parquetReason(error)),
  )
}

export async function openJson(place: Place, options: ReadingOptions): Promise<Reader> {
  const file = await findFile(place)
  const { path, at, zipped } = file
  const from = `read_json(${fileLiteral(at)}, compression=${zipped ? "'gzip'" : "'uncompressed'"}, hive_partitioning=false, maximum_object_size=${LIMITS.object}`
  // The types of all rows: of a sample only, a later row could be refused. They are looked for once, not at each reading.
  const untyped = `${from}, sample_size=-1)`
  const typed = (columns: readonly Described[]): string =>
    // a name cannot be computed, and NUL would end the query: then types are inferred at each reading
    columns.some(({ column_name, column_type }) => `${column_name}${column_type}`.includes("\0"))
      ? untyped
      : `${from}, columns={${columns.map(({ column_name, column_type }) => `${literal(column_name)}: ${literal(column_type)}`).join(", ")}})`
  return openRelation(
    basename(path),
    async () => untyped,
    options,
    async error => {
      const line = await firstBadLine(file)
      return malformed(
        path,
        "JSON",
        error,
        line ? `Line ${grouped(line)} is no JSON` : jsonReason(error),
        line,
      )
    },
    { json: true, typed },
  )
}

export async function openSql(sql: string, options: TableOptions): Promise<Reader> {
  return openRelation(
    "sql",
    async database => inParentheses(await oneSelect(database, sql)),
    options,
    async error => {
      const said = messageOf(error)
        .replace(/\n+LINE \d+: [\s\S]*$/, "")
        .replace(/\s*\n\s*/g, " ")
      return new FileError(
        "sql",
        `the SQL cannot be run. ${said.replace(/[.!]?$/, ".")} Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv').`,
        { sql },
        { cause: error },
      )
    },
    { json: /json/i.test(sql), isQuery: true },
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function malformed(path: string, format: string, cause: unknown, why: string, line?: number): FileError {
  return new FileError(
    "format",
    `${quoted(path, 200)} cannot be read as ${format}. ${why}. Check whether it was written to its end, or pass its format.`,
    { path, ...(line !== undefined && { line }) },
    { cause },
  )
}

function parquetReason(error: unknown): string {
  const said = messageOf(error)
  return /magic bytes|too small to be a Parquet/i.test(said)
    ? "It does not begin and end as a Parquet file does; its end may be missing"
    : said.split("\n")[0].replace(/\.\s*$/, "")
}

function jsonReason(error: unknown): string {
  return messageOf(error)
    .split("\n")[0]
    .replace(/^Invalid Input Error: /, "")
    .replace(/[.\s]+$/, "")
}

/** In a file with an object per line, the first line that is not one. DuckDB's own line numbers are wrong. */
async function firstBadLine(file: Found): Promise<number | undefined> {
  let isFirst = true
  try {
    for await (const lines of linesOf(file)) {
      for (const { text, line } of lines) {
        if (text.trim() === "") continue
        if (!isJson(text)) {
          // a first line that only starts an object or a list: the file does not have an object per line
          return isFirst && /^\s*[[{]/.test(text) ? undefined : line
        }
        isFirst = false
      }
    }
  } catch (error) {
    // neither does a file that is not text, or a single endless line
    if (!(error instanceof FileError)) throw error
  }
  return undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A row of DuckDB's `describe`. */
interface Described {
  readonly column_name: string
  readonly column_type: string
}

interface RelationOptions {
  readonly json?: boolean
  /** A query of the user, which may take long. */
  readonly isQuery?: boolean
  /** What is read once the types are known. */
  readonly typed?: (columns: readonly Described[]) => string
}

async function openRelation(
  name: string,
  from: (database: Database) => Promise<string>,
  options: ReadingOptions,
  sentence: (error: unknown) => Promise<FileError>,
  { json = false, isQuery = false, typed }: RelationOptions = {},
): Promise<Reader> {
  const { signal, database: open = openDatabase } = options
  const explain = async (error: unknown): Promise<Error> => {
    signal?.throwIfAborted()
    return error instanceof FileError ? error : sentence(error)
  }
  const database = await open({ json, readOnly: isQuery, ...(signal && { signal }) })
  try {
    const untyped = await from(database)
    const described = (await database.ask(`describe select * from ${untyped}`)) as unknown as Described[]
    // columns are referred to by index: a name may contain anything
    const relation = `${typed ? typed(described) : untyped} as t(${described.map((_, c) => `c${c}`).join(", ")})`
    const missing = [...new Set([...MISSING, ...(options.missing ?? [])])]
    const plain: QueryColumn[] = []
    for (const [c, { column_name, column_type }] of described.entries()) {
      plain.push(await columnOf(column_name, `c${c}`, column_type, missing, database, relation, options))
    }
    // a query may take long: it is not run for this, and can convert its strings itself
    const columns = isQuery
      ? plain
      : await withDictionaries(
          database,
          relation,
          await stringsLookedAt(database, relation, plain, described, options),
        )
    const [{ n }] = await database.ask(
      `select count(*)::double as n from (select 1 from ${relation} limit 1)`,
    )
    if (n === 0) {
      throw new FileError(
        "empty",
        `${isQuery ? "the SQL gives" : `${quoted(name)} has`} no rows. There is nothing to learn from. Check ${isQuery ? "its conditions" : "whether it was written to its end"}.`,
        { name },
      )
    }
    return queryReader({ name, database, columns: () => columns, relation: () => relation, explain })
  } catch (error) {
    await database.close()
    throw await explain(error)
  }
}

/** Strings are what they hold, as the cells of CSV are: numbers as people write them, dates, true and false, or words. */
async function stringsLookedAt(
  database: Database,
  relation: string,
  columns: readonly QueryColumn[],
  described: readonly Described[],
  { as = {}, ...options }: TableOptions,
): Promise<QueryColumn[]> {
  const strings = [...columns.keys()].filter(c => {
    const asked = cellsAsked(as, columns[c].name)
    return described[c].column_type === "VARCHAR" && asked !== "category" && asked !== "text"
  })
  if (strings.length === 0) return [...columns]
  const names = columns.map(({ name }) => name)
  const cells = strings.map(c => `${columns[c].expression} as c${c}`).join(", ")
  const look = async (places: readonly number[], rows: string): Promise<Map<number, CsvColumn>> => {
    const from = `(select ${cells} from ${relation}${rows})`
    const found = await columnsOf(database, from, names, ",", options, places)
    return new Map(found.map((column, i) => [places[i], column]))
  }
  const found = await look(strings, ` limit ${LIMITS.sampleRows}`)
  // what the first rows look like is asked of all rows
  const others = strings.filter(c => found.get(c)!.type !== "string")
  if (others.length > 0) for (const [c, column] of await look(others, "")) found.set(c, column)
  return columns.map((column, c) => {
    const seen = found.get(c)
    return seen ? fromStrings(column, seen, `c${c}`) : column
  })
}

/** A column of strings as it was found to be: its expression is one over the cells that are not missing. */
function fromStrings(
  { expression: known, ...column }: QueryColumn,
  { type, expression, decoding, csvType, note, empty }: CsvColumn,
  own: string,
): QueryColumn {
  const cell = csvType === "VARCHAR" ? own : `cast(${own} as ${csvType})`
  const over = (expression === own ? cell : expression).replaceAll(
    new RegExp(`\\b${own}\\b`, "g"),
    () => `(${known})`,
  )
  return {
    ...column,
    type,
    expression: over,
    decoding,
    ...(note !== undefined ? { note } : csvType === "DOUBLE" && { note: WRITTEN_AS_TEXT }),
    ...(empty && { empty }),
  }
}

const WRITTEN_AS_TEXT = "numbers that are written as text; if they are codes, read it as a category"

const NUMBERS = /^(FLOAT|DOUBLE|DECIMAL.*)$/
const INTEGERS = /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/
const TIMES = /^(DATE|TIME|TIMESTAMP)/
const BAGS = /^(VARCHAR\[\]|MAP\(VARCHAR, (U?(TINYINT|SMALLINT|INTEGER|BIGINT)|FLOAT|DOUBLE)\))$/
const COUNTS = /^STRUCT\((("[^"]*"|\w+) (U?(TINYINT|SMALLINT|INTEGER|BIGINT)|FLOAT|DOUBLE)(, )?)+\)$/

async function columnOf(
  name: string,
  own: string,
  declared: string,
  missing: readonly string[],
  database: Database,
  relation: string,
  { as = {} }: TableOptions,
): Promise<QueryColumn> {
  const asked = cellsAsked(as, name)
  const known = (text: string): string =>
    `case when trim(${text}) in (${missing.map(literal).join(", ")}) then null else trim(${text}) end`
  if (BAGS.test(declared) || COUNTS.test(declared)) {
    // two words that a struct loses in conversion; a map keeps them
    const expression = /__proto__|\0/.test(declared) ? `${own}::json::map(varchar, double)` : own
    return { name, type: "bag", expression, decoding: "value" }
  }
  if (asked === "category" || asked === "text") {
    return { name, type: "string", expression: known(textOf(own, declared)), decoding: "string" }
  }
  if (NUMBERS.test(declared) || INTEGERS.test(declared)) {
    const type: ColumnType = INTEGERS.test(declared) ? "integer" : "number"
    return { name, type, expression: `${own}::double`, decoding: "number" }
  }
  if (declared === "BOOLEAN" && asked === undefined)
    return { name, type: "boolean", expression: own, decoding: "boolean" }
  if (TIMES.test(declared)) return { name, type: "date", expression: `${own}::varchar`, decoding: "string" }
  const text = known(textOf(own, declared))
  if (declared === "VARCHAR" || declared.startsWith("ENUM(") || declared === "UUID") {
    return { name, type: "string", expression: text, decoding: "string" }
  }
  if (declared === "JSON") return mixedColumn(name, text, database, relation)
  return {
    name,
    type: "string",
    expression: `${own}::varchar`,
    decoding: "string",
    nested: true,
    note: `nested (${declared.length > 40 ? `${declared.slice(0, 40)}…` : declared}): read as text; take it apart with SQL`,
  }
}

/** JSON's own text, without the quotes. */
function textOf(own: string, declared: string): string {
  return declared === "JSON" ? `(${own} ->> '$')` : `${own}::varchar`
}

/** JSON cells of several types: numbers, where what is left without the missing markers is numbers. */
async function mixedColumn(
  name: string,
  text: string,
  database: Database,
  relation: string,
): Promise<QueryColumn> {
  const [{ present, numbers }] = await database.ask(
    `select count(t)::double as present, count(try_cast(t as double))::double as numbers from (select ${text} as t from ${relation})`,
  )
  if (present === numbers && (present as number) > 0) {
    return { name, type: "number", expression: `(${text})::double`, decoding: "number" }
  }
  const note = "mixed: cells of several types, read as text"
  return { name, type: "string", expression: text, decoding: "string", note }
}
