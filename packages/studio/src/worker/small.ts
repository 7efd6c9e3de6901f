/** Small drawings of columns, from their cells. */
import type { Cell } from "suffice"
import { type ColumnReport, numberIn } from "suffice-files/columns"
import type { ColumnView, Small } from "../bench/types.ts"

const BINS = 24
const BARS = 6
const ODD = 20

export function smallOf({ kind, levels }: ColumnReport, cells: ArrayLike<Cell>): Small {
  if (kind === "text") return { kind: "words", words: frequentWords(cells) }
  if (cells instanceof Float64Array && kind !== "category" && kind !== "label" && kind !== "binary")
    return histogram(cells)
  if (!levels && kind !== "id" && kind !== "category" && kind !== "label" && kind !== "binary") {
    return cells instanceof Float64Array ? histogram(cells) : { kind: "none" }
  }
  const counts = new Map<string, number>()
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    if (cell === null || cell === undefined || cell !== cell) continue
    const key = String(cell)
    counts.set(key, (counts.get(key) ?? 0) + 1)
    if (counts.size > 2000) return { kind: "none" }
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  if (kind === "id") return { kind: "none" }
  return {
    kind: "levels",
    bars: sorted.slice(0, BARS).map(([name, rows]) => ({ name, rows })),
    more: Math.max(sorted.length - BARS, 0),
  }
}

function histogram(cells: Float64Array): Small {
  let [low, high] = [Infinity, -Infinity]
  for (const x of cells) {
    if (x < low && Number.isFinite(x)) low = x
    if (x > high && Number.isFinite(x)) high = x
  }
  if (!(high > low)) return { kind: "none" }
  const heights = new Array<number>(BINS).fill(0)
  for (const x of cells) {
    const bin = Math.floor((BINS * (x - low)) / (high - low))
    if (bin >= 0) heights[Math.min(bin, BINS - 1)]++
  }
  return { kind: "histogram", from: low, to: high, heights }
}

function frequentWords(cells: ArrayLike<Cell>): string[] {
  const counts = new Map<string, number>()
  for (let i = 0; i < Math.min(cells.length, 2000); i++) {
    const cell = cells[i]
    if (typeof cell !== "string") continue
    for (const word of new Set(cell.toLowerCase().match(/\p{L}{4,}/gu) ?? []))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 8)
    .map(([word]) => word)
}

/** Cells that are no numbers in a column that mostly holds numbers. */
export function oddCells({ type }: ColumnReport, cells: ArrayLike<Cell>): ColumnView["odd"] {
  if (type !== "string" || cells.length === 0) return []
  const odd: { row: number; cell: string }[] = []
  let [numbers, others] = [0, 0]
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    if (typeof cell !== "string") continue
    if (numberIn(cell) !== undefined) numbers++
    else {
      others++
      if (odd.length < ODD) odd.push({ row: i, cell })
    }
    if (others > numbers + 1000) return []
  }
  return others > 0 && numbers > others ? odd : []
}
