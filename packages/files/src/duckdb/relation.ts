/** Parquet, JSON and SQL through DuckDB: relations that know the types of their columns. */
import { basename } from "node:path"
import { type Found, findFile, linesOf } from "../bytes.ts"
import { FileError, grouped, quoted } from "../errors.ts"
import { MISSING } from "../limits.ts"
import type { ColumnType, Reader, TableOptions } from "../table.ts"
import { type Database, identifier, literal, openDatabase } from "./database.ts"
import { type QueryColumn, queryReader, withDictionaries } from "./query.ts"

export async function openParquet(path: string, options: TableOptions): Promise<Reader> {
  await findFile(path)
  return openRelation(basename(path), `read_parquet(${literal(path)})`, options, async error =>
    malformed(path, "Parquet", error, parquetReason(error)),
  )
}

export async function openJson(path: string, options: TableOptions): Promise<Reader> {
  const file = await findFile(path)
  const settings = "maximum_object_size=67108864"
  // The types of all rows: of a sample only, a later row could be refused. They are looked for once, not at each reading.
  const relation = `read_json(${literal(path)}, sample_size=-1, ${settings})`
  const typed = (columns: readonly Described[]): string =>
    `read_json(${literal(path)}, ${settings}, columns={${columns.map(({ column_name, column_type }) => `${literal(column_name)}: ${literal(column_type)}`).join(", ")}})`
  return openRelation(
    basename(path),
    relation,
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
    typed,
  )
}

export async function openSql(sql: string, options: TableOptions): Promise<Reader> {
  const query = sql.trim().replace(/;+$/, "")
  return openRelation("sql", `(${query})`, options, async error => {
    const said = messageOf(error)
      .replace(/\n+LINE 1: [\s\S]*$/, "")
      .replace(/\s*\n\s*/g, " ")
    return new FileError(
      "sql",
      `the SQL cannot be run. ${said.replace(/[.!]?$/, ".")} Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv').`,
      { sql },
      { cause: error },
    )
  })
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

/** Of a file with an object per line: the first line that is none. DuckDB's own count of lines is off. */
async function firstBadLine(file: Found): Promise<number | undefined> {
  let isFirst = true
  for await (const lines of linesOf(file)) {
    for (const { text, line } of lines) {
      if (text.trim() === "") continue
      try {
        JSON.parse(text)
      } catch {
        // A first line that is only the beginning of an object or of a list: the file is not written by lines.
        return isFirst && /^\s*[[{]/.test(text) ? undefined : line
      }
      isFirst = false
    }
  }
  return undefined
}

/** A row of DuckDB's `describe`. */
interface Described {
  readonly column_name: string
  readonly column_type: string
}

async function openRelation(
  name: string,
  untyped: string,
  options: TableOptions,
  explain: (error: unknown) => Promise<FileError>,
  typed?: (columns: readonly Described[]) => string,
): Promise<Reader> {
  const isQuery = untyped.startsWith("(")
  const database = await openDatabase({ json: /json/i.test(untyped) })
  try {
    const described = (await database.ask(`describe select * from ${untyped}`)) as unknown as Described[]
    const relation = typed ? typed(described) : untyped
    const missing = [...new Set([...MISSING, ...(options.missing ?? [])])]
    const plain: QueryColumn[] = []
    for (const { column_name, column_type } of described) {
      plain.push(await columnOf(column_name, column_type, missing, database, relation, options))
    }
    // A query may be long to run: it is not run for this.
    const columns = isQuery ? plain : await withDictionaries(database, relation, plain)
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
    return queryReader({
      name,
      database,
      columns: () => columns,
      relation: () => relation,
      explain: async error => (error instanceof FileError ? error : explain(error)),
    })
  } catch (error) {
    await database.close()
    throw error instanceof FileError ? error : await explain(error)
  }
}

const NUMBERS = /^(FLOAT|DOUBLE|DECIMAL.*)$/
const INTEGERS = /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/
const TIMES = /^(DATE|TIME|TIMESTAMP)/
const BAGS = /^(VARCHAR\[\]|MAP\(VARCHAR, (U?(TINYINT|SMALLINT|INTEGER|BIGINT)|FLOAT|DOUBLE)\))$/
const COUNTS = /^STRUCT\((("[^"]*"|\w+) (U?(TINYINT|SMALLINT|INTEGER|BIGINT)|FLOAT|DOUBLE)(, )?)+\)$/

async function columnOf(
  name: string,
  declared: string,
  missing: readonly string[],
  database: Database,
  relation: string,
  { as = {} }: TableOptions,
): Promise<QueryColumn> {
  const asked = as[name]
  const own = identifier(name)
  const known = (text: string): string =>
    `case when trim(${text}) in (${missing.map(literal).join(", ")}) then null else trim(${text}) end`
  if (BAGS.test(declared) || COUNTS.test(declared))
    return { name, type: "bag", expression: own, decoding: "value" }
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
