/** A table of text: columns as wide as their widest cell, numbers to the right. */
import stringWidth from "string-width"
import { shown } from "./shown.ts"

export interface TableColumn {
  readonly title: string
  readonly align?: "left" | "right"
}

/** The rule above a column without a name, such as one of notes, is at most that long: a terminal would break it. */
const NOTE = 24

/** Lines without the last newline. */
export function textTable(
  heads: readonly TableColumn[],
  cells: readonly (readonly string[])[],
  indent = "  ",
): string {
  const columns = heads.map(head => ({ ...head, title: shown(head.title) }))
  const rows = cells.map(row => row.map(shown))
  const widths = columns.map(({ title }, c) =>
    rows.reduce((most, row) => Math.max(most, width(row[c] ?? "")), width(title)),
  )
  const line = (cells: readonly string[]): string => {
    const padded = columns.map(({ align }, c) => {
      const gap = " ".repeat(widths[c] - width(cells[c] ?? ""))
      return align === "right" ? `${gap}${cells[c] ?? ""}` : `${cells[c] ?? ""}${gap}`
    })
    return `${indent}${padded.join("  ")}`.trimEnd()
  }
  const head = columns.some(({ title }) => title !== "")
    ? [
        line(columns.map(({ title }) => title)),
        line(widths.map((wide, c) => "─".repeat(Math.min(wide, columns[c].title === "" ? NOTE : wide)))),
      ]
    : []
  return [...head, ...rows.map(line)].join("\n")
}

/** Cells of the terminal: characters of East Asia and emoji take two, what combines with its neighbour none. */
function width(text: string): number {
  // What is plain needs no table of characters.
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text)
}

/** A bar of up to `most` characters for a share between 0 and 1. */
export function bar(share: number, most = 20): string {
  const eighths = Math.round(Math.min(Math.max(share, 0), 1) * most * 8)
  const rest = eighths % 8
  return "█".repeat(Math.floor(eighths / 8)) + (rest > 0 ? " ▏▎▍▌▋▊▉"[rest] : "")
}
