/**
 * Kernels over rows: normals, and the sums of switches. Rows outside their memory are copied in when they are pinned, and stay until others are
 * pinned; a call copies its other arguments in behind them, and its results out. Too few rows to be worth it, or too many numbers for the memory, go
 * to the plain twins, to the same bits.
 *
 * Long because the kernels share the pinned rows.
 */
import { bestRows } from "../best-rows.ts"
import { scoreDense, scoreLines } from "../dense-scores.ts"
import { absorbDense, absorbList, totalWeights } from "../dense-sums.ts"
import { absorbDiagonal, scoreDiagonal } from "../diagonal-rows.ts"
import { COLUMN, pin } from "../pin.ts"
import { posteriorRows } from "../posterior-rows.ts"
import { collapse } from "../responsibilities.ts"
import { triangle } from "../triangle.ts"
import type { RowKernels } from "../twins.ts"
import { even } from "./arena.ts"
import type { RowMemory } from "./row-memory.ts"

/** Below this many rows (or sums over values) the copies cost more than they save. */
const FEW = 8
/** Longer copies are faster by `set` than by a loop. */
const MOVED = 64
/** As in assembly/responsibilities.ts. */
const STRIP = 32

export function rowKernels(memory: RowMemory): RowKernels {
  const { wasm, numbers, integers } = memory.arena
  const { start, length } = memory.pinned
  const views = new Map<number, Float64Array>()
  let top = start // the first free number
  // the pinned rows: where they begin, the stride of their columns, whether no cell is missing, and where they end
  let pinned: readonly Float64Array[] | undefined
  let pinnedRows = 0
  let cells = start
  let stride = 0
  let complete = 0
  let behind = start

  /** Reserves this many numbers, aligned to a register; returns where they begin. */
  function take(count: number): number {
    const at = top
    top += even(count)
    return at
  }

  /** Part of the memory as an array; cached, since block after block asks for the same. */
  function view(at: number, count: number): Float64Array {
    const key = at * 0x1000000 + count
    let found = views.get(key)
    if (!found) {
      if (views.size > 500) views.clear()
      found = numbers.subarray(at, at + count)
      views.set(key, found)
    }
    return found
  }

  function copy(from: Float64Array, at: number, count: number, to: number): void {
    if (at === 0 && from.length === count) numbers.set(from, to)
    else if (count > MOVED) numbers.set(from.subarray(at, at + count), to)
    else for (let i = 0; i < count; i++) numbers[to + i] = from[at + i]
  }

  function copyIn(from: Float64Array, count: number): number {
    const at = take(count)
    copy(from, 0, count, at)
    return at
  }

  /** By `set` if the same count is likely to come again, as its view is then cached. */
  function copyOut(at: number, count: number, to: Float64Array, toAt = 0, again = to.length === count): void {
    if (again && count > MOVED) to.set(view(at, count), toAt)
    else for (let i = 0; i < count; i++) to[toAt + i] = numbers[at + i]
  }

  /** Where the scores are in this memory: in place, or copied in with `more` free numbers behind them. */
  function copyInScores(scores: Float64Array, count: number, more = 0): number {
    const here = memory.locate(scores)
    if (here >= 0) return here / 8
    const at = take(count + more)
    copy(scores, 0, count, at)
    return at
  }

  function copyOutScores(at: number, count: number, scores: Float64Array): void {
    if (memory.locate(scores) < 0) copyOut(at, count, scores)
  }

  /** Whole tiles of four, and one more cache line, so that columns do not map to the same cache sets. */
  const tiles = (count: number): number => ((count + 3) & -4) + 8
  /** Numbers per column: the same for all blocks of the usual size. */
  const strideOf = (rows: number): number => Math.max(tiles(rows), COLUMN)

  /** Are there enough rows, and is there memory for them, for three copies of them, and for scores, parameters and statistics of all slots? */
  function isWorth(rows: number, d: number, slots: number): boolean {
    const size = triangle(d + 4)
    return rows >= FEW && 4 * (d + 4) * strideOf(rows) + (slots + 4) * (rows + 3 * d + size + 16) <= length
  }

  function copyInRows(x: readonly Float64Array[], rows: number, d: number): void {
    top = start
    stride = memory.strideOf(x)
    if (stride > 0) cells = memory.locate(x[0]) / 8
    else {
      stride = strideOf(rows)
      cells = take(d * stride)
      for (let j = 0; j < d; j++) copy(x[j], 0, rows, cells + j * stride)
    }
    pinned = x
    pinnedRows = rows
    behind = top
    complete = wasm.holes(8 * cells, stride, rows, d) ? 0 : 1
  }

  /** Pins these rows, unless they are; what is taken from now on is behind them. */
  function open(x: readonly Float64Array[], rows: number, d: number): void {
    if (pinned !== x || pinnedRows !== rows) copyInRows(x, rows, d)
    top = behind
  }

  /** Is there memory for this many numbers behind the pinned rows? */
  function openBehind(count: number): boolean {
    top = behind
    return top + count <= start + length
  }

  return {
    pin(x, rows, d) {
      pinned = undefined
      if (!isWorth(rows, d, 1)) return pin(x, rows, d)
      copyInRows(x, rows, d)
      return complete === 1
    },

    scoreDense(x, rows, d, slots, share, params, out) {
      if (!isWorth(rows, d, slots)) {
        scoreDense(x, rows, d, slots, share, params, out)
        return
      }
      const size = triangle(d)
      const wide = (d + 3) & -4
      open(x, rows, d)
      const scores = copyInScores(out, slots * rows)
      const work = take(9 * wide)
      const panel = take((wide * (wide + 4)) / 2)
      if (share === 1) {
        const means = take(slots * d)
        const inverses = take(slots * size)
        const tops = take(slots)
        copy(params, 0, slots * d, means)
        for (let p = 0; p < slots; p++) {
          const at = slots * d + p * (2 * size + 1) + size
          copy(params, at, size, inverses + p * size)
          numbers[tops + p] = params[at + size]
        }
        wasm.scoreOwn(
          8 * cells,
          stride,
          rows,
          d,
          slots,
          8 * means,
          8 * inverses,
          8 * tops,
          8 * panel,
          8 * work,
          8 * scores,
        )
      } else {
        const at = slots * d + size
        const meanStride = tiles(slots)
        const means = take(d * meanStride)
        const inverse = take(size)
        const centres = take(wide * ((slots + 3) & -4))
        for (let p = 0; p < slots; p++) {
          for (let j = 0; j < d; j++) numbers[means + j * meanStride + p] = params[p * d + j]
        }
        copy(params, at, size, inverse)
        wasm.scoreShared(
          8 * cells,
          stride,
          rows,
          d,
          slots,
          8 * means,
          meanStride,
          8 * inverse,
          params[at + size],
          8 * panel,
          8 * work,
          8 * centres,
          8 * scores,
        )
      }
      copyOutScores(scores, slots * rows, out)
    },

    scoreLines(x, rows, d, slots, params, lines, out) {
      if (!isWorth(rows, d, slots)) {
        scoreLines(x, rows, d, slots, params, lines, out)
        return
      }
      open(x, rows, d)
      const scores = copyInScores(out, slots * rows)
      const given = take(slots * (d + 1))
      copy(params, lines, slots * (d + 1), given)
      wasm.scoreLines(8 * cells, stride, rows, d, slots, 8 * given, 8 * scores)
      copyOutScores(scores, slots * rows, out)
    },

    absorbDense(x, rows, d, slots, share, weights, stats) {
      if (!isWorth(rows, d, slots)) {
        absorbDense(x, rows, d, slots, share, weights, stats)
        return
      }
      open(x, rows, d)
      const own = share === 1
      const weight = copyIn(weights, slots * rows)
      const all = own ? 0 : copyIn(totalWeights(weights, slots, rows), rows)
      const line = strideOf(rows)
      const kept = take(line)
      const list = take(line)
      const wide = ((d + 3) & -4) * line
      const packed = take(wide)
      const picked = take(wide)
      const wx = take(wide)
      const length = slots * (1 + d)
      const size = length + (own ? slots : 1) * triangle(d)
      const sums = copyIn(stats, size)
      const triangles = sums + length
      const absorb = (count: number, from: number, to: number, squares: number) =>
        wasm.absorbSlots(
          8 * cells,
          stride,
          rows,
          d,
          count,
          8 * from,
          8 * kept,
          8 * list,
          8 * packed,
          8 * picked,
          8 * wx,
          8 * to,
          8 * squares,
        )
      absorb(slots, weight, sums, own ? triangles : 0)
      if (!own) absorb(1, all, take(1 + d), triangles)
      copyOut(sums, size, stats)
    },

    absorbList(x, rows, d, list, count, weights, stats, sumsAt, triangleAt) {
      if (!isWorth(rows, d, 1)) {
        absorbList(x, rows, d, list, count, weights, stats, sumsAt, triangleAt)
        return
      }
      if (count === 0) return
      open(x, rows, d)
      const line = strideOf(rows)
      const kept = take(line)
      const places = take(line)
      const wide = ((d + 3) & -4) * line
      const picked = take(wide)
      const wx = take(wide)
      const size = triangle(d)
      const sums = take(1 + d)
      const squares = take(size)
      if (sumsAt >= 0) copy(stats, sumsAt, 1 + d, sums)
      if (triangleAt >= 0) copy(stats, triangleAt, size, squares)
      for (let t = 0; t < count; t++) {
        numbers[kept + t] = weights[t]
        integers[2 * places + t] = list[t]
      }
      wasm.absorbList(
        8 * cells,
        stride,
        rows,
        d,
        8 * places,
        count,
        8 * kept,
        8 * picked,
        8 * wx,
        8 * sums,
        triangleAt >= 0 ? 8 * squares : 0,
      )
      if (sumsAt >= 0) copyOut(sums, 1 + d, stats, sumsAt)
      if (triangleAt >= 0) copyOut(squares, size, stats, triangleAt, true)
    },

    scoreDiagonal(x, rows, d, slots, step, params, out) {
      if (!isWorth(rows, d, slots)) {
        scoreDiagonal(x, rows, d, slots, step, params, out)
        return
      }
      const reach = d + 2 * (step === 1 ? d : 1)
      open(x, rows, d)
      const scores = copyInScores(out, slots * rows)
      const theta = take(slots * (reach + 1))
      copy(params, 0, slots * reach, theta)
      wasm.scoreColumns(8 * cells, stride, rows, d, slots, step, 8 * theta, 8 * scores, complete)
      copyOutScores(scores, slots * rows, out)
    },

    absorbDiagonal(x, rows, d, slots, step, weights, stats) {
      if (!isWorth(rows, d, slots)) {
        absorbDiagonal(x, rows, d, slots, step, weights, stats)
        return
      }
      open(x, rows, d)
      const weight = copyIn(weights, slots * rows)
      const length = slots * 3 * d
      const sums = take(length)
      if (step === 1) copy(stats, 0, length, sums)
      else numbers.fill(0, sums, sums + length)
      wasm.absorbColumns(8 * cells, stride, rows, d, slots, 8 * weight, 8 * sums, complete)
      if (step === 1) {
        copyOut(sums, length, stats)
        return
      }
      const width = 2 * d + 1
      for (let p = 0; p < slots; p++) {
        const at = sums + 3 * d * p
        for (let j = 0; j < 3 * d; j++) stats[p * width + Math.min(j, 2 * d)] += numbers[at + j]
      }
    },

    collapse(scores, k, size, sums) {
      // one more, as an odd number of scores is read in pairs
      const needed = (k + 2) * size + 1
      if (size < FEW || !openBehind(needed + (2 * k + 4) * STRIP)) {
        collapse(scores, k, size, sums)
        return
      }
      const at = take(needed)
      const work = take((2 * k + 3) * STRIP)
      copy(scores, 0, k * size, at)
      wasm.collapse(8 * at, k, size, 8 * work)
      copyOut(at, k * size, scores)
      copyOut(at + k * size, 2 * size, sums)
    },

    bestRows(scores, k, rows, codes) {
      if (rows < FEW || !openBehind((k + 2) * rows)) {
        bestRows(scores, k, rows, codes)
        return
      }
      const at = copyInScores(scores, k * rows)
      const found = 2 * take(rows)
      wasm.bestRows(8 * at, k, rows, 4 * found)
      if (rows > MOVED) codes.set(integers.subarray(found, found + rows))
      else for (let i = 0; i < rows; i++) codes[i] = integers[found + i]
    },

    posteriorRows(scores, k, rows, probabilities, logs, to) {
      const size = k * rows
      if (!openBehind(3 * size + 2 * rows + (2 * k + 4) * STRIP)) {
        posteriorRows(scores, k, rows, probabilities, logs, to)
        return
      }
      const at = copyInScores(scores, size, 2 * rows + 1)
      const work = take((2 * k + 3) * STRIP)
      const lines = take(2 * size)
      wasm.posteriorRows(8 * at, k, rows, 8 * work, 8 * lines)
      copyOut(lines, size, probabilities, to, true)
      copyOut(lines + size, size, logs, to, true)
    },
  }
}
