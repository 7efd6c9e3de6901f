/** A query as a reader: each column is an expression over a relation, and each reading runs the query again. */
import type { DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api"
import type { Columns } from "suffice"
import { FileError } from "../errors.ts"
import { LIMITS } from "../limits.ts"
import type { FileColumn, Reader } from "../table.ts"
import { type Database, literal } from "./database.ts"
import type { Decoding, Gatherer } from "./decode.ts"

/** A column of the query: its description, and how it is selected and decoded. */
export interface QueryColumn extends FileColumn {
  readonly expression: string
  readonly decoding: Decoding
  /** Frequent strings, which are decoded only once; others may occur. */
  readonly dictionary?: readonly string[]
}

/** Entries of a dictionary: places are bytes. */
const ENTRIES = 256
/** Strings up to this length need no dictionary. */
const SHORT = 12

/** Columns asked for in one query: its text and its plan stay small. */
const GROUP = 100

/** The columns, those with few different and long strings with a dictionary of the strings of the first rows. */
export async function withDictionaries<Column extends QueryColumn>(
  database: Database,
  relation: string,
  columns: readonly Column[],
  longest: (column: Column) => number = () => Number.POSITIVE_INFINITY,
): Promise<Column[]> {
  const strings = columns.filter(column => column.decoding === "string" && longest(column) > SHORT)
  const found = new Map<Column, readonly string[]>()
  for (let first = 0; first < strings.length; first += GROUP) {
    const group = strings.slice(first, first + GROUP)
    const cells = group.map(({ expression }, c) => `${expression} as v${c}`).join(", ")
    const lists = group.map(
      (_, c) =>
        `case when max(strlen(v${c})) > ${SHORT} and count(distinct v${c}) <= ${ENTRIES} then list(distinct v${c} order by v${c}) end as d${c}`,
    )
    const from = `(select ${cells} from ${relation} limit ${LIMITS.sampleRows})`
    const [lines] = await database.ask(`select ${lists.join(", ")} from ${from}`)
    for (const [c, column] of group.entries()) {
      const entries = lines[`d${c}`] as (string | null)[] | null
      const dictionary = entries?.filter(entry => entry !== null) ?? []
      // A type is written, not computed: NUL would end the query.
      if (dictionary.length > 0 && dictionary.every(entry => !entry.includes("\0")))
        found.set(column, dictionary)
    }
  }
  return columns.map(column => {
    const dictionary = found.get(column)
    return dictionary ? { ...column, dictionary } : column
  })
}

/** What is selected for a column: its cells, or their index in the dictionary and the cells that are not in it. */
function asked({ expression, dictionary }: QueryColumn): string[] {
  if (!dictionary) return [expression]
  const entry = `try_cast(${expression} as enum(${dictionary.map(literal).join(", ")}))`
  return [entry, `case when ${entry} is null then ${expression} end`]
}

export interface Query {
  readonly name: string
  readonly database: Database
  columns(): readonly QueryColumn[]
  /** The FROM clause. */
  relation(): string
  /** DuckDB's error as a sentence about the file. */
  explain(error: unknown): Promise<Error>
  retype?: Reader["retype"]
}

export function queryReader(query: Query): Reader {
  return {
    name: query.name,
    get columns() {
      return query.columns().map(({ name, type, levels, nested, empty, note }) => ({
        name,
        type,
        ...(levels && { levels }),
        ...(nested && { nested }),
        ...(empty && { empty }),
        ...(note !== undefined && { note }),
      }))
    },
    read: names => ({ [Symbol.asyncIterator]: () => batches(query, names) }),
    async count() {
      try {
        const [{ n }] = await query.database.ask(`select count(*)::double as n from ${query.relation()}`)
        return n as number
      } catch (error) {
        throw await query.explain(error)
      }
    },
    ...(query.retype && { retype: query.retype }),
    close: () => query.database.close(),
  }
}

async function* batches(query: Query, names: readonly string[]): AsyncGenerator<Columns> {
  const { endsHere, gatherer } = await import("./decode.ts")
  const all = new Map(query.columns().map(column => [column.name, column]))
  const columns = names.map(name => all.get(name)!)
  const gatherers = columns.map(({ decoding, dictionary }) => gatherer(decoding, LIMITS.batch, dictionary))
  let width = 0
  const places = columns.map(({ dictionary }) => {
    width += dictionary ? 2 : 1
    return width - (dictionary ? 2 : 1)
  })
  let rows = 0
  let ended = false
  for await (const chunk of chunks(query, columns)) {
    ended = endsHere(chunk, width)
    const more = chunk.rowCount - (ended ? 1 : 0)
    if (rows + more > LIMITS.batch) {
      yield batch(columns, gatherers, rows)
      rows = 0
    }
    for (let c = 0; c < gatherers.length; c++) gatherers[c].add(chunk, places[c], more, rows)
    rows += more
  }
  if (!ended) throw await failure(query, columns)
  if (rows > 0) yield batch(columns, gatherers, rows)
}

function batch(columns: readonly QueryColumn[], gatherers: readonly Gatherer[], rows: number): Columns {
  return Object.fromEntries(columns.map(({ name }, c) => [name, gatherers[c].take(rows)]))
}

/**
 * A stream that fails ends like one that is exhausted: DuckDB's chunk is null either way, and its error is lost. So one
 * more row is selected after all others, and a result without it has failed.
 */
function withEnd(query: Query, columns: readonly QueryColumn[]): string {
  const expressions = columns.flatMap(asked)
  const cells = expressions.map((expression, c) => `${expression} as v${c}, `).join("")
  const none = expressions.map(() => "null, ").join("")
  return `select ${cells}false as ended from ${query.relation()} union all select ${none}true`
}

/** Why a stream ended early: running the query without streaming reports the error. */
async function failure(query: Query, columns: readonly QueryColumn[]): Promise<Error> {
  const cells = columns.map(({ expression }) => `count(${expression}), `).join("")
  try {
    await query.database.ask(`select ${cells}count(*) from ${query.relation()}`)
  } catch (error) {
    return query.explain(error)
  }
  return new FileError(
    "row",
    `${query.name} ended before its last row. It may have been changed while it was read. Read it again.`,
    { name: query.name },
  )
}

/** The chunks of the result; the next one is fetched while one is processed. */
async function* chunks(query: Query, columns: readonly QueryColumn[]): AsyncGenerator<DuckDBDataChunk> {
  let connection: DuckDBConnection | undefined
  let next: Promise<DuckDBDataChunk | null> | undefined
  try {
    connection = await query.database.connect()
    const result = await connection.stream(withEnd(query, columns))
    next = result.fetchChunk()
    for (;;) {
      const chunk: DuckDBDataChunk | null = await next
      next = undefined
      if (!chunk || chunk.rowCount === 0) return
      next = result.fetchChunk()
      // a failure is reported when it is awaited
      next.catch(() => undefined)
      yield chunk
    }
  } catch (error) {
    throw await query.explain(error)
  } finally {
    // A reader that stops early must not close under a fetch.
    await next?.catch(() => undefined)
    if (connection) query.database.disconnect(connection)
  }
}
