/**
 * How much a column says by itself about the group of a row, under the model:
 *
 *     the mean over rows of  KL( p(group | cell) ‖ p(group) ) = Σ_g p(g | x) ln p(g | x) / p(g),   in nats
 *
 * It is 0 for a column that the model finds useless, and at most the entropy of the groups.
 */
import type { Cell, Columns } from "suffice"
import { plainCell } from "../tabular.ts"
import type { Groups } from "./groups.ts"

/** So many cells of a column are asked about, evenly spaced in their order. */
const ASKED = 24
/** Of a table of thousands of columns fewer: a row of it has as many holes to step over. */
const CELLS = 20_000_000

export interface Says {
  readonly column: string
  readonly nats: number
}

/** Every column, the one that says most first. */
export function whatColumnsSay(groups: Groups, columns: readonly string[], data: Columns): Says[] {
  const asked = Math.max(4, Math.min(ASKED, Math.floor(CELLS / columns.length ** 2)))
  const alone = groups.chances({ [columns[0]]: [null] })
  return columns
    .map(column => ({ column, nats: information(groups, alone, column, spaced(data[column], asked)) }))
    .sort((a, b) => b.nats - a.nats)
}

function information(
  groups: Groups,
  alone: ArrayLike<number>,
  column: string,
  cells: readonly Cell[],
): number {
  if (cells.length === 0) return 0
  const given = groups.chances({ [column]: cells })
  const k = groups.names.length
  let sum = 0
  for (let i = 0; i < cells.length * k; i++) {
    if (given[i] > 0 && alone[i % k] > 0) sum += given[i] * Math.log(given[i] / alone[i % k])
  }
  return sum / cells.length
}

/** Cells at evenly spaced quantiles of what was seen; of cells without an order, of how they come. */
function spaced(cells: ArrayLike<Cell>, asked: number): Cell[] {
  const seen: Cell[] = []
  const step = Math.max(1, Math.floor(cells.length / 1000))
  for (let i = 0; i < cells.length; i += step) {
    const cell = plainCell(cells[i])
    if (cell !== null && cell !== undefined) seen.push(cell)
  }
  const sorted = seen.every(cell => typeof cell === "number")
    ? seen.toSorted((a, b) => (a as number) - (b as number))
    : seen.every(cell => typeof cell === "string") && seen.length > 0
      ? seen.toSorted()
      : seen
  if (sorted.length <= asked) return sorted
  return Array.from({ length: asked }, (_, i) => sorted[Math.floor(((i + 0.5) * sorted.length) / asked)])
}
