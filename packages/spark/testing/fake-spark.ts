/**
 * A Spark Connect server for tests, on Spark's own protos: it knows the statements that suffice-spark writes, and no others, and runs the real worker with Node beside each
 * partition, as TRANSFORM does. One table, in memory.
 */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import grpc from "@grpc/grpc-js"
import { tableFromArrays, tableToIPC } from "apache-arrow"
import { sparkService } from "../src/connect.ts"

type Row = Readonly<Record<string, unknown>>
type Lines = readonly (readonly string[])[]

export interface FakeOptions {
  readonly rows?: readonly Row[]
  /** Spark's names of the types of its columns. */
  readonly types?: Readonly<Record<string, string>>
  readonly version?: string
  /** Columns that SQL would make, by name. */
  readonly made?: Readonly<Record<string, (row: Row, number: number) => unknown>>
  /** Every query is refused so. */
  readonly error?: { readonly code: number; readonly details: string }
  /** Statements that Spark refuses: what it says of them. */
  readonly refuse?: (sql: string) => string | undefined
  /** What a worker wrote, by what it was asked; a partition at a time. */
  readonly tamper?: (mode: string, lines: Lines, partition: number) => Lines
  /** Called before a worker starts: what is thrown is what Spark says. */
  readonly before?: (mode: string, partition: number) => void
}

export interface FakeSpark {
  readonly address: string
  /** All statements so far. */
  readonly said: string[]
  /** Workers that run now. */
  readonly running: ReadonlySet<number>
  options: FakeOptions
  end(): Promise<void>
}

interface Plan {
  readonly sql?: {
    readonly query: string
    readonly named_arguments?: Record<string, { literal: { string: string } }>
  }
}
interface Request {
  readonly operation_id: string
  readonly plan: {
    readonly root?: Plan
    readonly command?: { readonly sql_command?: { readonly input?: Plan } }
  }
}

const SESSION = "session-of-the-server"

export async function fakeSpark(given: FakeOptions): Promise<FakeSpark> {
  const folder = mkdtempSync(join(tmpdir(), "suffice-fake-spark-"))
  const state = new State(folder, given)
  const server = new grpc.Server({ "grpc.max_receive_message_length": -1 })
  server.addService(sparkService().service, {
    ExecutePlan: (call: grpc.ServerWritableStream<Request, object>) => void answer(state, call),
    AddArtifacts(
      call: grpc.ServerReadableStream<Artifact, object>,
      done: (error: null, value: object) => void,
    ) {
      const parts: Buffer[] = []
      let name = ""
      call.on("data", ({ begin_chunk, chunk, batch }: Artifact) => {
        const first = begin_chunk
          ? { name: begin_chunk.name, data: begin_chunk.initial_chunk }
          : batch?.artifacts[0]
        name ||= first?.name ?? ""
        parts.push((first?.data ?? chunk!).data)
      })
      call.on("end", () => {
        const path = join(folder, SESSION, name.replace(/^files\//, ""))
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, Buffer.concat(parts))
        done(null, {})
      })
    },
    Interrupt(
      { request }: { request: { operation_id: string } },
      done: (error: null, value: object) => void,
    ) {
      state.interrupt(request.operation_id)
      done(null, {})
    },
    ReleaseSession: (_: unknown, done: (error: null, value: object) => void) => done(null, {}),
  })
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (failed, port) =>
      failed ? reject(failed) : resolve(port),
    ),
  )
  return Object.assign(state, {
    address: `sc://127.0.0.1:${port}`,
    async end() {
      server.forceShutdown()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}

interface Artifact {
  readonly begin_chunk?: { readonly name: string; readonly initial_chunk: { readonly data: Buffer } }
  readonly chunk?: { readonly data: Buffer }
  readonly batch?: {
    readonly artifacts: readonly { readonly name: string; readonly data: { readonly data: Buffer } }[]
  }
}

async function answer(state: State, call: grpc.ServerWritableStream<Request, object>): Promise<void> {
  const { plan, operation_id } = call.request
  const sql = plan.root?.sql ?? plan.command?.sql_command?.input?.sql
  try {
    if (state.options.error) throw state.options.error
    const task = sql?.named_arguments?.task?.literal.string ?? ""
    const rows = await state.run(sql!.query, task, operation_id, (tasks, done) =>
      call.write({ execution_progress: { stages: [{ num_tasks: tasks, num_completed_tasks: done }] } }),
    )
    const names = Object.keys(rows[0] ?? {})
    if (rows.length > 0) {
      const columns = Object.fromEntries(names.map(name => [name, rows.map(row => row[name] as string)]))
      const data = tableToIPC(tableFromArrays(columns), "stream")
      call.write({ server_side_session_id: SESSION, arrow_batch: { row_count: rows.length, data } })
    } else call.write({ server_side_session_id: SESSION })
    call.end()
  } catch (error) {
    const { code = grpc.status.INTERNAL, details } = error as { code?: number; details?: string }
    call.emit("error", { code, details: details ?? String((error as Error).message) })
  }
}

class State {
  readonly said: string[] = []
  readonly running = new Set<number>()
  options: FakeOptions
  readonly #folder: string
  /** Frames by view and partition: lines of chunk and body. */
  readonly #views = new Map<string, Lines[]>()
  readonly tables = new Map<string, Lines>()
  readonly #stopped = new Set<string>()
  readonly #workers = new Map<string, Set<number>>()

  constructor(folder: string, options: FakeOptions) {
    this.#folder = folder
    this.options = options
  }

  interrupt(operation: string): void {
    this.#stopped.add(operation)
    for (const pid of this.#workers.get(operation) ?? []) process.kill(pid, "SIGKILL")
  }

  async run(
    sql: string,
    task: string,
    operation: string,
    progress: (tasks: number, done: number) => void,
  ): Promise<Row[]> {
    this.said.push(sql)
    const { rows = [], types = {}, version = "4.3.0", refuse } = this.options
    const refused = refuse?.(sql)
    if (refused !== undefined) throw new Error(refused)
    if (sql.startsWith("SELECT version()")) return [{ version: `${version} 0000000` }]
    if (sql.startsWith("SELECT count(DISTINCT p) AS cores")) return [{ cores: 2 }]
    if (sql.startsWith("DESCRIBE QUERY SELECT *") && / AS r, /.test(sql)) {
      const made = [...sql.matchAll(/\) AS `([^`]+)`/g)].map(([, name]) => [name, "double"])
      const all = { r: "bigint", ...types, ...Object.fromEntries(made) }
      return Object.entries(all).map(([col_name, data_type]) => ({ col_name, data_type }))
    }
    if (sql.startsWith("DESCRIBE QUERY"))
      return Object.entries(types).map(([col_name, data_type]) => ({ col_name, data_type }))
    if (sql.startsWith("SELECT _metadata"))
      return rows.length === 0 ? [] : [{ path: "file:/a", rows: rows.length }]
    if (sql.startsWith("SELECT pmod(hash(id)"))
      return keysOf(Number(/pmod\(hash\(id\), (\d+)\)/.exec(sql)![1]))
    if (/^(DROP|UNCACHE) /.test(sql)) {
      this.tables.delete(/(\S+)$/.exec(sql)![1])
      return []
    }
    if (/^SELECT count\(\*\) AS rows FROM \(/.test(sql)) return [{ rows: rows.length }]
    if (/^SELECT count\(\*\) AS rows, count\(DISTINCT struct/.test(sql)) {
      const keys = [
        ...sql
          .split("struct(")[1]
          .split(")")[0]
          .matchAll(/`([^`]+)`/g),
      ].map(([, name]) => name)
      const different = new Set(rows.map(row => JSON.stringify(keys.map(key => row[key]))))
      return [{ rows: rows.length, keys: different.size }]
    }
    if (sql.startsWith("SELECT spark_partition_id() AS id")) return [{ id: 0, rows: rows.length }]
    if (sql.startsWith("SELECT r, ")) {
      const cells = this.#cellsOf(sql)
      return rows.map((row, r) =>
        Object.fromEntries(cells.map((cell, c) => [`c${c}`, cell(row, r) === "\\N" ? null : cell(row, r)])),
      )
    }
    const some = /^SELECT chunk, body FROM (\S+) WHERE chunk >= (\d+) AND chunk < (\d+)$/.exec(sql)
    if (some) {
      const lines = (this.#views.get(some[1]) ?? []).flat()
      const within = lines.filter(
        ([chunk]) => Number(chunk) >= Number(some[2]) && Number(chunk) < Number(some[3]),
      )
      return within.map(([chunk, body]) => ({ chunk, body }))
    }
    const count = /^SELECT count\(\*\) AS rows, count\(DISTINCT row\) AS own FROM (\S+)$/.exec(sql)
    if (count) {
      const lines = this.tables.get(count[1])!
      return [{ rows: lines.length, own: new Set(lines.map(([row]) => row)).size }]
    }
    const transform = /SELECT TRANSFORM \([^)]*\).*? USING '([^']*)' AS \(([^)]*)\)/.exec(sql)
    const framing = /^CACHE TABLE (\S+) /.exec(sql)
    if (framing && !transform) return []
    if (!transform) throw new Error(`[PARSE_SYNTAX_ERROR] this server does not know: ${sql}`)
    const [, command, made] = transform
    const input = framing
      ? this.#rowsOf(sql)
      : this.#framesOf(/AS task, chunk, body FROM (\S+?)\)/.exec(sql)![1], task)
    const partitions: Lines[] = []
    for (const [p, lines] of input.entries()) {
      progress(input.length, p)
      partitions.push(await this.#worker(command, lines, p, operation))
    }
    progress(input.length, input.length)
    if (framing) {
      this.#views.set(framing[1], partitions)
      return []
    }
    const table = /^CREATE TABLE (\S+) /.exec(sql)
    if (table) {
      this.tables.set(table[1], partitions.flat())
      return []
    }
    const names = made.split(", ").map(column => column.split(" ")[0])
    return partitions.flat().map(line => Object.fromEntries(names.map((name, c) => [name, line[c]])))
  }

  /** How the cells that a query asks for are written. */
  #cellsOf(sql: string): ((row: Row, r: number) => string)[] {
    const { types = {}, made = {} } = this.options
    return [...sql.matchAll(/(to_json\(struct|CAST)\(`([^`]+)`[^,]*? AS c\d+/g)].map(
      ([, kind, name]) =>
        (row, r) => {
          if (!(name in types) && !(name in made))
            throw new Error(
              `[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name \`${name}\` cannot be resolved.`,
            )
          const cell = (name in made ? made[name](row, r) : row[name]) ?? undefined
          if (kind !== "CAST") return JSON.stringify({ v: cell })
          return cell === undefined ? "\\N" : String(cell)
        },
    )
  }

  /** The rows of each partition as lines: number, cells. */
  #rowsOf(sql: string): Lines[] {
    const { rows = [] } = this.options
    const [, keys] = /element_at\(array\(([^)]*)\), CAST/.exec(sql)!
    const partitions = keys.split(",").length
    const [, group, , groups] = /r div (\d+)\) \* (\d+) div (\d+)/.exec(sql)!.map(Number)
    const cells = this.#cellsOf(sql)
    const shares: string[][][] = Array.from({ length: partitions }, () => [])
    rows.forEach((row, r) => {
      const partition = Math.floor((Math.floor(r / group) * partitions) / groups)
      shares[partition].push([String(r), ...cells.map(cell => cell(row, r))])
    })
    return shares
  }

  #framesOf(view: string, task: string): Lines[] {
    return (this.#views.get(view) ?? []).map(lines =>
      lines.map((line, i) => [i === 0 ? task : "\\N", ...line]),
    )
  }

  async #worker(command: string, lines: Lines, partition: number, operation: string): Promise<Lines> {
    if (this.#stopped.has(operation)) throw cancelled()
    const mode = /\.mjs (\w+)/.exec(command)![1]
    this.options.before?.(mode, partition)
    // as Spark starts it; the node that runs this is the first on the path
    const child = spawn("/bin/bash", ["-c", command], {
      cwd: this.#folder,
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    })
    const own = this.#workers.get(operation) ?? new Set()
    this.#workers.set(operation, own.add(child.pid!))
    this.running.add(child.pid!)
    const out: Buffer[] = []
    let error = ""
    child.stdout.on("data", data => out.push(data))
    child.stderr.on("data", data => {
      error += data
    })
    child.stdin.on("error", () => undefined)
    child.stdin.end(lines.map(line => `${line.join("\t")}\n`).join(""))
    const status = await new Promise<number | null>(resolve => child.once("close", resolve))
    own.delete(child.pid!)
    this.running.delete(child.pid!)
    if (this.#stopped.has(operation)) throw cancelled()
    if (status !== 0) throw new Error(`Subprocess exited with status ${status}. Error: ${error}`)
    const text = Buffer.concat(out).toString("latin1")
    const written = text
      .split("\n")
      .slice(0, -1)
      .map(line => line.split("\t"))
    return this.options.tamper?.(mode, written, partition) ?? written
  }
}

/** A hash that is its own argument. */
function keysOf(partitions: number): Row[] {
  return Array.from({ length: partitions }, (_, p) => ({ partition: p, key: p }))
}

function cancelled(): Error {
  return Object.assign(new Error("cancelled"), { code: grpc.status.CANCELLED, details: "OPERATION_CANCELED" })
}
