/**
 * Rows kept from learning, so that quality is measured honestly. A table that fits is split in proportion to its labels; of a
 * longer one each row is held out by chance as it streams by, by the same dice in every pass.
 */
import { type Columns, dice, split } from "suffice"
import { type ColumnSource, picked, rowCount } from "./tabular.ts"

/** Tables up to this many rows are held in memory. */
export const IN_MEMORY = 100_000
/** Enough for an accuracy to half a per cent: 1.96 · √(¼ / 50,000) = 0.44 %. */
export const MOST_HELD_OUT = 50_000

export function splitTable(
  table: Columns,
  share: number,
  label: string,
  seed: number,
): { train: Columns; test: Columns } {
  return split(table, { test: share, stratify: label, seed })
}

/** Both parts are sources that can be read again. */
export function splitStream(
  source: ColumnSource,
  rows: number,
  share: number,
  seed: number,
): { train: ColumnSource; test: ColumnSource } {
  const chance = Math.min(share, MOST_HELD_OUT / rows)
  const part = (held: boolean): ColumnSource => ({
    async *[Symbol.asyncIterator]() {
      const die = dice(seed)
      for await (const batch of source) {
        const places: number[] = []
        const count = rowCount(batch)
        for (let i = 0; i < count; i++) if (die.uniform() < chance === held) places.push(i)
        if (places.length > 0) yield picked(batch, places)
      }
    },
  })
  return { train: part(false), test: part(true) }
}
