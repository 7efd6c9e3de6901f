/** Parquet, JSON and SQL through DuckDB: relations that know the types of their columns. */
import { basename } from "node:path"
import { findFile } from "../bytes.ts"
import { FileError, quoted } from "../errors.ts"
import { MISSING } from "../limits.ts"
import type { ColumnType, Reader, TableOptions } from "../table.ts"
import { type Database, identifier, literal, openDatabase } from "./database.ts"
import { type QueryColumn, queryReader } from "./query.ts"

export async function openParquet(path: string, options: TableOptions): Promise<Reader> {
  await findFile(path)
  return openRelation(basename(path), `read_parquet(${literal(path)})`, options, error =>
    malformed(error, path, "Parquet"),
  )
}

export async function openJson(path: string, options: TableOptions): Promise<Reader> {
  await findFile(path)
  const relation = `read_json(${literal(path)}, sample_size=${-1}, maximum_object_size=67108864)`
  return openRelation(basename(path), relation, options, error => malformed(error, path, "JSON"))
}

export async function openSql(sql: string, options: TableOptions): Promise<Reader> {
  const query = sql.trim().replace(/;+$/, "")
  return openRelation("sql", `(${query})`, options, error => {
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

function malformed(error: unknown, path: string, format: string): FileError {
  const said = messageOf(error)
  const line = /at byte (\d+) in line (\d+): (.*?)\.?\s*$/m.exec(said)
  const why = line
    ? `Line ${line[2]}, byte ${line[1]}: ${line[3]}`
    : /magic bytes|too small to be a Parquet/i.test(said)
      ? "It does not begin and end as a Parquet file does; its end may be missing"
      : said.split("\n")[0].replace(/\.$/, "")
  return new FileError(
    "format",
    `${quoted(path, 200)} cannot be read as ${format}. ${why}. Check whether it was written to its end, or pass its format.`,
    { path, ...(line && { line: Number(line[2]) }) },
    { cause: error },
  )
}

async function openRelation(
  name: string,
  relation: string,
  options: TableOptions,
  explain: (error: unknown) => FileError,
): Promise<Reader> {
  const database = await openDatabase()
  try {
    const described = (await database.ask(`describe select * from ${relation}`)) as {
      column_name: string
      column_type: string
    }[]
    const missing = [...new Set([...MISSING, ...(options.missing ?? [])])]
    const columns: QueryColumn[] = []
    for (const { column_name, column_type } of described) {
      columns.push(await columnOf(column_name, column_type, missing, database, relation, options))
    }
    const [{ n }] = await database.ask(
      `select count(*)::double as n from (select 1 from ${relation} limit 1)`,
    )
    if (n === 0) {
      throw new FileError(
        "empty",
        `${name === "sql" ? "the SQL gives" : `${quoted(name)} has`} no rows. There is nothing to learn from. Check ${name === "sql" ? "its conditions" : "whether it was written to its end"}.`,
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
    throw error instanceof FileError ? error : explain(error)
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
