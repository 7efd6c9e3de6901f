/** Columns of numbers as the door holds them for one chunk: in the memory of the kernels, amid those of other rows. */
import { fastKernels } from "../kernels/twins.ts"

/** Copies for as long as `use` takes. */
export function withLent<T>(columns: readonly Float64Array[], use: (lent: readonly Float64Array[]) => T): T {
  const owner = {}
  const rows = columns[0].length
  const room = fastKernels()!.lend(owner, columns.length, rows + 96)!
  try {
    return use(
      columns.map((column, j) => {
        const { numbers } = room[j]
        numbers.fill(Number.NaN)
        numbers.set(column, 32)
        return numbers.subarray(32, 32 + rows)
      }),
    )
  } finally {
    fastKernels()!.release(owner)
  }
}
