/**
 * Rows on their way into the kernels: the twin in wasm copies them to where it computes, and there they stay for whatever is asked of them
 * next. Call it anew when they have changed. A sum is NaN if a cell is missing (or if ∞ − ∞ is in it).
 */
import type { Block } from "../contract.ts"

/**
 * From column to column of a block that is whole, and of those in wasm, in numbers: the rows of a block, and a line of the
 * cache more, so that columns do not fall into the same sets. assembly/diagonal.ts counts on it.
 */
export const COLUMN = 488

/** Is the part of a block that a leaf takes whole? Its columns are asked where they stand: some may have been replaced by others. */
export function wholeOf(places: readonly number[]): (block: Block) => boolean {
  return ({ isWhole, cells }) => {
    if (!isWhole) return false
    const { buffer, byteOffset } = cells[places[0]] as Float64Array
    for (let j = 1; j < places.length; j++) {
      const cell = cells[places[j]] as Float64Array
      if (cell.buffer !== buffer || cell.byteOffset !== byteOffset + 8 * COLUMN * j) return false
    }
    return true
  }
}

/** Is no cell of these columns missing? `isWhole`: that is known. */
export function hold(x: readonly Float64Array[], rows: number, d: number, isWhole?: boolean): boolean {
  if (isWhole) return true
  for (let j = 0; j < d; j++) {
    const cells = x[j]
    let a = 0
    let b = 0
    let c = 0
    let e = 0
    let i = 0
    for (; i + 3 < rows; i += 4) {
      a += cells[i]
      b += cells[i + 1]
      c += cells[i + 2]
      e += cells[i + 3]
    }
    for (; i < rows; i++) a += cells[i]
    const sum = a + b + (c + e)
    if (sum !== sum) return false
  }
  return true
}
