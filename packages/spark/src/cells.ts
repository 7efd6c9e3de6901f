/** Cells as Spark writes them for a worker: numbers as text, everything else as JSON of { v: … }. */

export type Kind = "number" | "integer" | "json"

/** The kind of a column by Spark's name of its type. */
export function kindOf(type: string): Kind | undefined {
  if (/^(double|float|tinyint|smallint|int)$/.test(type)) return "number"
  if (/^(bigint|decimal\(\d+,0\))$/.test(type)) return "integer"
  if (/^decimal/.test(type)) return "number"
  return /^(binary|void|interval)/.test(type) ? undefined : "json"
}

/** How a column is asked for; `name` is quoted. */
export function expressionOf(name: string, kind: Kind): string {
  return kind === "json" ? `to_json(struct(${name} AS v))` : `CAST(${name} AS STRING)`
}

export function cellOf(text: string, kind: Kind): unknown {
  if (text === "\\N") return null
  if (kind === "json") return (JSON.parse(text) as { v?: unknown }).v ?? null
  if (kind === "number") return Number(text)
  const value = Number(text)
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(text) ? value : BigInt(text)
}
