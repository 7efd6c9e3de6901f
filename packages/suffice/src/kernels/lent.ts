/** Columns of numbers as the door holds them for one chunk: in the memory of the kernels, amid those of other rows. */
import { fastKernels } from "./twins.ts"

/** Copies for as long as `use` takes. */
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
