/** Records of one tree: a table with one named row per subject and one digest per column, compared cell by cell. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"

/** Cells by column, by the name of the row. A cell is a text without tabs and line ends. */
export type Table = ReadonlyMap<string, Readonly<Record<string, string>>>

/** Eight hexadecimal digits of SHA-256. */
export function digest(value: unknown): string {
  const text = typeof value === "string" ? value : canonical(value)
  return createHash("sha256").update(text).digest("hex").slice(0, 8)
}

/** JSON that also tells −0, NaN, ±Infinity, undefined, maps and typed arrays apart. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "number")
      return Number.isFinite(part) && !Object.is(part, -0)
        ? part
        : `number ${Object.is(part, -0) ? "-0" : part}`
    if (typeof part === "bigint") return `bigint ${part}`
    if (part === undefined) return "undefined"
    if (part instanceof Map) return { map: [...part] }
    if (ArrayBuffer.isView(part)) return { [part.constructor.name]: Array.from(part as Float64Array) }
    return part
  })
}

export function writeTable(path: string, table: Table): void {
  const columns = columnsOf(table)
  const rows = [...table].map(([name, cells]) => [name, ...columns.map(column => cells[column] ?? "")])
  writeFileSync(path, `${[["name", ...columns], ...rows].map(row => row.join("\t")).join("\n")}\n`)
}

export function readTable(path: string): Table {
  if (!existsSync(path)) return new Map()
  const [head, ...rows] = readFileSync(path, "utf8").trimEnd().split("\n")
  const [, ...columns] = head.split("\t")
  return new Map(
    rows.map(row => {
      const [name, ...cells] = row.split("\t")
      return [name, Object.fromEntries(columns.map((column, c) => [column, cells[c] ?? ""]))]
    }),
  )
}

function columnsOf(table: Table): string[] {
  return [...new Set([...table.values()].flatMap(cells => Object.keys(cells)))]
}

/** The mark of a cell that differs between two runs: it is not compared. */
export const UNSTABLE = "~"

export interface Comparison {
  /** One line per row that is gone, or whose cells differ. */
  readonly different: readonly string[]
  /** Rows without a record. */
  readonly added: readonly string[]
}

export function compared(recorded: Table, measured: Table): Comparison {
  const different: string[] = []
  for (const [name, before] of recorded) {
    const after = measured.get(name)
    if (after === undefined) {
      different.push(`${name}: missing`)
      continue
    }
    const columns = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    const changed = columns.filter(
      column => before[column] !== UNSTABLE && (before[column] ?? "") !== (after[column] ?? ""),
    )
    if (changed.length === 0) continue
    const cells = changed.map(column => `${column} ${before[column] || "none"} → ${after[column] || "none"}`)
    different.push(`${name}: ${cells.join(", ")}`)
  }
  return { different, added: [...measured.keys()].filter(name => !recorded.has(name)) }
}
