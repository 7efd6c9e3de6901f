/**
 * Rows kept from learning, so that quality is measured honestly. A table that fits in memory is split in proportion to its labels; of a longer one each
 * row is held out at random as it streams by, with the same dice in every pass.
 */
import { type Columns, dice } from "suffice"
import { split } from "suffice/measure"
import { type ColumnSource, joined, picked, rowCount } from "./tabular.ts"

/** Tables up to this many rows are held in memory. */
export const IN_MEMORY = 100_000
/** Enough for an accuracy to half a per cent: 1.96 · √(¼ / 50,000) = 0.44 %. */
export const MOST_HELD_OUT = 50_000

export function splitTable(
  table: Columns,
  share: number,
  /** Whose levels are held out in proportion; a number has none. */
  label: string | undefined,
  seed: number,
): { train: Columns; test: Columns } {
  return split(table, { test: share, ...(label !== undefined && { stratify: label }), seed })
}

/**
 * What is learned from is a source; what is held out is gathered while that source is read for the first time, so that no pass over
 * the file is needed for it.
 */
export function splitStream(
  source: ColumnSource,
  rows: number,
  share: number,
  seed: number,
): { train: ColumnSource; test(): Promise<Columns> } {
  const chance = Math.min(share, MOST_HELD_OUT / rows)
  let held: Columns[] | undefined
  const train: ColumnSource = {
    async *[Symbol.asyncIterator]() {
      const die = dice(seed)
      const gathering: Columns[] = []
      for await (const batch of source) {
        const count = rowCount(batch)
        const kept = new Int32Array(count)
        const out = new Int32Array(count)
        let keeping = 0
        for (let i = 0; i < count; i++) {
          if (die.uniform() < chance) out[i - keeping] = i
          else kept[keeping++] = i
        }
        if (!held && keeping < count) gathering.push(picked(batch, out.subarray(0, count - keeping)))
        if (keeping > 0) yield picked(batch, kept.subarray(0, keeping))
      }
      held ??= gathering
    },
  }
  return {
    train,
    async test() {
      if (!held) for await (const _ of train);
      return joined(held!)
    },
  }
}
