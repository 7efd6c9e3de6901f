/** A table as the answer: CSV to standard output, or a file in the format of its extension, written whole or not at all. */
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import type { Columns } from "suffice"
import { Failure } from "../failure.ts"
import type { ColumnSource } from "../tabular.ts"
import { checkPlace, type Put, save } from "./save.ts"
import type { Session } from "./session.ts"

const FORMATS = /\.((csv|tsv|tab|ndjson|jsonl|json)(\.gz)?|parquet|pq|xlsx)$/i

/** The options that say how tables are written. */
export interface TableOutOptions {
  readonly safeCsv?: boolean
}

/** Before the work begins: can a table be written there, in the format that its name says? */
export async function checkTable(output: string | undefined, what: string): Promise<void> {
  if (output === undefined) return
  await checkPlace(output, what)
  if (FORMATS.test(output) || (await isDevice(output))) return
  throw new Failure(
    "output",
    `${what} cannot be written to ${JSON.stringify(output)}: the name ${JSON.stringify(basename(output))} does not say in which format. Nothing was computed. End it in .csv, .tsv, .xlsx, .parquet, .json or .ndjson.`,
    { path: output },
  )
}

async function isDevice(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && !found.isFile()
}

export async function tableOut(
  session: Session,
  output: string | undefined,
  what: string,
  columns: readonly string[],
  batches: ColumnSource,
  { safeCsv: safe = false }: TableOutOptions = {},
): Promise<void> {
  const { encode, writeTable } = await import("suffice-files")
  const fill = async (put: Put): Promise<void> => {
    let header = true
    for await (const batch of batches) {
      await put(encode(batch, { format: "csv", columns, header, safe }))
      header = false
    }
    if (header) await put(encode({} as Columns, { format: "csv", columns, header, safe }))
  }
  if (output === undefined) return fill(text => session.put(text as string))
  // a device is written to, never replaced
  if (await isDevice(output)) return save(output, what, fill)
  await writeTable(output, batches, { columns, safe, signal: session.signal })
}
