/**
 * SQL that somebody else has written: exactly one select, which calls nothing but what reads. DuckDB's own parser says what the text is;
 * no text is looked at here.
 */
import { FileError, listed, quoted } from "../errors.ts"
import { type Database, literal } from "./database.ts"

/** Functions behind FROM that read files, or make rows of their arguments. Others change the database, log into files, or run text. */
const READING: readonly RegExp[] = [
  /^(read_(csv|csv_auto|parquet|text|blob|duckdb|(nd)?json(_objects)?(_auto)?)|parquet_scan|sniff_csv|glob)$/,
  /^parquet_(metadata|schema|file_metadata|full_metadata|kv_metadata|bloom_probe)$/,
  /^(range|generate_series|repeat|repeat_row|unnest|json_each|json_tree|summary|histogram|histogram_values)$/,
  /^(duckdb_\w+|pragma_\w+|pg_timezone_names|icu_calendar_names|test_all_types|test_vector_types)$/,
]

/** Is it a function that may stand behind FROM? */
export function isReading(name: string): boolean {
  return READING.some(pattern => pattern.test(name.toLowerCase()))
}

/** What the parser says of a text. */
interface Parsed {
  readonly error: boolean
  readonly error_type?: string
  readonly error_message?: string
  readonly statements?: readonly unknown[]
}

async function parse(database: Database, sql: string): Promise<Parsed> {
  const [{ parsed }] = await database.ask(`select json_serialize_sql(${literal(sql)})::varchar as parsed`)
  return JSON.parse(parsed as string) as Parsed
}

/** The select, so that it can stand in parentheses: without what ends it. */
export async function oneSelect(database: Database, sql: string): Promise<string> {
  if (sql.includes("\0")) {
    throw refused(sql, "it holds the character NUL", "DuckDB takes that for the end of the text")
  }
  const { error, error_type, error_message, statements = [] } = await parse(database, sql)
  if (error && error_type === "parser") throw new Error(`Parser Error: ${error_message}`)
  if (error) {
    throw refused(sql, "not all of it is a select", "A table is what one select gives; nothing else is run")
  }
  if (statements.length !== 1) {
    const many =
      statements.length === 0 ? "it holds no statement" : `it holds ${statements.length} statements`
    throw refused(sql, many, "A table is what one select gives")
  }
  const called = [...new Set(functionsBehindFrom(statements[0]))].filter(name => !isReading(name))
  if (called.length > 0) {
    throw refused(
      sql,
      `it calls ${listed(called)} behind FROM`,
      "A query may only read, by read_csv, read_parquet, read_json and their like",
    )
  }
  // "select 1; -- the end" ends at its semicolon: which one it is shows in what can stand in parentheses.
  for (let end = sql.length; end >= 0; end = sql.lastIndexOf(";", end - 1)) {
    const select = sql.slice(0, end)
    const inside = await parse(database, `select * from ${inParentheses(select)}`)
    if (!inside.error && inside.statements?.length === 1) return select
    if (end === 0) break
  }
  throw refused(sql, "it cannot stand behind FROM", "It is read by select * from ( … )")
}

/** On lines of its own: a comment may end it. */
export function inParentheses(select: string): string {
  return `(\n${select}\n)`
}

function refused(sql: string, what: string, why: string): FileError {
  return new FileError(
    "sql",
    `the SQL ${quoted(sql)} is not run: ${what}. ${why}. Write one DuckDB select, with files as 'name.parquet' or read_csv('name.csv').`,
    { sql },
  )
}

/** Of the parsed tree, in the order they are met. */
function functionsBehindFrom(tree: unknown): string[] {
  if (typeof tree !== "object" || tree === null) return []
  const { type, function: called } = tree as { type?: unknown; function?: { function_name?: unknown } }
  const own = type === "TABLE_FUNCTION" ? [String(called?.function_name)] : []
  return [...own, ...Object.values(tree).flatMap(functionsBehindFrom)]
}
