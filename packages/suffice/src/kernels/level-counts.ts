/**
 * Levels counted by slot:
 *
 *     stats[l·slots + p] += Σ w        over the rows i of slot p with code_i = l, row after row; −1 is missing
 */
import type { Weights } from "../contract/block.ts"

export function countLevels(
  codes: Int32Array,
  rows: number,
  slots: number,
  weights: Weights,
  stats: Float64Array,
): void {
  if (weights.form === "one") countOne(codes, rows, slots, weights.slot, weights.weight, stats)
  else for (let p = 0; p < slots; p++) countEach(codes, rows, slots, p, weights.values, stats)
}

// Separate functions, because engines optimise loops over parameters better than over captured variables.

function countOne(
  codes: Int32Array,
  rows: number,
  slots: number,
  slot: Int32Array,
  weight: Float64Array,
  stats: Float64Array,
): void {
  for (let i = 0; i < rows; i++) if (codes[i] >= 0) stats[codes[i] * slots + slot[i]] += weight[i]
}

function countEach(
  codes: Int32Array,
  rows: number,
  slots: number,
  p: number,
  values: Float64Array,
  stats: Float64Array,
): void {
  for (let i = 0; i < rows; i++) if (codes[i] >= 0) stats[codes[i] * slots + p] += values[p * rows + i]
}
