/** Data in memory, whichever shape it has: one column of it, some rows of it. */
import type { Cell, Columns, Row } from "../contract/cells.ts"
import { didYouMean, list, nearest, SufficeError, show } from "../errors.ts"
import { type Batch, type Data, isSource, slicesOf } from "./read.ts"

/** Returns rows and columns unchanged; throws for a source. */
export function inMemory(where: string, data: Data): Batch {
  if (!isSource(data)) return data
  throw new SufficeError(
    "data",
    `${where}: the data is a source. All rows are needed at once. Read the source into rows first.`,
  )
}

/** The number of rows; also checks the shape. */
export function rowCount(batch: Batch): number {
  let rows = 0
  for (const slice of slicesOf(batch)) rows += slice.rows
  return rows
}

/** The cells of one column, missing where a row lacks it; an error if no row has it. `role`: what the caller calls it in messages. */
export function columnOf(where: string, batch: Batch, column: string, role: string): Cell[] {
  const cells: Cell[] = []
  const names = new Set<string>()
  let there = false
  for (const slice of slicesOf(batch)) {
    const found = slice.cells(column)
    for (let i = 0; i < slice.rows; i++) cells.push(found?.[i])
    for (const name of slice.names()) names.add(name)
    there ||= found !== undefined
  }
  if (there) return cells
  const near = nearest(column, names)
  throw new SufficeError(
    "column",
    `${where}: ${role} ${show(column)} is not in the data. The data has ${names.size > 0 ? list(names) : "no columns"}. ${didYouMean(near, "Add it, or name another column.")}`,
    { column, columns: [...names], nearest: near },
  )
}

/** These rows, in this order, in the shape of the data. */
export function take(batch: Batch, rows: ArrayLike<number>): Batch {
  if (Array.isArray(batch)) return Array.from(rows, i => (batch as readonly Row[])[i])
  return Object.fromEntries(
    Object.entries(batch as Columns).map(([name, cells]) => [name, takeCells(cells, rows)]),
  )
}

/** Keeps the kind of a typed array. */
function takeCells(cells: ArrayLike<Cell>, rows: ArrayLike<number>): ArrayLike<Cell> {
  if (!ArrayBuffer.isView(cells)) return Array.from(rows, i => cells[i])
  const Kind = cells.constructor as new (length: number) => Cell[]
  const taken = new Kind(rows.length)
  for (let j = 0; j < rows.length; j++) taken[j] = cells[rows[j]]
  return taken
}

/** The same data with one column set to these cells. */
export function withColumn(batch: Batch, column: string, cells: readonly Cell[]): Batch {
  if (Array.isArray(batch)) return (batch as readonly Row[]).map((row, i) => ({ ...row, [column]: cells[i] }))
  return { ...(batch as Columns), [column]: cells }
}
