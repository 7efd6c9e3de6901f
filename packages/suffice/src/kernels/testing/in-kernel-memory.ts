/** Columns and scores as the door and questions have them: in the memory of the kernels. */
import { fastKernels } from "../twins.ts"

/** Copies of columns for as long as `use` takes, amid other rows. */
export function withColumns<T>(
  columns: readonly Float64Array[],
  use: (lent: readonly Float64Array[]) => T,
): T {
  const owner = {}
  const rows = columns[0].length
  const memory = fastKernels()!.columns
  const lent = memory.lend(owner, columns.length, rows + 96)!
  try {
    return use(
      columns.map((column, j) => {
        lent[j].fill(Number.NaN)
        lent[j].set(column, 32)
        return memory.cut(lent[j], 32, 32 + rows)
      }),
    )
  } finally {
    memory.release(owner)
  }
}

/** A copy of scores for as long as `use` takes, and then back. */
export function withScores(numbers: Float64Array, use: (scores: Float64Array) => void): void {
  const scores = fastKernels()!.scores(numbers.length)
  scores.set(numbers)
  use(scores)
  numbers.set(scores)
}
