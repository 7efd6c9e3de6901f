/** `spark(address)`: a cluster, and tables of it as data for `fit`. */
import { randomUUID } from "node:crypto"
import { SparkClient } from "./connect.ts"
import { SparkError } from "./errors.ts"
import { cached, inOrder, numberedFiles, numberedPartitions, quoted } from "./sql.ts"
import { type NumberedRows, type Place, SparkTable, type TableOptions } from "./table.ts"
import { workerFile } from "./worker-file.ts"

export type { Progress } from "./connect.ts"
export { SparkError, type SparkErrorCode } from "./errors.ts"
export type { PredictedTable, PredictIntoOptions } from "./predicted.ts"
export type { SampledColumns, SampleOptions, SparkTable, TableOptions } from "./table.ts"

/** How workers run. */
export interface SparkOptions {
  /** The command that runs Node on the workers: "node", or its place there. */
  readonly node?: string
}

/** How a query is read. */
export interface QueryOptions extends TableOptions {
  /** Columns that together are different in every row: they say in which order rows are counted. */
  readonly orderBy: readonly string[]
}

/** A connection to a cluster, and its tables. */
export interface Cluster {
  readonly version: string
  /** Sentences about a server that is other than the tested one. */
  readonly warnings: readonly string[]
  /** The cores that Spark counts. */
  readonly cores: number
  /** A table of Parquet files, or files: parquet.`s3a://…`. Rows are counted by file, and by their place in it. */
  table(name: string, options?: TableOptions): Promise<SparkTable>
  /** Any query, in an order of its own, which is sorted once and cached. */
  query(sql: string, options: QueryOptions): Promise<SparkTable>
  close(): Promise<void>
}

const NODE = /^[\w./@+-]+$/
const OLDEST = 4

/** Connects to a Spark Connect server, and sends the worker there: `sc://host:15002/;token=…`. */
export async function spark(address: string, { node = "node" }: SparkOptions = {}): Promise<Cluster> {
  if (!NODE.test(node))
    throw new SparkError(
      "worker",
      `node is ${JSON.stringify(node)}. It is a command or a path without spaces. Write for example "/opt/node/bin/node".`,
      { node },
    )
  const client = new SparkClient(address)
  let views = 0
  const view = (): string => `suffice_${randomUUID().replaceAll("-", "")}_${views++}`
  try {
    const version = await versionOf(client)
    const { name, bytes } = workerFile()
    await client.addFile(`files/${name}`, bytes)
    const [{ cores }] = await client.all(
      "SELECT count(DISTINCT p) AS cores FROM (SELECT spark_partition_id() AS p FROM range(65536))",
    )
    const place: Place = { client, node, cores: Number(cores), view }
    return {
      version,
      warnings: warningsOf(version),
      cores: place.cores,
      table: (table, options = {}) => openFiles(place, table, options),
      query: (sql, options) => openQuery(place, sql, options),
      close: () => client.close(),
    }
  } catch (error) {
    await client.close()
    throw error
  }
}

/** The version of the server, if it is new enough. */
async function versionOf(client: SparkClient): Promise<string> {
  const [answer] = await client.all("SELECT version() AS version")
  const version = String(answer.version).split(" ")[0]
  if (Number.parseInt(version, 10) < OLDEST)
    throw new SparkError(
      "version",
      `the server runs Spark ${version}. Its protocol lacks what is needed below Spark 4. Connect to Spark 4.0 or newer; it is tested with 4.3.`,
      { version },
    )
  return version
}

/** Types of the columns of a query. */
async function typesOf({ client }: Place, sql: string): Promise<Map<string, string>> {
  const rows = await client.all(`DESCRIBE QUERY ${sql}`)
  return new Map(rows.map(({ col_name, data_type }) => [String(col_name), String(data_type)]))
}

/** Rows of files, counted by file and by their place in it. */
async function openFiles(place: Place, table: string, options: TableOptions): Promise<SparkTable> {
  const { client } = place
  const types = await typesOf(place, `SELECT * FROM ${table}`)
  await client.all(`DESCRIBE QUERY SELECT _metadata.row_index FROM ${table}`).catch(cause => {
    if (!/_metadata|row_index/.test((cause as SparkError).message)) throw cause
    throw new SparkError(
      "table",
      `${table} is not made of Parquet files, so its rows have no place. Sums depend on the order of rows. Use query("SELECT * FROM …", { orderBy: ["id"] }).`,
      { table },
      { cause },
    )
  })
  const files = await client.all(
    `SELECT _metadata.file_path AS path, count(*) AS rows FROM ${table} GROUP BY 1 ORDER BY 1`,
  )
  const counted = files.map(({ path, rows }) => [String(path), Number(rows)] as const)
  const rows = counted.reduce((sum, [, rows]) => sum + rows, 0)
  const numbered: NumberedRows = { sql: numberedFiles(table, counted), rows, types }
  return new SparkTable(place, numbered, options)
}

/** Rows of a query, sorted once and cached. */
async function openQuery(
  place: Place,
  sql: string,
  { orderBy, ...options }: QueryOptions,
): Promise<SparkTable> {
  const { client } = place
  const types = await typesOf(place, sql)
  const keys = orderBy.map(quoted).join(", ")
  if (orderBy.length === 0) throw noOrder("names no column to order by")
  for (const key of orderBy)
    if (!types.has(key)) throw noOrder(`orders by ${JSON.stringify(key)}, which it does not return`)
  const sorted = place.view()
  const [size] = await client.all(`SELECT count(*) AS rows FROM (${sql})`)
  await client.command(cached(sorted, inOrder(sql, orderBy, Number(size.rows), sorted)))
  const [{ rows, keys: different }] = await client.all(
    `SELECT count(*) AS rows, count(DISTINCT struct(${keys})) AS keys FROM ${sorted}`,
  )
  if (Number(rows) !== Number(different))
    throw noOrder(
      `is ordered by ${keys}, of which ${Number(rows) - Number(different)} rows have no value of their own`,
    )
  const parts = await client.all(
    `SELECT spark_partition_id() AS id, count(*) AS rows FROM ${sorted} GROUP BY 1 ORDER BY 1`,
  )
  const counted = parts.map(({ id, rows }) => [Number(id), Number(rows)] as const)
  const numbered: NumberedRows = {
    ...{ sql: numberedPartitions(sorted, counted), rows: Number(rows), types, view: sorted },
  }
  return new SparkTable(place, numbered, options)
}

const TESTED = "4.3"

function warningsOf(version: string): readonly string[] {
  if (version.startsWith(`${TESTED}.`)) return []
  return [
    `The server runs Spark ${version}; suffice-spark is tested with ${TESTED}. Answers are audited all the same.`,
  ]
}

function noOrder(what: string): SparkError {
  return new SparkError(
    "table",
    `the query ${what}. Sums depend on the order of rows, which must be the same at every sweep. Order by columns that are together different in every row: { orderBy: ["id"] }.`,
  )
}
