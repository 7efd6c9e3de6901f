/** A table as the answer: CSV to standard output, or a file in the format of its extension, written whole or not at all. */
import { stat } from "node:fs/promises"
import type { Columns } from "suffice"
import type { ColumnSource } from "../tabular.ts"
import { type Put, save } from "./save.ts"
import type { Session } from "./session.ts"

const FORMATS = /\.(csv|tsv|tab|ndjson|jsonl|json|parquet|pq)(\.gz)?$/i

/** The options that say how tables are written. */
export interface TableOutOptions {
  readonly safeCsv?: boolean
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
  const found = await stat(output).catch(() => undefined)
  if ((found && !found.isFile()) || !FORMATS.test(output)) return save(output, what, fill)
  await writeTable(output, batches, { columns, safe, signal: session.signal })
}
