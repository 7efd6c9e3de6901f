/**
 * DuckDB, in memory and in process: nothing is downloaded, nothing is written but what a query spills to the system's
 * temporary folder. It is loaded when the first table needs it.
 */
import { isAbsolute, join } from "node:path"
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api"
import { FileError, quoted } from "../errors.ts"
import { release, temporaryFolder } from "../temporary.ts"

export interface Database {
  /** All rows of a short answer, as objects of plain values. */
  ask(sql: string): Promise<Record<string, unknown>[]>
  /** A separate connection, for a stream of rows; to be closed by `disconnect`. */
  connect(): Promise<DuckDBConnection>
  disconnect(connection: DuckDBConnection): void
  close(): Promise<void>
}

export interface DatabaseOptions {
  /**
   * The queries read JSON. Of a file whose last line has no line end, two threads may deliver that line before the ones above it
   * (DuckDB 1.5, about 1 reading in 15), whatever preserve_insertion_order says; one thread keeps the order.
   */
  readonly json?: boolean
  /** For queries of users: nothing can be created, and no setting changed. */
  readonly readOnly?: boolean
  /** Aborts a running query. */
  readonly signal?: AbortSignal
}

export type OpenDatabase = (options?: DatabaseOptions) => Promise<Database>

/** Opens one database for all who ask for the same, which is closed when the last of them closes it: for files that are read together. */
export function sharedDatabase(): OpenDatabase {
  const shared = new Map<string, { readonly opening: Promise<Database>; users: number }>()
  return async (options = {}) => {
    const key = `${options.json} ${options.readOnly}`
    const entry = shared.get(key) ?? { opening: openDatabase(options), users: 0 }
    shared.set(key, entry)
    entry.users++
    let isOpen = true
    const close = async (): Promise<void> => {
      if (!isOpen) return
      isOpen = false
      if (--entry.users > 0) return
      shared.delete(key)
      await (await entry.opening).close()
    }
    return { ...(await entry.opening), close }
  }
}

/** How far DuckDB may read ahead. */
const AHEAD = "2MB"

export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  const spill = await temporaryFolder()
  let instance: Instance
  try {
    instance = new Instance(await instanceIn(spill, options), spill, options)
  } catch (error) {
    await release(spill)
    throw error
  }
  return {
    ask: sql => instance.ask(sql),
    connect: () => instance.connect(),
    disconnect: connection => instance.disconnect(connection),
    close: () => instance.close(),
  }
}

async function instanceIn(spill: string, { json, readOnly }: DatabaseOptions): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  // only a file can be opened read-only: an empty one
  const path = readOnly ? join(spill, "empty.duckdb") : ":memory:"
  if (readOnly) (await DuckDBInstance.create(path)).closeSync()
  return DuckDBInstance.create(path, {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    preserve_insertion_order: "true",
    temp_directory: spill,
    ...(json && { threads: "1" }),
    ...(readOnly && { access_mode: "READ_ONLY", lock_configuration: "true" }),
  })
}

/** An instance with its connections, and the folder that it spills into. */
class Instance {
  readonly #instance: DuckDBInstance
  readonly #spill: string
  readonly #options: DatabaseOptions
  readonly #connections = new Set<DuckDBConnection>()
  #isOpen = true

  constructor(instance: DuckDBInstance, spill: string, options: DatabaseOptions) {
    this.#instance = instance
    this.#spill = spill
    this.#options = options
    options.signal?.addEventListener("abort", this.#interrupt)
  }

  readonly #interrupt = (): void => {
    for (const connection of this.#connections) connection.interrupt()
  }

  async ask(sql: string): Promise<Record<string, unknown>[]> {
    const connection = await this.#connect()
    try {
      const reader = await connection.runAndReadAll(sql)
      return reader.getRowObjectsJS() as Record<string, unknown>[]
    } catch (error) {
      this.#options.signal?.throwIfAborted()
      throw error
    } finally {
      this.disconnect(connection)
    }
  }

  async connect(): Promise<DuckDBConnection> {
    const connection = await this.#connect()
    // DuckDB keeps reading while rows are processed; the setting may be locked
    if (!this.#options.readOnly) await connection.run(`set streaming_buffer_size = '${AHEAD}'`)
    return connection
  }

  async #connect(): Promise<DuckDBConnection> {
    this.#options.signal?.throwIfAborted()
    const connection = await this.#instance.connect()
    this.#connections.add(connection)
    return connection
  }

  disconnect(connection: DuckDBConnection): void {
    this.#connections.delete(connection)
    connection.closeSync()
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#options.signal?.removeEventListener("abort", this.#interrupt)
    this.#instance.closeSync()
    await release(this.#spill)
  }
}

// ── SQL as text ────────────────────────────────────────────────────────────────────────────────────

/** A string literal of SQL. DuckDB ends a query at the character NUL, so NUL is computed. */
export function literal(text: string): string {
  const parts = text.split("\0").map(part => `'${part.replaceAll("'", "''")}'`)
  return parts.length === 1 ? parts[0] : `(${parts.join(" || chr(0) || ")})`
}

/**
 * One file to be read, whatever its name. DuckDB reads a path as a pattern (* ? [), "~" as the home folder and "http:" as the
 * web: wildcards are put in brackets, and a relative path starts with "./".
 */
export function fileLiteral(path: string): string {
  const isPattern = /[*?[]/.test(path)
  // in a pattern it separates folders, and cannot be escaped
  if (isPattern && path.includes("\\") && process.platform !== "win32") {
    throw new FileError(
      "path",
      `${quoted(path, 200)} holds a backslash and one of * ? [. DuckDB takes such a path for a pattern, and no spelling means this file alone. Rename the file or its folder.`,
      { path },
    )
  }
  return literal(fromHere(path).replace(/[*?[]/g, "[$&]"))
}

/** One file to be written: there are no patterns. */
export function outputLiteral(path: string): string {
  return literal(fromHere(path))
}

function fromHere(path: string): string {
  return isAbsolute(path) ? path : `./${path}`
}
