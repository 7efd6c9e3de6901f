/** Weights of steps before anything is known of their states. */
import type { Block, Nested, Weights } from "../../contract/block.ts"

/** Every step gets the weights of its row. */
export function weightsOfRows(
  slots: number,
  { rows }: Block,
  { offsets, block: { rows: S } }: Nested,
  weights: Weights,
): Weights {
  const values = new Float64Array(slots * S)
  for (let p = 0; p < slots; p++) {
    for (let i = 0; i < rows; i++) {
      const isOne = weights.form === "one"
      const w = !isOne ? weights.values[p * rows + i] : weights.slot[i] === p ? weights.weight[i] : 0
      values.fill(w, p * S + offsets[i], p * S + offsets[i + 1])
    }
  }
  return { form: "each", values }
}

/** Equal parts of each sequence, one for each state. */
export function inOrder(
  k: number,
  slots: number,
  { offsets, block: { rows: S } }: Nested,
  weights: Float64Array,
): Float64Array {
  const values = new Float64Array(k * slots * S)
  for (let i = 0; i + 1 < offsets.length; i++) {
    const length = offsets[i + 1] - offsets[i]
    for (let t = 0; t < length; t++) {
      const l = Math.min(Math.trunc((t * k) / length), k - 1)
      for (let p = 0; p < slots; p++) {
        const at = offsets[i] + t
        values[(l * slots + p) * S + at] = weights[p * S + at]
      }
    }
  }
  return values
}
