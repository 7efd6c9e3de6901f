/**
 * What exponential families of a single number have in common where E[θ] is learned with: h + x·g, slot by slot.
 *
 *     score = h + x·g      value = n·h + Σwx·g
 *
 * Parameters: slot by slot g, then slot by slot h; statistics of a slot: n, Σwx.
 */
import type { Leaf } from "../contract/leaf.ts"

export function linearInX(slots: number, place: number): Pick<Leaf, "score" | "value"> {
  return {
    score(block, params, out) {
      const x = block.cells[place] as Float64Array
      const { rows } = block
      for (let p = 0; p < slots; p++)
        for (let i = 0; i < rows; i++)
          if (x[i] === x[i]) out[p * rows + i] += params[slots + p] + x[i] * params[p]
      return undefined
    },
    value(stats, params) {
      let sum = 0
      for (let p = 0; p < slots; p++) sum += stats[p * 2] * params[slots + p] + stats[p * 2 + 1] * params[p]
      return sum
    },
  }
}
