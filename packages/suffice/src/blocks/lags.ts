/** Lagged columns of steps: x@-1 is the cell of x one step before. They are made at the door, and only read. */
import type { Block } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"

/** The column, and the distance to its step: −1 is the one before. */
export interface Lag {
  readonly of: string
  readonly at: number
}

/** What the name of a lagged column says. */
export function lagOf(name: string): Lag | undefined {
  const found = /^(.+)@([+-]?\d+)$/.exec(name)
  return found ? { of: found[1], at: Number(found[2]) } : undefined
}

/** Does a column of steps lie in an earlier step? */
export function isLagged(name: string): boolean {
  return (lagOf(name)?.at ?? 0) < 0
}

/** The longest lag of these columns of steps; 0: there is none. */
export function longestLag(columns: readonly Column[]): number {
  return Math.max(0, ...columns.map(({ name }) => -(lagOf(name)?.at ?? 0)))
}

/** Fills the lagged cells of step t from the cells of earlier steps, where those have been drawn since. The block is one row's. */
export function carrier(columns: readonly Column[]): (steps: Block, t: number) => void {
  const lags = columns.flatMap((column, place) => {
    const lag = lagOf(column.name)
    const from = columns.findIndex(({ name }) => name === lag?.of)
    const own = columns[from]
    if (!lag || column.kind !== "number" || own?.kind !== "number") return []
    return [
      {
        place,
        from,
        at: lag.at,
        factor: own.scale / column.scale,
        shift: (own.shift - column.shift) / column.scale,
      },
    ]
  })
  return ({ cells }, t) => {
    for (const { place, from, at, factor, shift } of lags) {
      const lagged = cells[place] as Float64Array
      if (t + at >= 0 && Number.isNaN(lagged[t]))
        lagged[t] = shift + factor * (cells[from] as Float64Array)[t + at]
    }
  }
}
