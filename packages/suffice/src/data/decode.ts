/** The way out: held values become cells again, in the units and types they came in. */
import type { Bags, Block, Cell, Column, Held } from "../contract.ts"

/** A held number in the units of its column. */
export function outOf(column: Column, held: number): number {
  return column.kind === "number" ? column.shift + column.scale * held : held
}

/** Is the cell of this row missing? */
export function isHole(column: Column, held: Held, row: number): boolean {
  if (column.kind === "level") return (held as Int32Array)[row] < 0
  if (column.kind === "bag") {
    const { offsets, missing } = held as Bags
    return column.text.empty ? missing?.[row] === 1 : offsets[row] === offsets[row + 1]
  }
  return Number.isNaN((held as Float64Array)[row])
}

/** The cell of one row; null where it is missing. */
export function cellOf(column: Column, held: Held, row: number): Cell {
  if (column.kind === "bag") return bagOf(column.words, held as Bags, row)
  if (isHole(column, held, row)) return null
  if (column.kind === "level") return column.levels[(held as Int32Array)[row]]
  return outOf(column, (held as Float64Array)[row])
}

function bagOf(words: readonly string[], { offsets, words: codes, counts }: Bags, row: number): Cell {
  const bag = new Map<string, number>()
  for (let t = offsets[row]; t < offsets[row + 1]; t++) {
    const word = words[codes[t]]
    bag.set(word, (bag.get(word) ?? 0) + counts[t])
  }
  return Object.fromEntries(bag)
}

/** A block of one row in which nothing is seen yet; bags have room for `length` words. */
export function emptyRow(columns: readonly Column[], length: number): Block {
  return {
    rows: 1,
    weight: Float64Array.of(1),
    cells: columns.map((column): Held => {
      if (column.kind === "level") return Int32Array.of(-1)
      if (column.kind !== "bag") return Float64Array.of(NaN)
      return {
        offsets: new Int32Array(2),
        words: new Int32Array(length),
        counts: new Float64Array(length),
        missing: [1],
      }
    }),
  }
}

/** Row `row` of a block as a block of its own, to be written to; empty bags have room for `length` words. */
export function rowOf(columns: readonly Column[], block: Block, row: number, length: number): Block {
  const fresh = emptyRow(columns, length)
  return {
    rows: 1,
    weight: fresh.weight,
    cells: columns.map((column, place) => {
      const held = block.cells[place]
      if (column.kind === "level") return Int32Array.of((held as Int32Array)[row])
      if (column.kind !== "bag") return Float64Array.of((held as Float64Array)[row])
      if (isHole(column, held, row)) return fresh.cells[place]
      const { offsets, words, counts } = held as Bags
      const [from, to] = [offsets[row], offsets[row + 1]]
      return {
        offsets: Int32Array.of(0, to - from),
        words: words.slice(from, to),
        counts: counts.slice(from, to),
      }
    }),
  }
}
