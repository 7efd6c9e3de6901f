/**
 * The twins in WebAssembly: what they need is copied into their memory, from `heapBase` on, and what they computed is added where it
 * belongs. Rows come first and stay until others come (those that stand in the near memory are not copied at all: near-rows.ts), all else is
 * copied anew in every call. Few rows are not worth the copies and go to
 * the TypeScript twins, whose bits are the same.
 *
 * Long because the kernels share one memory.
 */
import { bestRows } from "../best-rows.ts"
import { scoreDense, scoreLines } from "../dense-scores.ts"
import { absorbDense, absorbList, totalWeights } from "../dense-sums.ts"
import { absorbDiagonal, scoreDiagonal } from "../diagonal-rows.ts"
import { COLUMN, hold } from "../hold.ts"
import { posteriorRows } from "../posterior-rows.ts"
import { collapse } from "../responsibilities.ts"
import { triangle } from "../triangle.ts"
import type { NormalKernels } from "../twins.ts"
import type { Exports } from "./exports.ts"
import type { Memory } from "./memory.ts"
import type { Near, NearExports } from "./near.ts"

/** Below this many rows (or sums over values) the copies cost more than they bring; above this many numbers, they take too much room. */
const FEW = 8
const MANY = 0x400000
/** From here on a copy by the engine is faster than a loop. */
const MOVED = 64
/** As assembly/responsibilities.ts has it. */
const STRIP = 32

/** `near`: all rows stand in this memory already. */
export function wasmKernels(memory: Memory<Exports>, near?: Near<NearExports>): NormalKernels {
  const { wasm } = memory
  const start = memory.start
  const views = new Map<number, Float64Array>()
  let top = start // the first free number
  // the rows that are here, where they begin and how far columns are apart, and what follows them
  let held: readonly Float64Array[] | undefined
  let heldRows = 0
  let cells = start
  let stride = 0
  let complete = 0
  let behind = start

  /** Room for so many numbers, beginning at a register's border: its place, in numbers. */
  function room(count: number): number {
    const at = top
    top += (count + 1) & -2
    memory.begin(top - start)
    return at
  }

  /** Part of the memory as an array: kept, since block after block asks for the same. One that has grown takes its arrays away. */
  function view(at: number, count: number): Float64Array {
    const key = at * 0x1000000 + count
    let found = views.get(key)
    if (!found?.length) {
      if (views.size > 500) views.clear()
      found = memory.numbers.subarray(at, at + count)
      views.set(key, found)
    }
    return found
  }

  /** Room for these numbers, and they in it. */
  function put(from: Float64Array, count: number): number {
    const at = room(count)
    copy(from, 0, count, at)
    return at
  }

  /** Where these scores stand: here already, or copied in, with room for so many numbers more behind them. */
  function putScores(scores: Float64Array, count: number, more = 0): number {
    const here = near ? near.scoresAt(scores) : -1
    if (here >= 0) return here / 8
    const at = room(count + more)
    copy(scores, 0, count, at)
    return at
  }

  function takeScores(at: number, count: number, scores: Float64Array): void {
    if (!(near && near.scoresAt(scores) >= 0)) take(at, count, scores)
  }

  function copy(from: Float64Array, at: number, count: number, to: number): void {
    const { numbers } = memory
    if (at === 0 && from.length === count) numbers.set(from, to)
    else if (count > MOVED) numbers.set(from.subarray(at, at + count), to)
    else for (let i = 0; i < count; i++) numbers[to + i] = from[at + i]
  }

  /** At once where so many come again and again: a part of the memory as an array is made once for each number of them. */
  function take(at: number, count: number, to: Float64Array, toAt = 0, again = to.length === count): void {
    const { numbers } = memory
    if (again && count > MOVED) to.set(view(at, count), toAt)
    else for (let i = 0; i < count; i++) to[toAt + i] = numbers[at + i]
  }

  /** Whole tiles of four, and a line of the cache more, so that columns do not fall into the same sets. */
  const tiles = (count: number): number => ((count + 3) & -4) + 8
  /** Numbers per column: as many for all blocks of the usual size. */
  const strideOf = (rows: number): number => Math.max(tiles(rows), COLUMN)

  /** Copies the rows in, column by column. */
  function bring(x: readonly Float64Array[], rows: number, d: number): void {
    top = start
    if (near) {
      cells = near.placeOf(x[0]) / 8
      stride = near.strideOf(x)
    } else {
      stride = strideOf(rows)
      cells = room(d * stride)
      for (let j = 0; j < d; j++) copy(x[j], 0, rows, cells + j * stride)
    }
    held = x
    heldRows = rows
    behind = top
    complete = wasm.holes(8 * cells, stride, rows, d) ? 0 : 1
  }

  /** These rows are here; what is put from here on stands behind them. */
  function find(x: readonly Float64Array[], rows: number, d: number): void {
    if (held !== x || heldRows !== rows) bring(x, rows, d)
    top = behind
  }

  return {
    hold(x, rows, d) {
      held = undefined
      if (rows < FEW || rows * d > MANY) return hold(x, rows, d)
      bring(x, rows, d)
      return complete === 1
    },

    scoreDense(x, rows, d, slots, share, params, out) {
      if (rows < FEW || slots * rows > MANY) {
        scoreDense(x, rows, d, slots, share, params, out)
        return
      }
      const size = triangle(d)
      const wide = (d + 3) & -4
      find(x, rows, d)
      const scores = putScores(out, slots * rows)
      const work = room(9 * wide)
      const panel = room((wide * (wide + 4)) / 2)
      if (share === 1) {
        const means = room(slots * d)
        const inverses = room(slots * size)
        const tops = room(slots)
        copy(params, 0, slots * d, means)
        for (let p = 0; p < slots; p++) {
          const at = slots * d + p * (2 * size + 1) + size
          copy(params, at, size, inverses + p * size)
          memory.numbers[tops + p] = params[at + size]
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
        const means = room(d * meanStride)
        const inverse = room(size)
        const centres = room(wide * ((slots + 3) & -4))
        const { numbers } = memory
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
      takeScores(scores, slots * rows, out)
    },

    scoreLines(x, rows, d, slots, params, lines, out) {
      if (rows < FEW || slots * rows > MANY) {
        scoreLines(x, rows, d, slots, params, lines, out)
        return
      }
      find(x, rows, d)
      const scores = putScores(out, slots * rows)
      const given = room(slots * (d + 1))
      copy(params, lines, slots * (d + 1), given)
      wasm.scoreLines(8 * cells, stride, rows, d, slots, 8 * given, 8 * scores)
      takeScores(scores, slots * rows, out)
    },

    absorbDense(x, rows, d, slots, share, weights, stats) {
      if (rows < FEW || slots * rows > MANY) {
        absorbDense(x, rows, d, slots, share, weights, stats)
        return
      }
      find(x, rows, d)
      const own = share === 1
      const weight = put(weights, slots * rows)
      const all = own ? 0 : put(totalWeights(weights, slots, rows), rows)
      const line = strideOf(rows)
      const kept = room(line)
      const list = room(line)
      const wide = ((d + 3) & -4) * line
      const packed = room(wide)
      const picked = room(wide)
      const wx = room(wide)
      const length = slots * (1 + d)
      const size = length + (own ? slots : 1) * triangle(d)
      const sums = put(stats, size)
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
      if (!own) absorb(1, all, room(1 + d), triangles)
      take(sums, size, stats)
    },

    absorbList(x, rows, d, list, count, weights, stats, sumsAt, triangleAt) {
      if (rows < FEW || rows * d > MANY) {
        absorbList(x, rows, d, list, count, weights, stats, sumsAt, triangleAt)
        return
      }
      if (count === 0) return
      find(x, rows, d)
      const line = strideOf(rows)
      const kept = room(line)
      const places = room(line)
      const wide = ((d + 3) & -4) * line
      const picked = room(wide)
      const wx = room(wide)
      const size = triangle(d)
      const sums = room(1 + d)
      const squares = room(size)
      if (sumsAt >= 0) copy(stats, sumsAt, 1 + d, sums)
      if (triangleAt >= 0) copy(stats, triangleAt, size, squares)
      const { numbers } = memory
      const { integers: rowsOf } = memory
      for (let t = 0; t < count; t++) {
        numbers[kept + t] = weights[t]
        rowsOf[2 * places + t] = list[t]
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
      if (sumsAt >= 0) take(sums, 1 + d, stats, sumsAt)
      if (triangleAt >= 0) take(squares, size, stats, triangleAt, true)
    },

    scoreDiagonal(x, rows, d, slots, step, params, out) {
      if (rows < FEW || slots * rows > MANY) {
        scoreDiagonal(x, rows, d, slots, step, params, out)
        return
      }
      const reach = d + 2 * (step === 1 ? d : 1)
      find(x, rows, d)
      const scores = putScores(out, slots * rows)
      const theta = room(slots * (reach + 1))
      copy(params, 0, slots * reach, theta)
      wasm.scoreColumns(8 * cells, stride, rows, d, slots, step, 8 * theta, 8 * scores, complete)
      takeScores(scores, slots * rows, out)
    },

    absorbDiagonal(x, rows, d, slots, step, weights, stats) {
      if (rows < FEW || slots * rows > MANY) {
        absorbDiagonal(x, rows, d, slots, step, weights, stats)
        return
      }
      find(x, rows, d)
      const weight = put(weights, slots * rows)
      const length = slots * 3 * d
      const sums = room(length)
      if (step === 1) copy(stats, 0, length, sums)
      else memory.numbers.fill(0, sums, sums + length)
      wasm.absorbColumns(8 * cells, stride, rows, d, slots, 8 * weight, 8 * sums, complete)
      if (step === 1) {
        take(sums, length, stats)
        return
      }
      const { numbers } = memory
      const width = 2 * d + 1
      for (let p = 0; p < slots; p++) {
        const at = sums + 3 * d * p
        for (let j = 0; j < 3 * d; j++) stats[p * width + Math.min(j, 2 * d)] += numbers[at + j]
      }
    },

    collapse(scores, k, size, sums) {
      if (size < FEW || k * size > MANY) {
        collapse(scores, k, size, sums)
        return
      }
      top = behind
      // an odd number of them has one more beside it
      const at = room((k + 2) * size + 1)
      const work = room((2 * k + 3) * STRIP)
      copy(scores, 0, k * size, at)
      wasm.collapse(8 * at, k, size, 8 * work)
      take(at, k * size, scores)
      take(at + k * size, 2 * size, sums)
    },

    bestRows(scores, k, rows, codes) {
      if (rows < FEW || k * rows > MANY) {
        bestRows(scores, k, rows, codes)
        return
      }
      top = behind
      const at = putScores(scores, k * rows)
      const found = 2 * room(rows)
      const { integers } = memory
      wasm.bestRows(8 * at, k, rows, 4 * found)
      if (rows > MOVED) codes.set(integers.subarray(found, found + rows))
      else for (let i = 0; i < rows; i++) codes[i] = integers[found + i]
    },

    posteriorRows(scores, k, rows, probabilities, logs, to) {
      if (k * rows > MANY) {
        posteriorRows(scores, k, rows, probabilities, logs, to)
        return
      }
      top = behind
      const size = k * rows
      const at = putScores(scores, size, 2 * rows + 1)
      const work = room((2 * k + 3) * STRIP)
      const lines = room(2 * size)
      wasm.posteriorRows(8 * at, k, rows, 8 * work, 8 * lines)
      take(lines, size, probabilities, to, true)
      take(lines + size, size, logs, to, true)
    },
  }
}
