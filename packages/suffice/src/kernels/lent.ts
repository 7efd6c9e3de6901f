/** Columns of numbers as the door holds them for one chunk, and scores as questions have them: in the memory of the kernels. */
import { fastKernels } from "./twins.ts"

/** Copies for as long as `use` takes, amid other rows. */
export function withLent<T>(columns: readonly Float64Array[], use: (lent: readonly Float64Array[]) => T): T {
  const owner = {}
  const rows = columns[0].length
  const room = fastKernels()!.near.lend(owner, columns.length, rows + 96)!
  try {
    return use(
      columns.map((column, j) => {
        room[j].numbers.fill(Number.NaN)
        room[j].numbers.set(column, 32)
        return room[j].cut(32, 32 + rows)
      }),
    )
  } finally {
    fastKernels()!.near.release(owner)
  }
}

/** A copy, as long as `use` takes, and then back; the numbers themselves, where there is no room for so many. */
export function withLentScores(numbers: Float64Array, use: (scores: Float64Array) => void): void {
  const { near } = fastKernels()!
  const lent = near.lendScores(numbers.length)
  if (!lent) {
    use(numbers)
    return
  }
  try {
    lent.set(numbers)
    use(lent)
    numbers.set(lent)
  } finally {
    near.release(lent)
  }
}
