/** The kernels over rows, twice: for rows that stand in the near memory, and for others, which are copied. */
import { triangle } from "../triangle.ts"
import type { NormalKernels } from "../twins.ts"
import type { Exports } from "./exports.ts"
import { wasmKernels } from "./kernels.ts"
import { Memory } from "./memory.ts"
import { BESIDE, type Near, type NearExports } from "./near.ts"

type OverRows =
  | "scoreDense"
  | "scoreLines"
  | "absorbDense"
  | "absorbList"
  | "scoreDiagonal"
  | "absorbDiagonal"
type Kernel = (...given: [x: readonly Float64Array[], rows: number, d: number, ...more: unknown[]]) => void

export function nearRows(open: (bytes: number) => Exports, near: Near<Exports & NearExports>): NormalKernels {
  const far = wasmKernels(new Memory(open(8 * BESIDE)))
  const kernels = wasmKernels(near.beside, near)
  /** The rows that were held last, where they stand near. */
  let held: readonly Float64Array[] | undefined

  const choosing = <Name extends OverRows>(name: Name): NormalKernels[Name] =>
    ((x, rows, d, ...more) => {
      // what is put beside them has its room: four times as much as the scores or the matrices of all slots, at most; a list is that of one slot
      const slots = typeof more[0] === "number" ? more[0] : 1
      const isNear = x === held && slots * Math.max(rows, triangle(d)) <= BESIDE / 4
      const kernel = (isNear ? kernels : far)[name] as Kernel
      kernel(x, rows, d, ...more)
    }) as Kernel as NormalKernels[Name]

  return {
    ...far,
    hold(x, rows, d) {
      held = near.strideOf(x) > 0 ? x : undefined
      if (!held) return far.hold(x, rows, d)
      far.hold(x, 0, 0) // what it held in the same array is out of date
      return kernels.hold(x, rows, d)
    },
    scoreDense: choosing("scoreDense"),
    scoreLines: choosing("scoreLines"),
    absorbDense: choosing("absorbDense"),
    absorbList: choosing("absorbList"),
    scoreDiagonal: choosing("scoreDiagonal"),
    absorbDiagonal: choosing("absorbDiagonal"),
    bestRows: (scores, ...more) => (near.scoresAt(scores) < 0 ? far : kernels).bestRows(scores, ...more),
    posteriorRows: (scores, ...more) =>
      (near.scoresAt(scores) < 0 ? far : kernels).posteriorRows(scores, ...more),
  }
}
