/**
 * A table on the cluster as data for `fit` and `evaluateSource`: rows are numbered, packed into cached frames once, and explored, swept and measured where they are.
 * Long because a table answers all that fitting and measuring ask of rows elsewhere.
 */
import type { Columns } from "suffice"
import {
  type Answer,
  type BlockJson,
  blockFromJson,
  CHUNK,
  CHUNKS_PER_STRETCH,
  type ExploredPart,
  type JudgedPart,
  type Per,
  packData,
  REMOTE,
  type Remote,
  type RemoteTable,
  type RoundAnswer,
  readAnswer,
  readData,
  readFrame,
} from "suffice/worker"
import { cellOf, expressionOf, type Kind, kindOf } from "./cells.ts"
import type { Progress, SparkClient } from "./connect.ts"
import { notWhole, SparkError } from "./errors.ts"
import { type PredictedTable, type PredictIntoOptions, predictInto } from "./predicted.ts"
import {
  cached,
  framesWithTask,
  keysOfPartitions,
  quoted,
  sampled,
  shared,
  transform,
  withColumns,
} from "./sql.ts"
import type { WorkerTask } from "./worker.ts"
import { workerFile } from "./worker-file.ts"

/** How a table is shared out. */
export interface TableOptions {
  /** How many partitions; by default one for each core that Spark counts, at most one per chunk of 8,192 rows. */
  readonly partitions?: number
  /** Tasks of the query that runs now, as Spark counts them. */
  readonly onProgress?: (progress: Progress) => void
}

/** Which rows are drawn. */
export interface SampleOptions {
  readonly seed?: number
  readonly signal?: AbortSignal
}

/** Rows with a number from 0 on: SQL that gives the column `r` besides the others. */
export interface NumberedRows {
  readonly sql: string
  readonly rows: number
  readonly types: ReadonlyMap<string, string>
  /** The cached view that they are in, if they are. */
  readonly view?: string
}

/** How tables reach the cluster. */
export interface Place {
  readonly client: SparkClient
  /** The command that runs Node there. */
  readonly node: string
  /** The cores that Spark counts. */
  readonly cores: number
  /** A name for a view that no other has. */
  view(): string
}

/** Cells of some rows, by column. */
export type SampledColumns = Readonly<Record<string, readonly unknown[]>>

/** Rows on the cluster, in order: data for `fit` and `evaluateSource`. */
export class SparkTable implements RemoteTable {
  readonly rows: number
  /** Their names, as Spark has them. */
  readonly columns: readonly string[]
  /** Spark's names of their types. */
  readonly types: ReadonlyMap<string, string>
  readonly [REMOTE]: Remote
  readonly #place: Place
  readonly #numbered: NumberedRows
  readonly #options: TableOptions
  readonly #view: string
  /** The columns in the frames. */
  #framed: ReadonlySet<string> | undefined

  constructor(place: Place, numbered: NumberedRows, options: TableOptions) {
    this.#place = place
    this.#numbered = numbered
    this.#options = options
    this.#view = place.view()
    this.rows = numbered.rows
    this.types = numbered.types
    this.columns = [...numbered.types.keys()]
    const per = this.#per
    this[REMOTE] = {
      rows: this.rows,
      explore: (task, columns, signal) => this.#explore({ per, explore: task }, columns, signal),
      sweep: (task, params, signal) => this.#sweep({ per, sweep: task, params }, signal),
      pick: (task, ranks, signal) => this.#pick({ per, sweep: task, pick: ranks }, signal),
      round: (task, signal) => this.#round({ per, round: { ...task, machines: this.#partitions } }, signal),
      judge: (task, columns, signal) => this.#judge({ per, judge: task }, columns, signal),
    }
  }

  /** The same rows with columns made of others by SQL: { ln_price: "ln(price)" }. One of an old name takes its place; `r` is the number of the row. */
  async with(columns: Readonly<Record<string, string>>): Promise<SparkTable> {
    const sql = withColumns(this.#numbered.sql, columns, new Set(this.columns))
    const described = await this.#place.client.all(`DESCRIBE QUERY ${sql}`)
    const types = new Map(described.map(({ col_name, data_type }) => [String(col_name), String(data_type)]))
    types.delete("r")
    return new SparkTable(this.#place, { sql, rows: this.rows, types }, this.#options)
  }

  /** About so many rows, drawn by a hash of their number, on this machine; columns whose cells no model reads are left out. */
  async sample(rows: number, { seed = 0, signal }: SampleOptions = {}): Promise<SampledColumns> {
    const kinds = this.columns.flatMap(name => {
      const kind = kindOf(this.types.get(name)!)
      return kind ? [{ name, kind }] : []
    })
    const cells = kinds.map(({ name, kind }, c) => `${expressionOf(quoted(name), kind)} AS c${c}`)
    const sql = sampled(this.#numbered.sql, cells, { rows, of: this.rows, seed })
    const found = await this.#place.client.all(sql, {}, { signal, onProgress: this.#options.onProgress })
    return Object.fromEntries(
      kinds.map(({ name, kind }, c) => [
        name,
        found.map(row => (row[`c${c}`] == null ? null : cellOf(String(row[`c${c}`]), kind))),
      ]),
    )
  }

  /** Predicts every row by a learned model, and writes the answers as a table on the cluster. */
  predict(
    fitted: { toJSON(): unknown; readonly model: object },
    options: PredictIntoOptions,
  ): Promise<PredictedTable> {
    return predictInto(fitted as never, options, {
      client: this.#place.client,
      rows: this.rows,
      numbered: this.#numbered.sql,
      columns: this.columns,
      answers: async (model, asked, columns, made) => {
        await this.#frame(columns, options.signal)
        const wide = made.includes("probabilities")
        const task = packData({ per: "chunk", predict: { model, options: asked }, wide } satisfies WorkerTask)
        return { sql: this.#transformed("predict", made), task: encoded(task) }
      },
      ...(this.#options.onProgress && { onProgress: this.#options.onProgress }),
    })
  }

  get #chunks(): number {
    return Math.ceil(this.rows / CHUNK)
  }

  get #partitions(): number {
    return Math.max(1, Math.min(this.#options.partitions ?? this.#place.cores, this.#chunks))
  }

  /** Whole stretches to a partition, where there are enough of them. */
  get #per(): Per {
    return this.#chunks >= 4 * CHUNKS_PER_STRETCH * this.#partitions ? "stretch" : "chunk"
  }

  #command(mode: string, argument = ""): string {
    const { node, client } = this.#place
    // Spark hears what is wrong only from a command that has read its rows to the end
    const none = `{ cat > /dev/null; echo ${node}: command not found >&2; exit 127; }`
    const worker = `./${client.server}/${workerFile().name} ${mode} ${argument}`.trim()
    return `command -v ${node} > /dev/null || ${none}; exec ${node} ${worker}`
  }

  async #frame(columns: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const { client } = this.#place
    if (this.#framed && columns.every(name => this.#framed!.has(name))) return
    const kinds = columns.flatMap(name => {
      const type = this.#numbered.types.get(name)
      return type === undefined ? [] : [{ name, kind: kindFor(name, type) }]
    })
    if (this.#framed) await this.#drop(this.#view)
    this.#framed = undefined
    const group = this.#per === "stretch" ? CHUNK * CHUNKS_PER_STRETCH : CHUNK
    const found = await client.all(keysOfPartitions(this.#partitions))
    const rows = shared(
      this.#numbered.sql,
      kinds.map(({ name, kind }, c) => `${expressionOf(quoted(name), kind)} AS c${c}`),
      found.map(({ key }) => Number(key)),
      { group, groups: Math.ceil(this.rows / group) },
    )
    const argument = Buffer.from(JSON.stringify(kinds)).toString("base64")
    const made = ["chunk", "body"]
    const packed = transform(
      ["r", ...kinds.map((_, c) => `c${c}`)],
      this.#command("frame", argument),
      made,
      rows,
    )
    const query = `SELECT CAST(chunk AS BIGINT) AS chunk, body FROM (${packed})`
    await client.command(cached(this.#view, query), { signal, onProgress: this.#options.onProgress })
    this.#framed = new Set(columns)
  }

  #transformed(mode: string, made: readonly string[]): string {
    return transform(["task", "chunk", "body"], this.#command(mode), made, framesWithTask(this.#view))
  }

  /** One pass of workers over the frames: their lines, each one value. */
  async *#pass(mode: string, task: WorkerTask, signal: AbortSignal | undefined): AsyncGenerator<string> {
    const options = { signal, onProgress: this.#options.onProgress }
    const sql = this.#transformed(mode, ["line"])
    for await (const { line } of this.#place.client.query(sql, { task: encoded(packData(task)) }, options))
      yield Buffer.from(String(line), "base64").toString("latin1")
  }

  /** The same, of data. */
  async *#data<T>(
    mode: string,
    task: WorkerTask,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<T | undefined> {
    for await (const line of this.#pass(mode, task, signal))
      yield readData<T>(Buffer.from(line, "latin1").toString())
  }

  async *#explore(
    task: WorkerTask,
    columns: readonly string[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ExploredPart> {
    await this.#frame(columns, signal)
    const parts: ExploredPart[] = []
    for await (const part of this.#data<ExploredPart>("explore", task, signal)) {
      if (!part) throw notWhole("a worker wrote what is no answer")
      parts.push(part)
    }
    parts.sort((a, b) => a.first - b.first)
    let next = 0
    for (const { first, chunks } of parts) {
      if (first < next) throw notWhole(`chunk ${first / CHUNK} was explored twice`)
      if (first > next) break
      next = first + chunks.length * CHUNK
    }
    if (next < this.rows) throw notWhole(`chunk ${next / CHUNK} of ${this.#chunks} was not explored`)
    yield* parts
  }

  async *#sweep(task: WorkerTask, signal: AbortSignal | undefined): AsyncGenerator<Answer | undefined> {
    for await (const line of this.#pass("sweep", task, signal)) yield readAnswer(Buffer.from(line, "latin1"))
  }

  async #pick(task: WorkerTask, signal: AbortSignal | undefined) {
    const blocks: { readonly chunk: number; readonly block: BlockJson }[] = []
    for await (const picked of this.#data<(typeof blocks)[number]>("pick", task, signal)) {
      if (!picked) throw notWhole("a worker wrote what is no answer")
      blocks.push(picked)
    }
    if (blocks.length !== task.pick!.size)
      throw notWhole(`rows of ${task.pick!.size} chunks were asked for, and ${blocks.length} came`)
    return blocks.sort((a, b) => a.chunk - b.chunk).map(({ block }) => blockFromJson(block))
  }

  async *#round(task: WorkerTask, signal: AbortSignal | undefined): AsyncGenerator<RoundAnswer> {
    for await (const answer of this.#data<RoundAnswer>("round", task, signal)) {
      if (!answer) throw notWhole("a worker wrote what is no answer")
      yield answer
    }
  }

  async *#judge(
    task: WorkerTask,
    columns: readonly string[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<JudgedPart | undefined> {
    await this.#frame(columns, signal)
    yield* this.#data<JudgedPart>("judge", task, signal)
  }

  /** The rows through this machine, chunk by chunk; those of a stretch by one query. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Columns> {
    if (!this.#framed) await this.#frame(this.columns, undefined)
    for (let from = 0; from < this.#chunks; from += CHUNKS_PER_STRETCH) {
      const end = Math.min(from + CHUNKS_PER_STRETCH, this.#chunks)
      const some = `SELECT chunk, body FROM ${this.#view} WHERE chunk >= ${from} AND chunk < ${end}`
      const found = (await this.#place.client.all(some)).map(
        ({ chunk, body }) => [Number(chunk), body] as const,
      )
      for (let chunk = from; chunk < end; chunk++) {
        const [own, ...more] = found.filter(([number]) => number === chunk)
        if (!own || more.length > 0)
          throw notWhole(`chunk ${chunk} is there ${own ? 1 + more.length : 0} times`)
        yield readFrame(Uint8Array.from(Buffer.from(String(own[1]), "base64"))).columns
      }
    }
  }

  /** Gives up what the cluster has cached. */
  async close(): Promise<void> {
    if (this.#framed) await this.#drop(this.#view)
    this.#framed = undefined
    if (this.#numbered.view !== undefined) await this.#drop(this.#numbered.view)
  }

  /** Sessions share what is cached: it stays when one ends. */
  async #drop(view: string): Promise<void> {
    await this.#place.client.command(`UNCACHE TABLE IF EXISTS ${view}`)
    await this.#place.client.command(`DROP VIEW IF EXISTS ${view}`)
  }
}

function kindFor(name: string, type: string): Kind {
  const kind = kindOf(type)
  if (kind) return kind
  throw new SparkError(
    "table",
    `column ${JSON.stringify(name)} is of type ${type}. A cell is a number, a text, a boolean, a list or a record. Cast the column in a query, or leave it out of the model.`,
    { column: name, type },
  )
}

/** Text for an argument of a query. */
function encoded(text: string): string {
  return Buffer.from(text).toString("base64")
}
