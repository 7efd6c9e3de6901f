/** A table on the cluster as data for `fit`: rows are numbered, packed into cached frames once, and explored and swept where they are. */
import {
  type Answer,
  type BlockJson,
  blockFromJson,
  CHUNK,
  CHUNKS_PER_STRETCH,
  type ExploredPart,
  type Per,
  REMOTE,
  type Remote,
  type RemoteTable,
  readAnswer,
  readFrame,
} from "suffice/worker"
import { expressionOf, kindOf } from "./cells.ts"
import type { Progress, SparkClient } from "./connect.ts"
import { SparkError } from "./errors.ts"
import { quoted, transform } from "./sql.ts"
import type { WorkerTask } from "./worker.ts"
import { workerFile } from "./worker-file.ts"

export interface TableOptions {
  /** How many partitions; by default one for each core that Spark counts, at most one per chunk. */
  readonly partitions?: number
  readonly onProgress?: (progress: Progress) => void
}

/** Rows with a number from 0 on: SQL that gives the column `r` besides the others. */
export interface NumberedRows {
  readonly sql: string
  readonly rows: number
  readonly types: ReadonlyMap<string, string>
}

export class SparkTable implements RemoteTable {
  readonly rows: number
  readonly [REMOTE]: Remote
  readonly #client: SparkClient
  readonly #node: string
  readonly #numbered: NumberedRows
  readonly #options: TableOptions
  readonly #view: string
  /** The columns in the frames. */
  #framed: string | undefined

  constructor(
    client: SparkClient,
    node: string,
    numbered: NumberedRows,
    options: TableOptions,
    view: string,
  ) {
    this.#client = client
    this.#node = node
    this.#numbered = numbered
    this.#options = options
    this.#view = view
    this.rows = numbered.rows
    this[REMOTE] = {
      explore: (task, columns, signal) => this.#explore({ per: this.#per, explore: task }, columns, signal),
      sweep: (task, params, signal) =>
        this.#sweep({ per: this.#per, sweep: task, params: base64(params) }, signal),
      pick: (task, ranks, signal) => this.#pick({ per: "chunk", sweep: task, pick: [...ranks] }, signal),
    }
  }

  get #chunks(): number {
    return Math.ceil(this.rows / CHUNK)
  }

  get #partitions(): number {
    return Math.max(1, Math.min(this.#options.partitions ?? 2, this.#chunks))
  }

  /** Whole stretches to a partition, where there are enough of them. */
  get #per(): Per {
    return this.#chunks >= 4 * CHUNKS_PER_STRETCH * this.#partitions ? "stretch" : "chunk"
  }

  #command(mode: string, argument = ""): string {
    return `exec ${this.#node} ./${this.#client.server}/${workerFile().name} ${mode} ${argument}`.trim()
  }

  async #frame(columns: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const names = [...columns].sort().join("\0")
    if (this.#framed === names) return
    const kinds = columns.flatMap(name => {
      const type = this.#numbered.types.get(name)
      if (type === undefined) return []
      const kind = kindOf(type)
      if (kind) return [{ name, kind }]
      throw new SparkError(
        "table",
        `column ${JSON.stringify(name)} is of type ${type}. A cell is a number, a text, a boolean, a list or a record. Cast the column in a query, or leave it out of the model.`,
        { column: name, type },
      )
    })
    await this.#client.command(`DROP VIEW IF EXISTS ${this.#view}`)
    this.#framed = undefined
    const group = this.#per === "stretch" ? CHUNK * CHUNKS_PER_STRETCH : CHUNK
    const cells = kinds.map(({ name, kind }, c) => `${expressionOf(quoted(name), kind)} AS c${c}`)
    const rows = `SELECT /*+ REPARTITION_BY_RANGE(${this.#partitions}, g) */ r div ${group} AS g, r${cells.map(cell => `, ${cell}`).join("")} FROM (${this.#numbered.sql})`
    const argument = Buffer.from(JSON.stringify(kinds)).toString("base64")
    const packed = transform(
      ["r", ...kinds.map((_, c) => `c${c}`)],
      this.#command("frame", argument),
      ["chunk", "body"],
      `SELECT * FROM (${rows}) SORT BY r`,
    )
    const options = { signal, onProgress: this.#options.onProgress }
    await this.#client.command(
      `CACHE TABLE ${this.#view} OPTIONS ('storageLevel' = 'MEMORY_AND_DISK') AS SELECT CAST(chunk AS BIGINT) AS chunk, body FROM (${packed})`,
      options,
    )
    this.#framed = names
  }

  /** One pass of workers over the frames: their lines. */
  #pass(mode: string, task: WorkerTask, columns: readonly string[], signal: AbortSignal | undefined) {
    const head = "CASE WHEN (monotonically_increasing_id() & 8589934591) = 0 THEN :task END AS task"
    const sql = transform(
      ["task", "chunk", "body"],
      this.#command(mode),
      columns,
      `SELECT ${head}, chunk, body FROM ${this.#view}`,
    )
    const text = Buffer.from(JSON.stringify(task)).toString("base64")
    return this.#client.query(sql, { task: text }, { signal, onProgress: this.#options.onProgress })
  }

  async *#explore(
    task: WorkerTask,
    columns: readonly string[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ExploredPart> {
    await this.#frame(columns, signal)
    const parts: ExploredPart[] = []
    for await (const { part } of this.#pass("explore", task, ["part"], signal))
      parts.push(JSON.parse(Buffer.from(String(part), "base64").toString()) as ExploredPart)
    parts.sort((a, b) => a.first - b.first)
    let next = 0
    for (const { first, chunks } of parts) {
      if (first !== next) break
      next = first + chunks.length * CHUNK
    }
    if (next < this.rows)
      throw new SparkError(
        "worker",
        `the first pass is not whole: chunk ${next / CHUNK} of ${this.#chunks} was not explored. Statistics that lack rows would teach a wrong model. Fit again.`,
        { chunk: next / CHUNK },
      )
    yield* parts
  }

  async *#sweep(task: WorkerTask, signal: AbortSignal | undefined): AsyncGenerator<Answer | undefined> {
    for await (const { answer } of this.#pass("sweep", task, ["answer"], signal))
      yield readAnswer(Buffer.from(String(answer), "base64"))
  }

  async #pick(task: WorkerTask, signal: AbortSignal | undefined) {
    const blocks: [number, BlockJson][] = []
    for await (const { chunk, block } of this.#pass("pick", task, ["chunk", "block"], signal))
      blocks.push([Number(chunk), JSON.parse(Buffer.from(String(block), "base64").toString()) as BlockJson])
    return blocks.sort(([a], [b]) => a - b).map(([, block]) => blockFromJson(block))
  }

  /** The rows through this machine, chunk by chunk. */
  async *[Symbol.asyncIterator]() {
    for (let chunk = 0; chunk < this.#chunks; chunk++) {
      const [{ body }] = await this.#client.all(`SELECT body FROM ${this.#view} WHERE chunk = ${chunk}`)
      yield readFrame(Uint8Array.from(Buffer.from(String(body), "base64"))).columns
    }
  }

  async close(): Promise<void> {
    this.#framed = undefined
    await this.#client.command(`DROP VIEW IF EXISTS ${this.#view}`)
  }
}

function base64(numbers: Float64Array): string {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString("base64")
}
