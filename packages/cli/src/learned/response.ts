/**
 * What a model says of a number as one column moves:
 *
 *     E[ target | column = x ],  with the interval it gives
 *
 * Nothing else is known of the row; but a regression must be told every column it reads, so these are at their means. Columns are told apart by the share of the target's variance that this line explains by itself, over the rows.
 */
import { type Cell, type Columns, SufficeError } from "suffice"
import type { LooseFitted } from "../loose.ts"
import { plainCell } from "../tabular.ts"

export interface LearnedResponse {
  readonly column: string
  /** The share of the variance of the target that the column explains by itself, as the model has it. */
  readonly explains: number
  /** Along a number, or one for each level. */
  readonly line: readonly {
    readonly x: Cell
    readonly value: number
    readonly low: number
    readonly high: number
  }[]
  /** Rows to draw beside it; none where the column has levels. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

const ALONG = 25
const ROWS = 400
const LEVELS = 12

/** The columns that must be known, at their means: those that a regression reads. */
export function readMeans(fitted: LooseFitted, data: Columns): Record<string, number> {
  const read = fitted.model.uses.filter(({ column, role }) => role === "read" && Object.hasOwn(data, column))
  return Object.fromEntries(
    read.map(({ column }) => {
      const seen = Array.from(data[column] as ArrayLike<number>).filter(Number.isFinite)
      return [column, seen.reduce((a, b) => a + b, 0) / seen.length]
    }),
  )
}

/** Undefined where nothing is seen, or the model cannot be asked so. `known`: the cells of other columns. */
export function learnedResponse(
  fitted: LooseFitted,
  target: string,
  column: string,
  data: Columns,
  known: Readonly<Record<string, number>>,
): LearnedResponse | undefined {
  const pairs = seenPairs(data[column], data[target])
  if (pairs.length < 2) return undefined
  const said = (cells: readonly Cell[]): { value: number; low: number; high: number }[] => {
    const others = Object.entries(known).map(([name, x]) => [name, new Float64Array(cells.length).fill(x)])
    const question = { ...Object.fromEntries(others), [column]: cells }
    return fitted.predict(question, { target }).map(one => {
      const { value, interval } = one as unknown as { value: number; interval: readonly [number, number] }
      return { value, low: interval[0], high: interval[1] }
    })
  }
  try {
    const xs = pairs.map(({ x }) => x)
    const isNumber = xs.every(x => typeof x === "number")
    const cells = isNumber ? spread(xs as number[]) : mostFrequent(xs)
    return {
      column,
      explains: explained(
        said(xs).map(({ value }) => value),
        pairs.map(({ y }) => y),
      ),
      line: said(cells).map((one, i) => ({ x: cells[i], ...one })),
      points: isNumber ? (pairs as { x: number; y: number }[]) : [],
    }
  } catch (error) {
    if (error instanceof SufficeError) return undefined
    throw error
  }
}

/** 1 − Σ (y − said)² / Σ (y − ȳ)², at least 0. */
function explained(said: readonly number[], truths: readonly number[]): number {
  const mean = truths.reduce((a, b) => a + b, 0) / truths.length
  const around = truths.reduce((sum, y) => sum + (y - mean) ** 2, 0)
  const left = truths.reduce((sum, y, i) => sum + (y - said[i]) ** 2, 0)
  return around > 0 ? Math.max(0, 1 - left / around) : 0
}

/** Rows that hold both, evenly taken. */
function seenPairs(cells: ArrayLike<Cell>, targets: ArrayLike<Cell>): { x: Cell; y: number }[] {
  const pairs: { x: Cell; y: number }[] = []
  for (let i = 0; i < targets.length; i++) {
    const x = plainCell(cells[i])
    const y = plainCell(targets[i])
    if (x !== null && x !== undefined && typeof y === "number") pairs.push({ x, y })
  }
  const step = Math.max(1, pairs.length / ROWS)
  return Array.from({ length: Math.min(pairs.length, ROWS) }, (_, i) => pairs[Math.floor(i * step)])
}

function spread(values: readonly number[]): number[] {
  const [low, high] = values.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, -Infinity])
  if (low === high) return [low]
  return values.every(Number.isInteger) && high - low <= ALONG
    ? Array.from({ length: high - low + 1 }, (_, i) => low + i)
    : Array.from({ length: ALONG }, (_, i) => low + ((high - low) * i) / (ALONG - 1))
}

function mostFrequent(cells: readonly Cell[]): Cell[] {
  const counts = new Map<Cell, number>()
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, LEVELS)
    .map(([cell]) => cell)
    .sort()
}
