/** A query as a reader: each column is an expression over a relation, and each reading runs the query anew. */
import type { DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api"
import type { Columns } from "suffice"
import { LIMITS } from "../limits.ts"
import type { FileColumn, Reader } from "../table.ts"
import { type Database, identifier } from "./database.ts"
import type { Decoding, Gatherer } from "./decode.ts"

/** A column of the query: what the reader says of it, and how it is asked for and decoded. */
export interface QueryColumn extends FileColumn {
  readonly expression: string
  readonly decoding: Decoding
}

export interface Query {
  readonly name: string
  readonly database: Database
  columns(): readonly QueryColumn[]
  /** What stands behind FROM. */
  relation(): string
  /** DuckDB's error as a sentence about the file. */
  explain(error: unknown): Promise<Error>
  retype?(column: string, note: string): boolean
}

export function queryReader(query: Query): Reader {
  return {
    name: query.name,
    get columns() {
      return query.columns().map(({ name, type, levels, note }) => ({
        name,
        type,
        ...(levels && { levels }),
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
  const { gatherer } = await import("./decode.ts")
  const all = query.columns()
  const columns = names.map(name => all.find(column => column.name === name)!)
  const list = columns.map(({ expression }, c) => `${expression} as ${identifier(`v${c}`)}`)
  const sql = `select ${list.length > 0 ? list.join(", ") : "1"} from ${query.relation()}`
  const gatherers = columns.map(({ decoding }) => gatherer(decoding, LIMITS.batch))
  let rows = 0
  for await (const chunk of chunks(query, sql)) {
    const more = chunk.rowCount
    if (rows + more > LIMITS.batch) {
      yield batch(columns, gatherers, rows)
      rows = 0
    }
    for (let c = 0; c < gatherers.length; c++) gatherers[c].add(chunk, c, more, rows)
    rows += more
  }
  if (rows > 0) yield batch(columns, gatherers, rows)
}

function batch(columns: readonly QueryColumn[], gatherers: readonly Gatherer[], rows: number): Columns {
  return Object.fromEntries(columns.map(({ name }, c) => [name, gatherers[c].take(rows)]))
}

/** The chunks of a result; the next one is on its way while one is looked at. */
async function* chunks(query: Query, sql: string): AsyncGenerator<DuckDBDataChunk> {
  let connection: DuckDBConnection | undefined
  let next: Promise<DuckDBDataChunk | null> | undefined
  try {
    connection = await query.database.connect()
    const result = await connection.stream(sql)
    next = result.fetchChunk()
    for (;;) {
      const chunk: DuckDBDataChunk | null = await next
      next = undefined
      if (!chunk || chunk.rowCount === 0) return
      next = result.fetchChunk()
      // Whoever fails later is heard when it is waited for.
      next.catch(() => undefined)
      yield chunk
    }
  } catch (error) {
    throw await query.explain(error)
  } finally {
    // A reader that stops early must not close under a fetch.
    await next?.catch(() => undefined)
    connection?.closeSync()
  }
}
