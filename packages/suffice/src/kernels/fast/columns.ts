/** Kernels for the door: moments of numeric columns, and their standardisation. */
import { type ColumnMemory, standardise } from "../columns.ts"
import { RUN } from "../run-sums.ts"
import type { Kernels } from "../twins.ts"
import type { RowMemory } from "./row-memory.ts"

/** Fewer numbers are not worth a call. */
const FEW = 64

export function columnKernels(memory: RowMemory): Pick<Kernels, "sumRuns" | "columns" | "scores"> {
  const { wasm, numbers } = memory.arena
  const { start } = memory.scratch
  const columns: ColumnMemory = {
    lend: (owner, columns, rows) => memory.lend(owner, columns, rows),
    cut: (column, from, to) => memory.cut(column, from, to),
    release: owner => memory.release(owner),
    standardise(values, from, end, to, at, measure, most) {
      const place = end - from < FEW ? -1 : memory.locate(to)
      if (place >= 0) {
        to.set(values.subarray(from, end), at)
        if (wasm.standardise(place + 8 * at, end - from, measure[0], measure[1], most)) return end
      }
      return standardise(values, from, end, to, at, measure, most)
    },
  }

  return {
    columns,
    scores: length => memory.scores(length),
    /** A slice of a column fits into the scratch. */
    sumRuns(values, from, runs, inverse, out) {
      const count = runs * RUN
      const end = start + count
      numbers.set(values.length === count ? values : values.subarray(from, from + count), start)
      wasm.sumRuns(8 * start, runs, inverse, 8 * end)
      for (let j = 0; j < 3 * runs; j++) out[j] = numbers[end + j]
    },
  }
}
