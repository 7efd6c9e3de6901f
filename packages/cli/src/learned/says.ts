/**
 * How much a column says by itself about the group of a row, under the model:
 *
 *     the mean over rows of  KL( p(group | cell) ‖ p(group) ) = Σ_g p(g | x) ln p(g | x) / p(g),   in nats
 *
 * It is 0 for a column that the model finds useless, and at most the entropy of the groups. Of a wide table, the model is asked only about the
 * columns that differ most between the groups in the rows themselves.
 */
import type { Cell, Columns } from "suffice"
import { plainCell } from "../tabular.ts"
import type { Groups } from "./groups.ts"

/** So many cells of a column are asked about, evenly spaced in their order. */
const ASKED = 24
/** The most columns that the model is asked about. */
const COLUMNS = 100

export interface Says {
  readonly column: string
  readonly nats: number
}

/** The columns that say most first; of more than a hundred, a hundred. `groupOf`: the group of each row. */
export function whatColumnsSay(
  groups: Groups,
  all: readonly string[],
  data: Columns,
  groupOf: Int32Array,
): Says[] {
  const columns = all.length > COLUMNS ? mostDifferent(all, data, groupOf, groups.names.length) : all
  const alone = groups.chances({ [columns[0]]: [null] })
  return columns
    .map(column => ({ column, nats: information(groups, alone, column, spaced(data[column], ASKED)) }))
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

/** The columns whose cells tell most about the groups by counting alone. */
function mostDifferent(
  columns: readonly string[],
  data: Columns,
  groupOf: Int32Array,
  k: number,
): readonly string[] {
  return columns
    .map(column => ({ column, told: counted(data[column], groupOf, k) }))
    .sort((a, b) => b.told - a.told)
    .slice(0, COLUMNS)
    .map(({ column }) => column)
}

/** Σ_{b,g} n_bg/n · ln( n·n_bg / (n_b·n_g) ), b the eighth of the numbers that a cell lies in, or the cell itself. */
function counted(cells: ArrayLike<Cell>, groupOf: Int32Array, k: number): number {
  const edges = spaced(cells, 8)
  const isNumber = edges.every(edge => typeof edge === "number")
  const table = new Map<Cell, Float64Array>()
  const ofGroup = new Float64Array(k)
  let n = 0
  for (let i = 0; i < cells.length; i++) {
    const cell = plainCell(cells[i])
    // of documents and lists the model itself is asked
    if (typeof cell === "object" && cell !== null) return Infinity
    if (cell === null || cell === undefined || groupOf[i] < 0) continue
    const bin = isNumber ? edges.findLastIndex(edge => (edge as number) <= (cell as number)) : cell
    if (!table.has(bin)) table.set(bin, new Float64Array(k))
    table.get(bin)![groupOf[i]]++
    ofGroup[groupOf[i]]++
    n++
  }
  let told = 0
  for (const row of table.values()) {
    const ofBin = row.reduce((a, b) => a + b, 0)
    row.forEach((both, g) => {
      if (both > 0) told += (both / n) * Math.log((n * both) / (ofBin * ofGroup[g]))
    })
  }
  return told
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
