/**
 * The cells of a wide block row by row. A mini-batch takes a few rows at random: column by column, every cell of them lies in another line of the processor's
 * cache; here a row is one stretch.
 */
import type { Block } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"

/** From here on rows side by side are worth their memory, which is that of the table once more. */
const WIDE = 128

/** Are there many columns, all of numbers, counts and codes? */
export function isWide(columns: readonly Column[]): boolean {
  return columns.length >= WIDE && columns.every(({ kind }) => kind !== "bag" && kind !== "steps")
}

/** As long as the block lives: every pass over a table in memory asks again. */
const copies = /* @__PURE__ */ new WeakMap<Block, Float64Array>()

/** Cell i of the column at `place` stands at i·columns + place; codes are numbers, too. */
export function rowMajor(block: Block): Float64Array {
  const known = copies.get(block)
  if (known) return known
  const { rows, cells } = block
  const width = cells.length
  const copy = new Float64Array(rows * width)
  for (let place = 0; place < width; place++) {
    const held = cells[place] as Float64Array | Int32Array
    for (let i = 0, at = place; i < rows; i++, at += width) copy[at] = held[i]
  }
  copies.set(block, copy)
  return copy
}
