/** A thin Spark Connect client: queries with named arguments, commands, files for the workers, interrupts. No more than Suffice needs. */
import { randomUUID } from "node:crypto"
import { fileURLToPath } from "node:url"
import grpc from "@grpc/grpc-js"
import loader from "@grpc/proto-loader"
import { tableFromIPC } from "apache-arrow"
import { crc32 } from "./crc32.ts"
import { SparkError, sparkFailed } from "./errors.ts"

const PROTOS = fileURLToPath(new URL("../protos", import.meta.url))

/** The service of Spark Connect, by its own protos. */
export function sparkService(): grpc.ServiceClientConstructor {
  const definition = loader.loadSync("spark/connect/base.proto", {
    ...{ includeDirs: [PROTOS], keepCase: true, longs: Number, enums: String, defaults: false, oneofs: true },
  })
  const { spark } = grpc.loadPackageDefinition(definition) as unknown as {
    spark: { connect: { SparkConnectService: grpc.ServiceClientConstructor } }
  }
  return spark.connect.SparkConnectService
}

/** Tasks of a query, as Spark counts them. */
export interface Progress {
  readonly tasks: number
  readonly done: number
}

export interface QueryOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

type Message = Readonly<Record<string, unknown>>
interface Response {
  readonly server_side_session_id?: string
  readonly arrow_batch?: { readonly data: Uint8Array; readonly row_count: number }
  readonly execution_progress?: {
    readonly stages?: readonly { num_tasks?: number; num_completed_tasks?: number }[]
  }
}
export type SparkRow = Readonly<Record<string, unknown>>

/** An address: sc://host:15002/;token=…;use_ssl=true;user_id=… */
export function addressOf(text: string): { target: string; token?: string; ssl: boolean; user: string } {
  const parts = /^sc:\/\/([^/;]+)\/?(?:;(.*))?$/.exec(text)
  if (!parts)
    throw new SparkError(
      "server",
      `the address is ${JSON.stringify(text)}. A Spark Connect server has one like sc://host:15002. Write it so, with /;token=… behind it if it asks for one.`,
      { address: text },
    )
  const options = new Map(
    (parts[2] ?? "")
      .split(";")
      .filter(Boolean)
      .map(pair => [pair.slice(0, pair.indexOf("=")), decodeURIComponent(pair.slice(pair.indexOf("=") + 1))]),
  )
  const token = options.get("token")
  return {
    target: /:\d+$/.test(parts[1]) ? parts[1] : `${parts[1]}:15002`,
    ...(token !== undefined && { token }),
    // a token is never sent in the clear
    ssl: options.get("use_ssl") === "true" || token !== undefined,
    user: options.get("user_id") ?? "suffice",
  }
}

export class SparkClient {
  readonly address: string
  readonly #session = randomUUID()
  readonly #user: string
  readonly #stub: grpc.Client & Record<string, (...args: never[]) => unknown>
  readonly #metadata = new grpc.Metadata()
  /** The session as the server names it: files stand in a folder of this name. */
  server = ""

  constructor(text: string) {
    const { target, token, ssl, user } = addressOf(text)
    this.address = target
    this.#user = user
    if (token !== undefined) this.#metadata.set("authorization", `Bearer ${token}`)
    const Service = sparkService()
    this.#stub = new Service(target, ssl ? grpc.credentials.createSsl() : grpc.credentials.createInsecure(), {
      "grpc.max_receive_message_length": -1,
      "grpc.max_send_message_length": -1,
    }) as never
  }

  get #about(): Message {
    const user_context = { user_id: this.#user, user_name: this.#user }
    return { session_id: this.#session, user_context, client_type: "suffice" }
  }

  /** Rows of a query. Arguments are literals, never part of the text. */
  async *query(
    query: string,
    named: Readonly<Record<string, string>> = {},
    options: QueryOptions = {},
  ): AsyncGenerator<SparkRow> {
    const root = { common: { plan_id: 1 }, sql: sqlOf(query, named) }
    for await (const batch of this.#execute({ root }, options))
      for (const row of tableFromIPC(batch)) yield row!.toJSON()
  }

  async all(
    query: string,
    named?: Readonly<Record<string, string>>,
    options?: QueryOptions,
  ): Promise<SparkRow[]> {
    const rows: SparkRow[] = []
    for await (const row of this.query(query, named, options)) rows.push(row)
    return rows
  }

  async command(
    query: string,
    options: QueryOptions = {},
    named: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const input = { common: { plan_id: 1 }, sql: sqlOf(query, named) }
    for await (const _ of this.#execute({ command: { sql_command: { input } } }, options));
  }

  async *#execute(plan: Message, { signal, onProgress }: QueryOptions): AsyncGenerator<Uint8Array> {
    signal?.throwIfAborted()
    const operation = randomUUID()
    const request = { ...this.#about, plan, operation_id: operation }
    const call = this.#stub.ExecutePlan(
      request as never,
      this.#metadata as never,
    ) as grpc.ClientReadableStream<Response>
    const stop = (): void => void this.#interrupt(operation).catch(() => undefined)
    signal?.addEventListener("abort", stop, { once: true })
    let ended = false
    try {
      for await (const response of call as AsyncIterable<Response>) {
        this.server = response.server_side_session_id ?? this.server
        if (response.arrow_batch) yield response.arrow_batch.data
        else if (response.execution_progress) onProgress?.(progressOf(response))
      }
      ended = true
    } catch (cause) {
      ended = true
      signal?.throwIfAborted()
      throw sparkFailed(this.address, cause)
    } finally {
      signal?.removeEventListener("abort", stop)
      if (!ended) {
        stop()
        call.cancel()
      }
    }
    signal?.throwIfAborted()
  }

  #unary(name: string, message: Message): Promise<Message> {
    return new Promise((resolve, reject) => {
      this.#stub[name](
        { ...this.#about, ...message } as never,
        this.#metadata as never,
        ((error: unknown, answer: Message) =>
          error ? reject(sparkFailed(this.address, error)) : resolve(answer)) as never,
      )
    })
  }

  #interrupt(operation: string): Promise<Message> {
    return this.#unary("Interrupt", {
      interrupt_type: "INTERRUPT_TYPE_OPERATION_ID",
      operation_id: operation,
    })
  }

  /** A file that stands beside the workers' tasks. */
  addFile(name: string, data: Uint8Array): Promise<void> {
    const PART = 32 * 1024
    return new Promise((resolve, reject) => {
      const call = this.#stub.AddArtifacts(
        this.#metadata as never,
        ((error: unknown) => (error ? reject(sparkFailed(this.address, error)) : resolve())) as never,
      ) as grpc.ClientWritableStream<Message>
      const part = (bytes: Uint8Array): Message => ({ data: bytes, crc: crc32(bytes) })
      const count = Math.max(1, Math.ceil(data.length / PART))
      for (let p = 0; p < count; p++) {
        const bytes = data.subarray(p * PART, (p + 1) * PART)
        const begin_chunk = { name, total_bytes: data.length, num_chunks: count, initial_chunk: part(bytes) }
        if (count === 1) call.write({ ...this.#about, batch: { artifacts: [{ name, data: part(bytes) }] } })
        else call.write({ ...this.#about, ...(p === 0 ? { begin_chunk } : { chunk: part(bytes) }) })
      }
      call.end()
    })
  }

  async close(): Promise<void> {
    await this.#unary("ReleaseSession", {}).catch(() => undefined)
    this.#stub.close()
  }
}

function sqlOf(query: string, named: Readonly<Record<string, string>>): Message {
  const entries = Object.entries(named).map(([name, string]) => [name, { literal: { string } }])
  return { query, named_arguments: Object.fromEntries(entries) }
}

function progressOf({ execution_progress }: Response): Progress {
  const stages = execution_progress?.stages ?? []
  return {
    tasks: stages.reduce((sum, { num_tasks = 0 }) => sum + num_tasks, 0),
    done: stages.reduce((sum, { num_completed_tasks = 0 }) => sum + num_completed_tasks, 0),
  }
}
