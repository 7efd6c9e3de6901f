/** A long table becomes sequences: one row for each, with its steps in a list, and each step with the number of its row. */
import { type Cell, type Columns, type Row, sequences } from "suffice"
import { split } from "suffice/measure"
import type { FileTable } from "suffice-files"
import { checkColumn } from "../data.ts"
import { many } from "../format.ts"
import { type ColumnSource, gathered, rowCount } from "../tabular.ts"

/** The column that holds the steps, where the command makes the model. */
export const STEPS = "steps"
/** In each step, the number of its row in the data, from 1; no table has a column of this name. */
export const ROW = "\u0000row"

export interface Cut {
  readonly sequence?: string
  readonly order?: string
}

/** Sequences as columns, each cell of `steps` a list of rows. */
export interface Sequences {
  readonly columns: Columns
  /** The column of the steps. */
  readonly steps: string
  readonly count: number
  readonly length: number
}

/** Reads these columns, and puts the steps of each sequence together. All of them are held in memory. */
export async function sequencesIn(
  table: FileTable,
  wanted: readonly string[],
  { sequence, order }: Cut,
  {
    keep = [],
    steps = STEPS,
    prepared = batch => batch,
    seen,
  }: {
    readonly keep?: readonly string[]
    readonly steps?: string
    readonly prepared?: (batch: Columns) => Columns
    readonly seen?: (rows: number) => void
  } = {},
): Promise<Sequences> {
  for (const [option, column] of Object.entries({ "--sequence": sequence, "--order": order }))
    if (column !== undefined) checkColumn(table, option, column)
  const cut = [sequence, order].filter(column => column !== undefined)
  const read = table.read([...new Set([...cut, ...keep, ...wanted])]) as ColumnSource
  const all = prepared(((await gathered(read, undefined, seen)) as Columns) ?? {})
  const rows = rowCount(all)
  const numbered = { ...all, [ROW]: Float64Array.from({ length: rows }, (_, i) => i + 1) }
  const made =
    rows === 0
      ? []
      : sequences(numbered, {
          ...(sequence !== undefined && { by: sequence }),
          ...(order !== undefined && { order }),
          ...(keep.length > 0 && { keep }),
          column: steps,
        })
  return ofRows(made, steps)
}

/** Rows with steps, as columns. */
export function ofRows(rows: readonly Row[], steps: string): Sequences {
  const names = Object.keys(rows[0] ?? { [steps]: [] })
  const columns = Object.fromEntries(names.map(name => [name, rows.map(row => row[name] as Cell)]))
  const length = rows.reduce((sum, row) => sum + stepsOf(row[steps]).length, 0)
  return { columns, steps, count: rows.length, length }
}

/** The steps in a cell. */
export function stepsOf(cell: Cell): readonly Row[] {
  return (cell ?? []) as unknown as readonly Row[]
}

/** "600 steps in 20 sequences" */
export function sizeText({ count, length }: Pick<Sequences, "count" | "length">): string {
  return `${many(length, "step")} in ${many(count, "sequence")}`
}

/** With fewer, the end of each is held out instead of some of them. */
const FEW = 5

/** Whole sequences that are not learned from; of a few long ones, their ends. */
export function splitSequences(
  all: Sequences,
  share: number,
  { label, seed }: { readonly label?: string | undefined; readonly seed: number },
): { readonly train: Sequences; readonly test: Sequences } {
  const { columns, steps, count } = all
  const sized = (part: Columns): Sequences => ({
    columns: part,
    steps,
    count: rowCount(part),
    length: Array.from(part[steps] as ArrayLike<Cell>).reduce<number>(
      (sum, cell) => sum + stepsOf(cell).length,
      0,
    ),
  })
  if (share === 0)
    return { train: all, test: sized(Object.fromEntries(Object.keys(columns).map(name => [name, []]))) }
  if (count < FEW && label === undefined) {
    const ends = (first: boolean): Columns => ({
      ...columns,
      [steps]: Array.from(columns[steps] as ArrayLike<Cell>, cell => {
        const own = stepsOf(cell)
        const at = Math.max(Math.round((1 - share) * own.length), 1)
        return (first ? own.slice(0, at) : own.slice(at)) as unknown as Cell
      }),
    })
    return { train: sized(ends(true)), test: sized(ends(false)) }
  }
  const { train, test } = split(columns, {
    test: share,
    ...(label !== undefined && { stratify: label }),
    seed,
  })
  return { train: sized(train), test: sized(test) }
}
