/** Tables in memory: joining and slicing batches of columns, and turning them into rows. */
import { type Cell, type Columns, dice, type Row } from "suffice"

/** A restartable source of batches of columns. */
export type ColumnSource = AsyncIterable<Columns>

export function rowCount(columns: Columns): number {
  for (const name in columns) return columns[name].length
  return 0
}

/** All rows of a source, or `undefined` if there are more than `most`. */
export async function gathered(
  source: AsyncIterable<unknown>,
  most = Number.POSITIVE_INFINITY,
  seen?: (rows: number) => void,
): Promise<Columns | undefined> {
  const batches: Columns[] = []
  let rows = 0
  for await (const batch of source) {
    const columns = batch as Columns
    batches.push(columns)
    rows += rowCount(columns)
    seen?.(rowCount(columns))
    if (rows > most) return undefined
  }
  return joined(batches)
}

/** Concatenates batches. */
export function joined(batches: readonly Columns[]): Columns {
  if (batches.length === 0) return {}
  const rows = batches.reduce((sum, batch) => sum + rowCount(batch), 0)
  return Object.fromEntries(
    Object.keys(batches[0]).map(name => {
      if (batches.every(batch => batch[name] instanceof Float64Array)) {
        const cells = new Float64Array(rows)
        let at = 0
        for (const batch of batches) {
          cells.set(batch[name] as Float64Array, at)
          at += batch[name].length
        }
        return [name, cells]
      }
      return [name, batches.flatMap(batch => Array.from(batch[name] as ArrayLike<Cell>))]
    }),
  )
}

/** Rows as objects; NaN is a missing cell. */
export function rowsOf(columns: Columns, from = 0, to = rowCount(columns)): Row[] {
  const names = Object.keys(columns)
  const rows: Row[] = []
  for (let i = from; i < Math.min(to, rowCount(columns)); i++) {
    rows.push(Object.fromEntries(names.map(name => [name, plainCell(columns[name][i])])))
  }
  return rows
}

export function plainCell(cell: Cell): Cell {
  return cell === undefined || (typeof cell === "number" && Number.isNaN(cell)) ? null : cell
}

/** The rows at these indices, in the same shape. */
export function picked(columns: Columns, places: ArrayLike<number>): Columns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, cells]) => {
      const some =
        cells instanceof Float64Array ? new Float64Array(places.length) : new Array<Cell>(places.length)
      for (let i = 0; i < places.length; i++) some[i] = cells[places[i]] as number
      return [name, some]
    }),
  )
}

/** A random share of the rows; the same ones for the same seed. */
export function thinned(source: ColumnSource, share: number, seed: number): ColumnSource {
  return {
    async *[Symbol.asyncIterator]() {
      const draws = dice(seed)
      for await (const batch of source) {
        const places = Array.from({ length: rowCount(batch) }, (_, i) => i).filter(
          () => draws.uniform() < share,
        )
        if (places.length > 0) yield picked(batch, places)
      }
    },
  }
}

/** The same source, reporting how many rows have been read. */
export function counted(source: AsyncIterable<unknown>, seen: (rows: number) => void): ColumnSource {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const batch of source) {
        seen(rowCount(batch as Columns))
        yield batch as Columns
      }
    },
  }
}
