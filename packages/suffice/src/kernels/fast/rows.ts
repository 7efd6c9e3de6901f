/**
 * Kernels over rows: normals, and the sums of switches. The plain twins, which are bit-identical, take what has too few rows to be worth the copies, or too
 * many numbers for the memory.
 */
import { pin } from "../pin.ts"
import type { RowKernels } from "../twins.ts"
import { bestBehind, collapseBehind, posteriorBehind } from "./choices.ts"
import { absorbPinned, absorbPinnedList, scorePinned, scorePinnedLines } from "./dense.ts"
import { absorbPinnedColumns, scorePinnedColumns } from "./diagonal.ts"
import { PinnedRows } from "./pinned-rows.ts"
import type { RowMemory } from "./row-memory.ts"

export function rowKernels(memory: RowMemory): RowKernels {
  const pinned = new PinnedRows(memory)
  return {
    pin: (x, rows, d) => pinRows(pinned, x, rows, d),
    scoreDense: (x, rows, d, slots, share, params, out) =>
      scorePinned(pinned, x, rows, d, slots, share, params, out),
    scoreLines: (x, rows, d, slots, params, lines, out) =>
      scorePinnedLines(pinned, x, rows, d, slots, params, lines, out),
    absorbDense: (x, rows, d, slots, share, weights, stats) =>
      absorbPinned(pinned, x, rows, d, slots, share, weights, stats),
    absorbList: (x, rows, d, list, count, weights, stats, sumsAt, triangleAt) =>
      absorbPinnedList(pinned, x, rows, d, list, count, weights, stats, sumsAt, triangleAt),
    scoreDiagonal: (x, rows, d, slots, step, params, out) =>
      scorePinnedColumns(pinned, x, rows, d, slots, step, params, out),
    absorbDiagonal: (x, rows, d, slots, step, weights, stats) =>
      absorbPinnedColumns(pinned, x, rows, d, slots, step, weights, stats),
    collapse: (scores, k, size, sums) => collapseBehind(pinned, scores, k, size, sums),
    bestRows: (scores, k, rows, codes) => bestBehind(pinned, scores, k, rows, codes),
    posteriorRows: (scores, k, rows, probabilities, logs, to) =>
      posteriorBehind(pinned, scores, k, rows, probabilities, logs, to),
  }
}

/** Returns whether no cell is missing. */
function pinRows(pinned: PinnedRows, x: readonly Float64Array[], rows: number, d: number): boolean {
  pinned.unpin()
  if (!pinned.isWorth(rows, d, 1)) return pin(x, rows, d)
  pinned.pin(x, rows, d)
  return pinned.complete === 1
}
