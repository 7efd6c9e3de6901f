import type { Weights } from "../../../contract/block.ts"

/** Weight of context p in row i. */
export function weightAt(weights: Weights, rows: number, p: number, i: number): number {
  if (weights.form === "each") return weights.values[p * rows + i]
  return weights.slot[i] === p ? weights.weight[i] : 0
}
