/** A column that a question does not have: one of missing cells, or a mistake. */
import type { Cell } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import { nearest } from "../errors.ts"
import type { Schema } from "./discover.ts"
import { sourcesOf } from "./lagged.ts"
import { type Batch, slicesOf, unknownColumn } from "./read.ts"
import { cellsWithin, namesWithin, notInSteps } from "./steps.ts"

/**
 * A column that no row has is one of missing cells. Refused is what looks like a mistake: a column of the data that the model does not know and whose name is
 * nearly the same, data in which the model knows no column at all, and rows that inherit the column, as instances with getters do.
 */
export function checkAbsent(schema: Schema, columns: readonly string[], data: Batch): void {
  const absent = new Set(columns)
  const named = new Set<string>()
  for (const slice of slicesOf(data)) {
    for (const column of absent) if (slice.cells(column)) absent.delete(column)
    for (const name of slice.names()) named.add(name)
  }
  const known = new Set(schema.columns.map(({ name }) => name))
  const others = [...named].filter(name => !known.has(name))
  const isForeign = named.size > 0 && others.length === named.size
  for (const column of absent) {
    if (isForeign || others.some(name => isMisspelt(name, column)) || isInherited(data, column)) {
      throw unknownColumn(column, named, " If it is missing in every row, put null in its cells.")
    }
  }
}

/** The same of a column of steps; `path`: the columns of steps, from outside, and the one that no step of some rows has. */
export function checkAbsentInSteps(schema: Schema, path: readonly string[], data: Batch): void {
  let columns: readonly Column[] = schema.columns
  let cells: ArrayLike<Cell>[] = []
  for (const slice of slicesOf(data)) cells.push(slice.cells(path[0]) ?? [])
  for (const [depth, name] of path.slice(0, -1).entries()) {
    const steps = columns.find(column => column.name === name)
    columns = steps?.kind === "steps" ? steps.columns : []
    if (depth > 0) cells = cells.map(some => cellsWithin(some, name))
  }
  const named = new Set(cells.flatMap(some => [...namesWithin(some)]))
  const [column, steps] = [path[path.length - 1], path[path.length - 2]]
  if (named.has(column)) return
  const known = sourcesOf(columns, schema)
  const others = [...named].filter(name => !known.has(name))
  const isForeign = named.size > 0 && others.length === named.size
  const isAnother = (wanted: string): boolean => others.some(name => isMisspelt(name, wanted))
  if (!isForeign && !isAnother(column)) return
  // of all columns that are absent, the one that is there under another name
  throw notInSteps([...known].find(isAnother) ?? column, steps, named)
}

function isInherited(data: Batch, column: string): boolean {
  return Array.isArray(data) && !(column in Object.prototype) && data.some(row => column in row)
}

/** Another spelling of the same name: other case, blanks or signs, or a slip in a long one. x1 and x2 are two names. */
function isMisspelt(name: string, column: string): boolean {
  const [one, other] = [name, column].map(each => each.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""))
  if (one === other) return true
  const digits = (each: string): string => each.replace(/[^\p{N}]/gu, "")
  return other.length >= LONG && digits(one) === digits(other) && nearest(other, [one]).length > 0
}

const LONG = 6
