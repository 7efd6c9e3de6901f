/**
 * Rows are pinned before several kernels use them: the fast twin copies them into its memory, unless they are there, and reads them from there as long as
 * it is given the same array of columns. Rows that have changed must be pinned again. The twin here only looks for missing cells: a sum is NaN
 * if one is missing (or if it contains ∞ − ∞).
 */

/**
 * The stride of columns in the memory of fast kernels, in numbers: the rows of a block and one more cache line, so that columns do not map to
 * the same cache sets. assembly/diagonal.ts relies on it.
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
