/**
 * DuckDB, in memory and in process: nothing is downloaded, nothing is written but what a query spills to the system's
 * temporary folder. It is loaded when the first table needs it.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api"

export interface Database {
  /** All rows of a short answer, as objects of plain values. */
  ask(sql: string): Promise<Record<string, unknown>[]>
  /** A connection of one's own; to be closed with closeSync(). */
  connect(): Promise<DuckDBConnection>
  close(): Promise<void>
}

/**
 * `json`: the queries read JSON. Of a file whose last line has no line end, two threads may deliver that line before the ones
 * above it (DuckDB 1.5, about 1 reading in 15), whatever preserve_insertion_order says; one thread keeps the order.
 */
export async function openDatabase({ json = false } = {}): Promise<Database> {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const spill = await mkdtemp(join(tmpdir(), "suffice-files-"))
  const instance: DuckDBInstance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    preserve_insertion_order: "true",
    temp_directory: spill,
    ...(json && { threads: "1" }),
  })
  let open = true
  return {
    async ask(sql) {
      const connection = await instance.connect()
      try {
        const reader = await connection.runAndReadAll(sql)
        return reader.getRowObjectsJS() as Record<string, unknown>[]
      } finally {
        connection.closeSync()
      }
    },
    connect: () => instance.connect(),
    async close() {
      if (!open) return
      open = false
      instance.closeSync()
      await rm(spill, { recursive: true, force: true })
    },
  }
}

/** Text as SQL writes it. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A name as SQL writes it. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
