/**
 * SUFFICE_KERNELS=typescript (or wasm) runs the tests on these kernels; without it the core chooses, as it does for everyone. Each file begins
 * before a choice was made, also in a process that it shares.
 */
const { SUFFICE_KERNELS } = process.env
if (SUFFICE_KERNELS) {
  const { useKernels } = await import("../packages/suffice/src/kernels.ts")
  useKernels(SUFFICE_KERNELS as "wasm" | "typescript")
} else {
  const { setFastKernels } = await import("../packages/suffice/src/kernels/twins.ts")
  setFastKernels(undefined)
}
