/** Sums over the values of a switch, its best value, and its posterior. */
import { bestRows } from "../best-rows.ts"
import { posteriorRows } from "../posterior-rows.ts"
import { collapse } from "../responsibilities.ts"
import { FEW, type PinnedRows } from "./pinned-rows.ts"
import { MOVED } from "./scratch.ts"

/** As in assembly/responsibilities.ts. */
const STRIP = 32

export function collapseBehind(
  pinned: PinnedRows,
  scores: Float64Array,
  k: number,
  size: number,
  sums: Float64Array,
): void {
  // one more, as an odd number of scores is read in pairs
  const needed = (k + 2) * size + 1
  if (size < FEW || !pinned.openBehind(needed + (2 * k + 4) * STRIP)) {
    collapse(scores, k, size, sums)
    return
  }
  const at = pinned.take(needed)
  const work = pinned.take((2 * k + 3) * STRIP)
  pinned.copy(scores, 0, k * size, at)
  pinned.wasm.collapse(8 * at, k, size, 8 * work)
  pinned.copyOut(at, k * size, scores)
  pinned.copyOut(at + k * size, 2 * size, sums)
}

export function bestBehind(
  pinned: PinnedRows,
  scores: Float64Array,
  k: number,
  rows: number,
  codes: Int32Array,
): void {
  if (rows < FEW || !pinned.openBehind((k + 2) * rows)) {
    bestRows(scores, k, rows, codes)
    return
  }
  const { wasm, integers } = pinned
  const at = pinned.copyInScores(scores, k * rows)
  const best = 2 * pinned.take(rows)
  wasm.bestRows(8 * at, k, rows, 4 * best)
  if (rows > MOVED) codes.set(integers.subarray(best, best + rows))
  else for (let i = 0; i < rows; i++) codes[i] = integers[best + i]
}

export function posteriorBehind(
  pinned: PinnedRows,
  scores: Float64Array,
  k: number,
  rows: number,
  probabilities: Float64Array,
  logs: Float64Array,
  to: number,
): void {
  const size = k * rows
  if (!pinned.openBehind(3 * size + 2 * rows + (2 * k + 4) * STRIP)) {
    posteriorRows(scores, k, rows, probabilities, logs, to)
    return
  }
  const at = pinned.copyInScores(scores, size, 2 * rows + 1)
  const work = pinned.take((2 * k + 3) * STRIP)
  const lines = pinned.take(2 * size)
  pinned.wasm.posteriorRows(8 * at, k, rows, 8 * work, 8 * lines)
  pinned.copyOut(lines, size, probabilities, to, true)
  pinned.copyOut(lines + size, size, logs, to, true)
}
