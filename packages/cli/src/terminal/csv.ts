/** Lines of CSV (RFC 4180): cells in quotes where they have to be, missing ones empty. */
import type { Cell } from "suffice"

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\n`
}

export function csvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return ""
  if (typeof cell === "number") return Number.isNaN(cell) ? "" : String(cell)
  const text = typeof cell === "object" ? words(cell) : String(cell)
  return /[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A bag as text: its words, each as often as it counts. */
function words(bag: object): string {
  if (Array.isArray(bag)) return bag.join(" ")
  return Object.entries(bag as Record<string, number>)
    .flatMap(([word, times]) => Array.from({ length: times }, () => word))
    .join(" ")
}
