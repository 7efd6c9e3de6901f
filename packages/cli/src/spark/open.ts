/** --engine: the table of a Spark cluster that DATA names, or what --sql selects there, with columns read as the model wants them. */
import type { Columns } from "suffice"
import type { ColumnType, FileTable } from "suffice-files"
import type { Cluster, SparkTable } from "suffice-spark"
import type { DataOptions, DataPaths } from "../data.ts"
import { Failure } from "../failure.ts"
import type { SequenceOptions } from "../sequences/options.ts"
import type { Session } from "../terminal/session.ts"

export interface EngineOptions extends DataOptions, Pick<SequenceOptions, "order" | "sequence" | "tag"> {
  readonly engine?: string
  readonly node?: string
}

/** A table of a cluster; closing it lets go of both. */
export interface Engine {
  readonly cluster: Cluster
  readonly table: SparkTable
  readonly name: string
  /** Said beside the tasks that are done. */
  about(text: string): void
  close(): Promise<void>
}

/** Options that say how a file is read. */
const OF_FILES = [
  ...["missing", "delimiter", "decimal", "thousands", "quote", "encoding", "sheet", "names", "format"],
] as const satisfies readonly (keyof DataOptions)[]

export async function openEngine(
  session: Session,
  paths: DataPaths,
  options: EngineOptions,
): Promise<Engine> {
  const { engine, node, sql, order } = options
  refuseOthers(options)
  if (paths.length + (sql === undefined ? 0 : 1) !== 1) {
    throw new Failure(
      "usage",
      "with --engine one table is read. DATA is its name on the cluster, or files as parquet.`s3a://…`. Name one, or write --sql with --order instead.",
    )
  }
  if (sql !== undefined && order === undefined) {
    throw new Failure(
      "usage",
      "--engine with --sql needs --order. Sums depend on the order of rows, which must be the same at every sweep. Name a column that is different in every row: --order id.",
    )
  }
  const { spark } = await sparkPackage()
  const cluster = await spark(engine!, node === undefined ? {} : { node })
  for (const warning of cluster.warnings) session.note(`note: ${warning}`)
  try {
    let bar: ReturnType<Session["progress"]> | undefined
    let of = -1
    let more: string | undefined
    const onProgress = ({ done, tasks }: { readonly done: number; readonly tasks: number }): void => {
      if (tasks !== of) bar = session.progress("on the cluster", tasks, "tasks")
      of = tasks
      bar?.at(done, more)
    }
    const table =
      sql === undefined
        ? await cluster.table(paths[0], { onProgress })
        : await cluster.query(sql, { orderBy: order!.split(","), onProgress })
    return {
      cluster,
      table,
      name: sql === undefined ? paths[0] : "the query",
      about(text) {
        more = text
      },
      async close() {
        bar?.stop()
        await table.close().catch(() => undefined)
        await cluster.close()
      },
    }
  } catch (error) {
    await cluster.close()
    throw error
  }
}

async function sparkPackage(): Promise<typeof import("suffice-spark")> {
  try {
    return await import("suffice-spark")
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_MODULE_NOT_FOUND") throw error
    throw new Failure(
      "usage",
      "--engine needs the package suffice-spark, which is not installed. It brings what speaks to Spark. Install it beside suffice-cli: npm install suffice-spark.",
    )
  }
}

function refuseOthers(options: EngineOptions): void {
  const { sequence, tag } = options
  const wrong =
    OF_FILES.find(name => options[name] !== undefined) ?? (options.header === false ? "no-header" : undefined)
  if (wrong !== undefined) {
    throw new Failure(
      "usage",
      `--${wrong} is given with --engine. Tables of a cluster have columns of a type, and no text to be read. Leave it out, or convert the column in --sql.`,
    )
  }
  if (sequence !== undefined || tag !== undefined) {
    throw new Failure(
      "usage",
      "steps of sequences are asked for with --engine. On a cluster a sequence is one row, whose cell is an array of steps. Gather them in --sql (collect_list), and give a model file; or use the library.",
    )
  }
}

const NUMBERS = /^(double|float|tinyint|smallint|int|bigint|decimal)/

/** Some of its rows as a table that the rules for columns can look at. */
export async function sampledTable(
  { table, name }: Engine,
  columns: Columns,
  options: DataOptions & { readonly label?: string },
  session: Session,
): Promise<FileTable> {
  const { fileTable } = await import("suffice-files/columns")
  const left = table.columns.filter(column => !(column in columns) || !isPlain(table.types.get(column)!))
  if (left.length > 0)
    session.note(
      `note: ${left.map(column => `${JSON.stringify(column)} (${table.types.get(column)})`).join(", ")} left out: on a cluster numbers, text and booleans are read. Make columns of what they hold in --sql.`,
    )
  const names = Object.keys(columns).filter(column => !left.includes(column))
  return fileTable(
    {
      name,
      columns: names.map(column => ({ name: column, type: typeOf(table.types.get(column)!) })),
      async *read(wanted) {
        yield Object.fromEntries(wanted.map(column => [column, columns[column]]))
      },
    },
    {
      ...(options.as && { as: options.as }),
      ...(options.label !== undefined && { label: options.label }),
      signal: session.signal,
    },
  )
}

function isPlain(type: string): boolean {
  return NUMBERS.test(type) || /^(string|varchar|char|boolean)/.test(type)
}

function typeOf(type: string): ColumnType {
  if (/^(tinyint|smallint|int|bigint)/.test(type)) return "integer"
  return NUMBERS.test(type) ? "number" : type === "boolean" ? "boolean" : "string"
}

/** Columns that the cluster has as text and the model as numbers, or the other way round, as SQL that converts them. */
export function conversions(
  { types }: SparkTable,
  wanted: ReadonlyMap<string, "number" | "text">,
): Record<string, string> {
  const quoted = (name: string): string => `\`${name.replaceAll("`", "``")}\``
  return Object.fromEntries(
    [...wanted].flatMap(([name, kind]): [string, string][] => {
      const type = types.get(name)
      if (type === undefined || (kind === "number") === NUMBERS.test(type) || type === "boolean") return []
      return [
        [name, kind === "number" ? `try_cast(${quoted(name)} AS DOUBLE)` : `CAST(${quoted(name)} AS STRING)`],
      ]
    }),
  )
}
