/** The kernels over rows, twice: for rows that stand in the near memory, and for others, which are copied. */
import { triangle } from "../triangle.ts"
import type { NormalKernels } from "../twins.ts"
import type { Exports } from "./exports.ts"
import { wasmKernels } from "./kernels.ts"
import { BESIDE, type Near, type NearExports } from "./near.ts"

export function nearRows(open: () => Exports, near: Near<Exports & NearExports>): NormalKernels {
  const far = wasmKernels(open())
  let kernels: NormalKernels | undefined
  /** The rows that were held last, where they stand near. */
  let held: readonly Float64Array[] | undefined

  /** What is put beside rows with so many slots has its room: four times their matrices or scores at most. */
  function at(x: readonly Float64Array[], rows = 0, d = 0, slots = 0): NormalKernels {
    const isNear = x === held && slots * Math.max(rows, triangle(d)) <= BESIDE / 4
    return isNear ? kernels! : far
  }

  return {
    ...far,
    hold(x, rows, d, isWhole) {
      held = !isWhole && near.strideOf(x) > 0 ? x : undefined
      if (held) kernels ??= wasmKernels(near.beside(0).wasm, near)
      return at(x).hold(x, rows, d, isWhole)
    },
    scoreDense: (x, rows, d, slots, ...more) => at(x, rows, d, slots).scoreDense(x, rows, d, slots, ...more),
    scoreLines: (x, rows, d, slots, ...more) => at(x, rows, d, slots).scoreLines(x, rows, d, slots, ...more),
    absorbDense: (x, rows, d, slots, ...more) => at(x, rows, d, slots).absorbDense(x, rows, d, slots, ...more),
    absorbList: (x, ...more) => at(x).absorbList(x, ...more),
    scoreDiagonal: (x, rows, d, slots, ...more) =>
      at(x, rows, d, slots).scoreDiagonal(x, rows, d, slots, ...more),
    absorbDiagonal: (x, rows, d, slots, ...more) =>
      at(x, rows, d, slots).absorbDiagonal(x, rows, d, slots, ...more),
  }
}
