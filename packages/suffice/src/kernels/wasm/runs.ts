/** Runs of numbers, copied in and summed there. */
import { RUN } from "../run-sums.ts"
import type { Kernels } from "../twins.ts"
import { Memory, type WithMemory } from "./memory.ts"

/** What assembly/runs.ts exports. Places are bytes. */
export interface RunExports extends WithMemory {
  sumRuns(values: number, runs: number, inverse: number, out: number): void
}

export function wasmRuns(open: () => RunExports): Kernels["sumRuns"] {
  let made: Memory<RunExports> | undefined
  return (values, from, runs, inverse, out) => {
    made ??= new Memory(open())
    const count = runs * RUN
    const at = made.begin(count + 3 * runs)
    const { numbers } = made
    numbers.set(values.length === count ? values : values.subarray(from, from + count), at)
    made.wasm.sumRuns(8 * at, runs, inverse, 8 * (at + count))
    for (let j = 0; j < 3 * runs; j++) out[j] = numbers[at + count + j]
  }
}
