/** A table of a cluster as a learned model reads it: its columns are converted to what they were then, and said to be missing where they are. */
import type { SparkTable } from "suffice-spark"
import { pooledFor, sayAbsent } from "../data.ts"
import type { LooseFitted } from "../loose.ts"
import type { Session } from "../terminal/session.ts"
import { conversions, type Engine } from "./open.ts"

export async function suited(
  session: Session,
  { table, name }: Engine,
  fitted: LooseFitted,
  target: string | undefined = fitted.model.target,
): Promise<SparkTable> {
  const read = fitted.model.uses.filter(({ role }) => role !== "hidden" && role !== "label")
  const all = [...new Set(read.map(({ column }) => column))].filter(column => column !== target)
  const absent = all.filter(column => !table.columns.includes(column))
  if (absent.length > 0) sayAbsent(session, name, table.columns, absent, all.length)
  const known = fitted.columns.flatMap((column): [string, "number" | "text"][] => {
    if (column.kind === "number" || column.kind === "count") return [[column.name, "number"]]
    if (column.kind === "bag") return [[column.name, "text"]]
    if (column.kind !== "level") return []
    return column.levels.every(level => typeof level === "string") ? [[column.name, "text"]] : []
  })
  const { OTHER } = await import("suffice-files/columns")
  const pooled = Object.entries(await pooledFor(fitted)).map(([column, levels]): [string, string] => {
    const name = `\`${column.replaceAll("`", "``")}\``
    const kept = levels.map(level => `'${level.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`).join(", ")
    return [
      column,
      `CASE WHEN ${name} IS NULL OR CAST(${name} AS STRING) IN (${kept}) THEN CAST(${name} AS STRING) ELSE '${OTHER}' END`,
    ]
  })
  const columns = {
    ...conversions(table, new Map(known)),
    ...Object.fromEntries(pooled.filter(([column]) => table.columns.includes(column))),
    ...Object.fromEntries(absent.map(column => [column, "CAST(NULL AS STRING)"])),
  }
  return Object.keys(columns).length === 0 ? table : table.with(columns)
}
