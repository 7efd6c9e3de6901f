/** Predictions written as a table on the cluster: the number of the row, what is kept of it, and the answer in columns of its type. */
import type { PredictTask } from "suffice/worker"
import type { Progress, SparkClient } from "./connect.ts"
import { notWhole, SparkError } from "./errors.ts"
import { quoted } from "./sql.ts"

/** How `predict` answers, and where it writes. */
export interface PredictIntoOptions {
  /** The name of the table that is made; there must be none of it. */
  readonly into: string
  /** Columns of the rows that are written beside the answers. */
  readonly keep?: readonly string[]
  /** The probability of every level as well, as a map. */
  readonly probabilities?: boolean
  /** As in `predict`: the column to be predicted, the chance that the interval of a number holds, weights of levels. */
  readonly target?: string
  readonly coverage?: number
  readonly prior?: Readonly<Record<string, number>>
  readonly classWeights?: Readonly<Record<string, number>>
  readonly signal?: AbortSignal
}

/** What was written. */
export interface PredictedTable {
  readonly table: string
  readonly rows: number
  readonly columns: readonly string[]
}

interface PredictingModel {
  readonly model: {
    readonly target?: string
    readonly uses: readonly {
      readonly column: string
      readonly role: string
      readonly need: { readonly kind: string }
    }[]
  }
  toJSON(): { readonly columns: readonly { readonly name: string; readonly levels?: readonly unknown[] }[] }
}

/** The table whose rows are predicted. */
interface Asked {
  readonly client: SparkClient
  readonly rows: number
  readonly columns: readonly string[]
  /** Its rows, with their number `r`. */
  readonly numbered: string
  /** The query whose rows are `made`, and the task it takes. */
  answers(
    model: unknown,
    options: PredictTask["options"],
    columns: readonly string[],
    made: readonly string[],
  ): Promise<{ readonly sql: string; readonly task: string }>
  readonly onProgress?: (progress: Progress) => void
}

export async function predictInto(
  fitted: PredictingModel,
  { into, keep = [], probabilities = false, signal, ...options }: PredictIntoOptions,
  asked: Asked,
): Promise<PredictedTable> {
  const { client, rows } = asked
  for (const column of keep)
    if (!asked.columns.includes(column))
      throw new SparkError(
        "table",
        `keep names ${JSON.stringify(column)}, which the table does not have. What is kept stands beside each answer. Name columns of it: ${asked.columns.slice(0, 8).join(", ")}.`,
        { column },
      )
  const saved = fitted.toJSON()
  const target = options.target ?? fitted.model.target
  const use = fitted.model.uses.find(({ column }) => column === target)
  const isNumber = use?.need.kind === "number" || use?.need.kind === "count"
  const read = fitted.model.uses.filter(({ role }) => role !== "hidden").map(({ column }) => column)
  const columns = [...new Set(read)].filter(column => column !== target)
  const [first] = saved.columns.find(({ name }) => name === target)?.levels ?? []
  const answer = isNumber ? NUMBERS : levelsAs(first, probabilities)
  const made = ["row", ...answer.map(([name]) => name)]
  const { sql, task } = await asked.answers(saved, options, columns, made)
  const typed = answer.map(([name, type]) => `${type(`a.${name}`)} AS ${name}`)
  const kept = keep.map(column => `k.${quoted(column)}`)
  const joined = `SELECT ${["k.r AS row", ...kept, ...typed].join(", ")} FROM (${asked.numbered}) k JOIN (${sql}) a ON k.r = CAST(a.row AS BIGINT)`
  const name = into.split(".").map(quoted).join(".")
  const progress = { signal, onProgress: asked.onProgress }
  await client.command(`CREATE TABLE ${name} USING parquet AS ${joined}`, progress, { task })
  const [found] = await client.all(`SELECT count(*) AS rows, count(DISTINCT row) AS own FROM ${name}`)
  if (Number(found.rows) !== rows || Number(found.own) !== rows) {
    await client.command(`DROP TABLE IF EXISTS ${name}`)
    throw notWhole(
      `${found.own} of ${rows} rows were answered, by ${found.rows} answers; the table was removed`,
    )
  }
  return { table: into, rows, columns: ["row", ...keep, ...answer.map(([column]) => column)] }
}

/** A column of the answer, and its type made of text. */
type Typed = readonly [name: string, type: (text: string) => string]
const double = (text: string): string => `CAST(${text} AS DOUBLE)`
const NUMBERS: readonly Typed[] = ["value", "sd", "low", "high"].map(name => [name, double])

function levelsAs(level: unknown, probabilities: boolean): readonly Typed[] {
  const type = typeof level === "number" ? "DOUBLE" : typeof level === "boolean" ? "BOOLEAN" : "STRING"
  return [
    ["value", text => `from_json(${text}, 'v ${type}').v`],
    ["probability", double],
    ...(probabilities
      ? [["probabilities", (text: string) => `from_json(${text}, 'MAP<STRING, DOUBLE>')`] as const]
      : []),
  ]
}
