/**
 * The one switch between the twins. WebAssembly is made at the first need, where the engine has it with SIMD; else, or where it is
 * refused (a page's security policy), the TypeScript twins do the same work.
 */
import { SufficeError, show } from "../../errors.ts"
import { fromBase64 } from "../base64.ts"
import { fastKernels, type Kernels, setFastKernels } from "../twins.ts"
import { type BagExports, wasmBags } from "./bags.ts"
import type { Exports } from "./exports.ts"
import { PAGE } from "./memory.ts"
import { MODULE } from "./module.ts"
import { NEAR, Near } from "./near.ts"
import { nearRows } from "./near-rows.ts"
import { type RunExports, wasmRuns } from "./runs.ts"
import { type SumExports, WasmSums } from "./slot-sums.ts"
import { type TogetherExports, wasmTogether } from "./together.ts"
import { wasmRoom } from "./words.ts"

/** The two twins: WebAssembly, and the TypeScript it was made after. */
export type KernelChoice = "wasm" | "typescript"

let chosen: KernelChoice | undefined
let made: Kernels | "refused" | undefined

/** Which twins do the work in models that are fitted or loaded from now on. Both give the same bits; wasm is faster. */
export function useKernels(choice: KernelChoice): void {
  if (choice !== "wasm" && choice !== "typescript") {
    throw new SufficeError(
      "option",
      `useKernels: the kernels are ${show(choice)}. They are "wasm" or "typescript". Name one of the two.`,
      { option: "kernels", value: choice },
    )
  }
  if (choice === "wasm" && make() === "refused") {
    throw new SufficeError(
      "option",
      'useKernels: this engine runs no WebAssembly with SIMD. The fast kernels are made of it. Use "typescript", whose results are the same.',
      { option: "kernels", value: choice },
    )
  }
  chosen = choice
  prepareKernels()
}

/** As `useKernels`, but what does not run here is done in TypeScript: for workers, which do as they are told. */
export function preferKernels(choice: KernelChoice): void {
  chosen = choice
  prepareKernels()
}

/** Puts the chosen twins to work, wasm where none were chosen and it runs; returns which they are. */
export function prepareKernels(): KernelChoice {
  const kernels = chosen === "typescript" ? "refused" : make()
  setFastKernels(kernels === "refused" ? undefined : kernels)
  return kernelsInUse()
}

export function kernelsInUse(): KernelChoice {
  return fastKernels() ? "wasm" : "typescript"
}

function make(): Kernels | "refused" {
  made ??= instantiate() ?? "refused"
  return made
}

function instantiate(): Kernels | undefined {
  if (typeof WebAssembly === "undefined") return undefined
  const bytes = fromBase64(MODULE) as Uint8Array<ArrayBuffer>
  if (!WebAssembly.validate(bytes)) return undefined
  try {
    const module = new WebAssembly.Module(bytes)
    // Memory that grows takes its arrays away, and from then on engines check every array of the program wherever it is read: a third more time.
    const memory = (bytes: number) => new WebAssembly.Memory({ initial: 1 + Math.ceil(bytes / PAGE) })
    const instance = (bytes: number) =>
      new WebAssembly.Instance(module, { env: { memory: memory(bytes) } }).exports as unknown as Exports &
        BagExports &
        RunExports &
        SumExports &
        TogetherExports
    const near = new Near(instance(NEAR))
    return {
      ...nearRows(instance, near),
      near,
      sumRuns: wasmRuns(near),
      openSums: () => new WasmSums(near),
      together: wasmTogether(near),
      openRoom: (...size) => wasmRoom(instance, ...size),
      openBags: (...size) => wasmBags(instance, ...size),
    }
  } catch {
    return undefined
  }
}
