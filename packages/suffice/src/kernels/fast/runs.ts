/** Runs of numbers, copied in and summed there. */
import { RUN } from "../run-sums.ts"
import type { Kernels } from "../twins.ts"
import type { Near, NearExports } from "./near.ts"

/** What assembly/runs.ts exports. Places are bytes. */
export interface RunExports extends NearExports {
  sumRuns(values: number, runs: number, inverse: number, out: number): void
}

/** At most a slice of a column at a time: there is room for it. */
export function wasmRuns(near: Near<RunExports>): Kernels["sumRuns"] {
  return (values, from, runs, inverse, out) => {
    const { wasm, numbers, start } = near.beside
    const count = runs * RUN
    const end = start + count
    numbers.set(values.length === count ? values : values.subarray(from, from + count), start)
    wasm.sumRuns(8 * start, runs, inverse, 8 * end)
    for (let j = 0; j < 3 * runs; j++) out[j] = numbers[end + j]
  }
}
