/** A single leaf absorbs a block: the weights get the sums that a sweep would provide, computed row by row. */
import type { Block, Leaf, Weights } from "suffice"
import type { Work } from "suffice/contract"

export function absorb(
  leaf: Leaf,
  block: Block,
  params: Float64Array,
  weights: Weights,
  stats: Float64Array,
  work?: Work,
): boolean {
  const { slots } = leaf.shape
  const { rows } = block
  /** What row i weighs in slot p. */
  const weight = (p: number, i: number): number => {
    if (weights.form === "each") return weights.values[p * rows + i]
    return weights.slot[i] === p ? weights.weight[i] : 0
  }
  const sums = (x: Float64Array): Float64Array => {
    const found = new Float64Array(3 * slots)
    for (let p = 0; p < slots; p++) {
      for (let i = 0; i < rows; i++) {
        if (x[i] !== x[i]) continue
        found[3 * p] += weight(p, i)
        found[3 * p + 1] += weight(p, i) * x[i]
        found[3 * p + 2] += weight(p, i) * x[i] * x[i]
      }
    }
    return found
  }
  const count = (codes: Int32Array, counts: Float64Array): void => {
    for (let p = 0; p < slots; p++) {
      for (let i = 0; i < rows; i++) if (codes[i] >= 0) counts[codes[i] * slots + p] += weight(p, i)
    }
  }
  return leaf.absorb(block, params, { ...weights, sums, count }, stats, work)
}
