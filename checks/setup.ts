/**
 * Run before each test file. SUFFICE_KERNELS=typescript (or wasm) chooses the kernels; without it the core chooses. A file in a shared
 * process begins before any choice.
 */
import { afterAll } from "vitest"
import { processorSeconds } from "./tiers/processor.ts"

const { DURATIONS, SUFFICE_KERNELS } = process.env
if (DURATIONS === "write") {
  const before = processorSeconds()
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures of a hook from this pattern
  afterAll(({}, file) => {
    Object.assign(file.meta, { seconds: processorSeconds() - before })
  })
}

if (SUFFICE_KERNELS) {
  const { useKernels } = await import("../packages/suffice/src/kernels.ts")
  useKernels(SUFFICE_KERNELS as "wasm" | "typescript")
} else {
  const { setFastKernels } = await import("../packages/suffice/src/kernels/twins.ts")
  setFastKernels(undefined)
}
