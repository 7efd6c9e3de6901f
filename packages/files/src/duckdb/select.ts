/**
 * Queries of users: exactly one select, which calls only functions that read. DuckDB's own parser decides; the text itself is not
 * inspected here.
 */
import { FileError, listed, quoted } from "../errors.ts"
import { type Database, literal } from "./database.ts"

/** Table functions that read files, or make rows of their arguments. Others change the database, write logs, or run SQL. */
const READING: readonly RegExp[] = [
  /^(read_(csv|csv_auto|parquet|text|blob|duckdb|(nd)?json(_objects)?(_auto)?)|parquet_scan|sniff_csv|glob)$/,
  /^parquet_(metadata|schema|file_metadata|full_metadata|kv_metadata|bloom_probe)$/,
  /^(range|generate_series|repeat|repeat_row|unnest|json_each|json_tree|summary|histogram|histogram_values)$/,
  /^(duckdb_\w+|pragma_\w+|pg_timezone_names|icu_calendar_names|test_all_types|test_vector_types)$/,
]

/** Is it an allowed table function? */
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

/** The select without its terminator, so that it can be put in parentheses. */
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
  // "select 1; -- the end" ends at a semicolon: at the last one before which the text parses in parentheses
  for (let end = sql.length; end >= 0; end = sql.lastIndexOf(";", end - 1)) {
    const select = sql.slice(0, end)
    const inside = await parse(database, `select * from ${inParentheses(select)}`)
    if (!inside.error && inside.statements?.length === 1) return select
    if (end === 0) break
  }
  throw refused(sql, "it cannot stand behind FROM", "It is read by select * from ( … )")
}

/** On separate lines: it may end with a comment. */
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

/** The table functions of the parsed tree, in order of occurrence. */
function functionsBehindFrom(tree: unknown): string[] {
  if (typeof tree !== "object" || tree === null) return []
  const { type, function: called } = tree as { type?: unknown; function?: { function_name?: unknown } }
  const own = type === "TABLE_FUNCTION" ? [String(called?.function_name)] : []
  return [...own, ...Object.values(tree).flatMap(functionsBehindFrom)]
}
