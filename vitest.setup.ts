/** SUFFICE_KERNELS=typescript (or wasm) runs the tests on these kernels; without it the core chooses, as it does for everyone. */
const { SUFFICE_KERNELS } = process.env
if (SUFFICE_KERNELS) {
  const { useKernels } = await import("./packages/suffice/src/kernels/fast/use.ts")
  useKernels(SUFFICE_KERNELS as "wasm" | "typescript")
}
