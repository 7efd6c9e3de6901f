/**
 * Rows are pinned before several kernels use them: the fast twin copies them to where it computes, unless they lie there, and takes them from there
 * for as long as it is given the same array of columns. Pin them anew when they have changed. A sum is NaN if a cell is missing (or if ∞ − ∞ is in
 * it).
 */

/**
 * From column to column in the memory of fast kernels, in numbers: the rows of a block, and a line of the
 * cache more, so that columns do not fall into the same sets. assembly/diagonal.ts counts on it.
 */
export const COLUMN = 488

/** Is no cell of these columns missing? */
export function pin(x: readonly Float64Array[], rows: number, d: number): boolean {
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
