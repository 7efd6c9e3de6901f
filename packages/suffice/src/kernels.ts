/** `suffice/kernels`: which kernels compute, WebAssembly or TypeScript. Both give the same bits; unless told, the core takes WebAssembly where it runs. */

export { type KernelChoice, kernelsInUse, useKernels } from "./kernels/fast/use.ts"
