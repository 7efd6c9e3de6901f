/**
 * The one switch between the twins. The fast ones are instantiated on first use, if the engine has WebAssembly with SIMD and allows it (a page's
 * security policy may not); otherwise the TypeScript twins do the same work.
 */
import { SufficeError, show } from "../../errors.ts"
import { fromBase64 } from "../base64.ts"
import { fastKernels, type Kernels, setFastKernels } from "../twins.ts"
import { arenasOf } from "./arena.ts"
import { bagKernels } from "./bags.ts"
import { chainKernels } from "./chain.ts"
import { columnKernels } from "./columns.ts"
import { fusedKernels } from "./fused.ts"
import { MODULE } from "./module.ts"
import { ROW_MEMORY, RowMemory } from "./row-memory.ts"
import { rowKernels } from "./rows.ts"
import { FastSums } from "./slot-sums.ts"
import { documentKernels } from "./topics.ts"
import { openMoving } from "./words.ts"

/** The two twins: WebAssembly, and the TypeScript that it reproduces. */
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

/** As `useKernels`, falling back to TypeScript if wasm does not run: for workers, which follow their host. */
export function preferKernels(choice: KernelChoice): void {
  chosen = choice
  prepareKernels()
}

/** Activates the chosen twins, by default wasm if it runs; returns which they are. */
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
  let open: ReturnType<typeof arenasOf>
  try {
    open = arenasOf(new WebAssembly.Module(bytes))
  } catch {
    return undefined
  }
  const arena = open(ROW_MEMORY)
  if (!arena) return undefined
  const memory = new RowMemory(arena)
  return {
    ...rowKernels(memory),
    ...columnKernels(memory),
    ...fusedKernels(memory),
    ...bagKernels(open, memory),
    ...documentKernels(memory),
    ...chainKernels(memory),
    openSums: () => new FastSums(memory),
    openMoving: size => openMoving(open, size),
  }
}
