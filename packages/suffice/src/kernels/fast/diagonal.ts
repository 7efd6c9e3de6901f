/** Normals with a variance per column. */
import { absorbDiagonal, scoreDiagonal } from "../diagonal-rows.ts"
import type { PinnedRows } from "./pinned-rows.ts"

export function scorePinnedColumns(
  pinned: PinnedRows,
  x: readonly Float64Array[],
  rows: number,
  d: number,
  slots: number,
  step: number,
  params: Float64Array,
  out: Float64Array,
): void {
  if (!pinned.isWorth(rows, d, slots)) {
    scoreDiagonal(x, rows, d, slots, step, params, out)
    return
  }
  const reach = d + 2 * (step === 1 ? d : 1)
  pinned.open(x, rows, d)
  const { wasm, cells, stride, complete } = pinned
  const scores = pinned.copyInScores(out, slots * rows)
  const theta = pinned.take(slots * (reach + 1))
  pinned.copy(params, 0, slots * reach, theta)
  wasm.scoreColumns(8 * cells, stride, rows, d, slots, step, 8 * theta, 8 * scores, complete)
  pinned.copyOutScores(scores, slots * rows, out)
}

export function absorbPinnedColumns(
  pinned: PinnedRows,
  x: readonly Float64Array[],
  rows: number,
  d: number,
  slots: number,
  step: number,
  weights: Float64Array,
  stats: Float64Array,
): void {
  if (!pinned.isWorth(rows, d, slots)) {
    absorbDiagonal(x, rows, d, slots, step, weights, stats)
    return
  }
  pinned.open(x, rows, d)
  const { wasm, numbers, cells, stride, complete } = pinned
  const weight = pinned.copyIn(weights, slots * rows)
  const length = slots * 3 * d
  const sums = pinned.take(length)
  if (step === 1) pinned.copy(stats, 0, length, sums)
  else numbers.fill(0, sums, sums + length)
  wasm.absorbColumns(8 * cells, stride, rows, d, slots, 8 * weight, 8 * sums, complete)
  if (step === 1) pinned.copyOut(sums, length, stats)
  else addShared(numbers, sums, d, slots, stats)
}

/** Adds the squares of all columns to one sum per slot. */
function addShared(numbers: Float64Array, sums: number, d: number, slots: number, stats: Float64Array): void {
  const width = 2 * d + 1
  for (let p = 0; p < slots; p++) {
    const at = sums + 3 * d * p
    for (let j = 0; j < 3 * d; j++) stats[p * width + Math.min(j, 2 * d)] += numbers[at + j]
  }
}
