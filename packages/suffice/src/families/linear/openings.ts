/** Steps that read earlier ones which are not there: those that open a sequence, or follow a gap. */
import { isLagged } from "../../blocks/lags.ts"
import { triangle } from "../../kernels/triangle.ts"
import type { NumberColumn } from "../normal/columns.ts"
import type { linearSlots } from "./slots.ts"

/** `x`: the cells of the columns that are read, as they stand in the block of the moment. */
export function openings(
  given: readonly NumberColumn[],
  { precision, mean, spread }: ReturnType<typeof linearSlots>,
  x: readonly Float64Array[],
) {
  const isLag = given.map(({ name }) => isLagged(name))
  const d = given.length

  /** Is all that row i lacks in earlier steps? Then its cell is conditioned on, as what comes before the first step is. */
  function isOpening(i: number): boolean {
    for (let j = 0; j < d; j++) if (x[j][i] !== x[j][i] && !isLag[j]) return false
    return true
  }

  /** ŷ and its variance; of cells in steps that are not there, the mean and the spread that the slot has seen. NaN if another column is missing. */
  function guessOf(params: Float64Array, at: number, i: number): { mean: number; variance: number } {
    const found = { mean: params[at], variance: 1 / params[at + precision] }
    const isFar = (j: number): boolean => isLag[j] && x[j][i] !== x[j][i]
    for (let j = 0; j < d; j++) {
      found.mean += params[at + 1 + j] * (isFar(j) ? params[at + mean + j] : x[j][i])
      for (let h = 0; h <= j; h++) {
        if (!isFar(j) || !isFar(h)) continue
        const both = params[at + 1 + j] * params[at + 1 + h] * params[at + spread + triangle(j) + h]
        found.variance += h < j ? 2 * both : both
      }
    }
    return found
  }

  return { isOpening, guessOf }
}
