/** One column given each group: what the model has learned, beside what the rows hold. */
import { type Cell, type Columns, SufficeError } from "suffice"
import { plainCell } from "../tabular.ts"
import type { Groups } from "./groups.ts"
import { type Bins, binsOf, heights } from "./histogram.ts"

/** A density over the histogram of the rows, for each group drawn. */
export interface LearnedNumber {
  readonly kind: "number"
  readonly column: string
  readonly bins: Bins
  /** Where densities are given. */
  readonly at: readonly number[]
  readonly each: readonly {
    /** Of the group's rows, those that hold the column. */
    readonly rows: number
    readonly mean: number
    readonly sd: number
    /** Per bin and unit of the column. */
    readonly heights: readonly number[]
    readonly density: readonly number[]
  }[]
  /** The share of the cells that lie outside the bins. */
  readonly outside: number
}

/** The probability of each value, and its share of the rows, for each group drawn. */
export interface LearnedLevels {
  readonly kind: "levels"
  readonly column: string
  /** The most probable ones, in the order of the model. */
  readonly values: readonly string[]
  /** Values that are left out. */
  readonly more: number
  readonly each: readonly {
    readonly rows: number
    readonly shares: readonly number[]
    readonly probabilities: readonly number[]
  }[]
}

const POINTS = 81
/** The most values of a column that are drawn. */
const VALUES = 12

/** `whole`: only whole numbers have a probability. Undefined if no cell is seen, or the model gives no density. */
export function learnedNumber(
  groups: Groups,
  drawn: readonly number[],
  groupOf: Int32Array,
  column: string,
  data: Columns,
  whole: boolean,
): LearnedNumber | undefined {
  const cells = data[column] as ArrayLike<Cell>
  const ofGroup = (wanted: (group: number) => boolean): Float64Array =>
    Float64Array.from(
      Array.from(cells, Number).filter(
        (value, i) => plainCell(cells[i]) !== null && Number.isFinite(value) && wanted(groupOf[i]),
      ),
    )
  const all = ofGroup(group => drawn.includes(group))
  const bins = binsOf(all)
  if (!bins) return undefined
  for (const at of grids(bins, all, whole)) {
    const densities = drawn.map(group => densityOf(groups, column, at, group))
    if (densities.some(density => density === undefined)) continue
    return {
      kind: "number",
      column,
      bins,
      at,
      each: drawn.map((group, g) => {
        const values = ofGroup(one => one === group)
        return {
          rows: values.length,
          ...moments(values),
          heights: heights(bins, values),
          density: densities[g]!,
        }
      }),
      outside:
        all.filter(value => value < bins.from || value >= bins.from + bins.width * bins.count).length /
        all.length,
    }
  }
  return undefined
}

/** Points of the drawing: a little beyond the bins; or, if the family has no density there, from the least to the largest number seen. */
function* grids({ from, width, count }: Bins, values: Float64Array, whole: boolean): Generator<number[]> {
  const to = from + width * count
  if (whole) {
    const [first, last] = [Math.max(Math.ceil(from), 0), Math.floor(to)]
    const step = Math.max(1, Math.ceil((last - first) / POINTS))
    yield Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => first + i * step)
    return
  }
  const inside = values.filter(value => value >= from && value <= to)
  const [low, high] = inside.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, -Infinity])
  const beyond = 0.05 * (to - from)
  for (const [a, b] of [
    [low >= 0 ? Math.max(from - beyond, 0) : from - beyond, to + beyond],
    [low, high],
  ]) {
    yield Array.from({ length: POINTS }, (_, i) => a + ((b - a) * i) / (POINTS - 1))
  }
}

function densityOf(
  groups: Groups,
  column: string,
  cells: readonly number[],
  group: number,
): number[] | undefined {
  try {
    return Array.from(groups.logDensity(column, cells, group), Math.exp)
  } catch (error) {
    if (error instanceof SufficeError) return undefined
    throw error
  }
}

/** `values`: the levels that the model knows of the column. */
export function learnedLevels(
  groups: Groups,
  drawn: readonly number[],
  groupOf: Int32Array,
  column: string,
  data: Columns,
  values: readonly Cell[],
): LearnedLevels | undefined {
  const learned = drawn.map(group => densityOf(groups, column, values as readonly number[], group))
  if (learned.some(one => one === undefined)) return undefined
  const cells = data[column] as ArrayLike<Cell>
  const codes = new Map(values.map((value, v) => [String(value), v]))
  const counts = drawn.map(() => new Array<number>(values.length).fill(0))
  for (let i = 0; i < cells.length; i++) {
    const code = codes.get(String(plainCell(cells[i])))
    const place = drawn.indexOf(groupOf[i])
    if (code !== undefined && place >= 0) counts[place][code]++
  }
  const weight = values.map((_, v) => learned.reduce((sum, one) => sum + one![v], 0))
  const kept = values
    .map((_, v) => v)
    .sort((a, b) => weight[b] - weight[a])
    .slice(0, VALUES)
    .sort((a, b) => a - b)
  return {
    kind: "levels",
    column,
    values: kept.map(v => String(values[v])),
    more: values.length - kept.length,
    each: drawn.map((_, g) => {
      const rows = counts[g].reduce((a, b) => a + b, 0)
      return {
        rows,
        shares: kept.map(v => (rows > 0 ? counts[g][v] / rows : 0)),
        probabilities: kept.map(v => learned[g]![v]),
      }
    }),
  }
}

function moments(values: Float64Array): { mean: number; sd: number } {
  const mean = values.reduce((a, b) => a + b, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, sd: Math.sqrt(squares / values.length) }
}
