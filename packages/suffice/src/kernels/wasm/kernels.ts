/**
 * The twins in WebAssembly: what they need is copied into their memory, from `heapBase` on, anew in every call; what they computed
 * is added where it belongs. Few rows are not worth the copies and go to the TypeScript twins, whose bits are the same.
 */
import { scoreDense, whiteMean } from "../dense-scores.ts"
import { absorbDense, absorbSlot, totalWeights } from "../dense-sums.ts"
import { absorbDiagonal, scoreDiagonal } from "../diagonal-rows.ts"
import { collapse } from "../responsibilities.ts"
import { triangle } from "../triangle.ts"
import type { Kernels } from "../twins.ts"

/** What assembly/index.ts exports. Pointers are bytes, strides are numbers. */
export interface Exports {
  readonly memory: WebAssembly.Memory
  heapBase(): number
  whiten(
    x: number,
    stride: number,
    rows: number,
    d: number,
    inverse: number,
    mean: number,
    work: number,
    z: number,
    squares: number,
  ): void
  distances(z: number, stride: number, rows: number, d: number, centre: number, squares: number): void
  gather(x: number, stride: number, d: number, list: number, count: number, to: number): void
  weigh(x: number, stride: number, rows: number, d: number, weights: number, wx: number, sums: number): void
  squares(x: number, wx: number, stride: number, rows: number, d: number, out: number): void
  holes(x: number, stride: number, rows: number, d: number): number
  scoreColumns(...places: ScorePlaces): void
  scoreColumnsWithHoles(...places: ScorePlaces): void
  absorbColumns(
    x: number,
    stride: number,
    rows: number,
    d: number,
    weights: number,
    counts: number,
    sums: number,
    squares: number,
    complete: number,
  ): void
  collapse(scores: number, stride: number, k: number, size: number): void
}

type ScorePlaces = [
  x: number,
  stride: number,
  rows: number,
  d: number,
  means: number,
  precisions: number,
  tops: number,
  step: number,
  scores: number,
]

/** Below this many rows (or sums over values) the copies cost more than they bring. */
const FEW = 8
const PAGE = 65536

export function wasmKernels(wasm: Exports): Kernels {
  const start = Math.ceil(wasm.heapBase() / 16) * 2
  let heap = new Float64Array(wasm.memory.buffer)
  let list = new Int32Array(wasm.memory.buffer)
  let top = start // the first free number

  /** Room for so many numbers, beginning at a register's border: its place, in numbers. */
  function room(count: number): number {
    const at = top
    top += (count + 1) & -2
    if (top > heap.length) {
      wasm.memory.grow(Math.ceil(((top - heap.length) * 8) / PAGE))
      heap = new Float64Array(wasm.memory.buffer)
      list = new Int32Array(wasm.memory.buffer)
    }
    return at
  }

  /** Numbers per column: whole tiles of four, and a line of the cache more, so that columns do not fall into the same sets. */
  const strideOf = (rows: number): number => ((rows + 3) & -4) + 8

  function put(from: Float64Array, at: number, count: number, to: number): void {
    if (at === 0 && from.length === count) heap.set(from, to)
    else for (let i = 0; i < count; i++) heap[to + i] = from[at + i]
  }

  function take(from: number, count: number, to: Float64Array, at: number): void {
    const values = heap
    for (let i = 0; i < count; i++) to[at + i] = values[from + i]
  }

  function putColumns(x: readonly Float64Array[], rows: number, d: number, extra: number): number {
    const stride = strideOf(rows)
    const at = room((d + extra) * stride)
    for (let j = 0; j < d; j++) put(x[j], 0, rows, at + j * stride)
    return at
  }

  // absorbDense: where x, the rows picked of it and w·x, weights and their places, and the sums are
  let xAt = 0
  let pickedAt = 0
  let weighedAt = 0
  let weightAt = 0
  let listAt = 0
  let sumsAt = 0

  function openRows(x: readonly Float64Array[], rows: number, d: number): void {
    top = start
    const stride = strideOf(rows)
    xAt = putColumns(x, rows, d, 3)
    pickedAt = room((d + 3) * stride)
    weighedAt = room((d + 3) * stride)
    weightAt = room(stride)
    listAt = room(stride)
    sumsAt = room(1 + d + triangle(d))
  }

  function absorbOpened(
    rows: number,
    d: number,
    weights: Float64Array,
    from: number,
    stats: Float64Array,
    sums: number,
    triangleAt: number,
  ): void {
    let count = 0
    for (let i = 0; i < rows; i++) {
      const w = weights[from + i]
      heap[weightAt + count] = w
      list[2 * listAt + count] = i
      if (w !== 0) count++
    }
    if (count === 0) return
    const stride = strideOf(rows)
    let x = xAt
    if (count < rows) {
      x = pickedAt
      wasm.gather(8 * xAt, stride, d, 8 * listAt, count, 8 * x)
    }
    wasm.weigh(8 * x, stride, count, d, 8 * weightAt, 8 * weighedAt, 8 * sumsAt)
    if (sums >= 0) for (let j = 0; j <= d; j++) stats[sums + j] += heap[sumsAt + j]
    if (triangleAt < 0) return
    const at = sumsAt + 1 + d
    wasm.squares(8 * x, 8 * weighedAt, stride, count, d, 8 * at)
    const size = triangle(d)
    for (let j = 0; j < size; j++) stats[triangleAt + j] += heap[at + j]
  }

  return {
    scoreDense(x, rows, d, slots, share, params, out) {
      if (rows < FEW) {
        scoreDense(x, rows, d, slots, share, params, out)
        return
      }
      top = start
      const stride = strideOf(rows)
      const size = triangle(d)
      const cells = putColumns(x, rows, d, 0)
      const squares = room(stride)
      const work = room(4 * d)
      const mean = room(d)
      const inverse = room(size)
      const z = share === 1 ? 0 : room(d * stride)
      for (let p = 0; p < slots; p++) {
        const at = slots * d + (share === 1 ? p : 0) * (2 * size + 1)
        if (share === 1) {
          put(params, p * d, d, mean)
          put(params, at + size, size, inverse)
          wasm.whiten(8 * cells, stride, rows, d, 8 * inverse, 8 * mean, 8 * work, 0, 8 * squares)
        } else {
          if (p === 0) {
            heap.fill(0, mean, mean + d)
            put(params, at + size, size, inverse)
            wasm.whiten(8 * cells, stride, rows, d, 8 * inverse, 8 * mean, 8 * work, 8 * z, 8 * squares)
            if (centre.length < d) centre = new Float64Array(d)
          }
          whiteMean(params, at + size, p * d, d, centre)
          put(centre, 0, d, mean)
          wasm.distances(8 * z, stride, rows, d, 8 * mean, 8 * squares)
        }
        const high = params[at + 2 * size]
        const from = heap
        for (let i = 0; i < rows; i++) out[p * rows + i] += high - 0.5 * from[squares + i]
      }
    },

    absorbDense(x, rows, d, slots, share, weights, stats) {
      if (rows < FEW) {
        absorbDense(x, rows, d, slots, share, weights, stats)
        return
      }
      openRows(x, rows, d)
      const at = slots * (1 + d)
      for (let p = 0; p < slots; p++) {
        absorbOpened(rows, d, weights, p * rows, stats, p * (1 + d), share === 1 ? at + p * triangle(d) : -1)
      }
      if (share > 1) absorbOpened(rows, d, totalWeights(weights, slots, rows), 0, stats, -1, at)
    },

    absorbSlot(x, rows, d, weights, from, stats, sums, triangleAt) {
      if (rows < FEW) {
        absorbSlot(x, rows, d, weights, from, stats, sums, triangleAt)
        return
      }
      openRows(x, rows, d)
      absorbOpened(rows, d, weights, from, stats, sums, triangleAt)
    },

    scoreDiagonal(x, rows, d, slots, step, params, out) {
      if (rows < FEW) {
        scoreDiagonal(x, rows, d, slots, step, params, out)
        return
      }
      top = start
      const stride = strideOf(rows)
      const variances = step === 1 ? d : 1
      const reach = d + 2 * variances
      const cells = putColumns(x, rows, d, 0)
      const scores = room(stride)
      const slot = room(reach)
      const complete = wasm.holes(8 * cells, stride, rows, d) === 0
      const score = complete ? wasm.scoreColumns : wasm.scoreColumnsWithHoles
      const tops = slot + d + variances
      for (let p = 0; p < slots; p++) {
        put(params, p * reach, reach, slot)
        score(8 * cells, stride, rows, d, 8 * slot, 8 * (slot + d), 8 * tops, step, 8 * scores)
        const from = heap
        for (let i = 0; i < rows; i++) out[p * rows + i] += from[scores + i]
      }
    },

    absorbDiagonal(x, rows, d, slots, step, weights, stats) {
      if (rows < FEW) {
        absorbDiagonal(x, rows, d, slots, step, weights, stats)
        return
      }
      top = start
      const stride = strideOf(rows)
      const width = 2 * d + (step === 1 ? d : 1)
      const cells = putColumns(x, rows, d, 0)
      const weight = room(stride)
      const sums = room(3 * d)
      const complete = wasm.holes(8 * cells, stride, rows, d) === 0 ? 1 : 0
      for (let p = 0; p < slots; p++) {
        put(weights, p * rows, rows, weight)
        wasm.absorbColumns(
          8 * cells,
          stride,
          rows,
          d,
          8 * weight,
          8 * sums,
          8 * (sums + d),
          8 * (sums + 2 * d),
          complete,
        )
        const at = p * width
        for (let j = 0; j < 2 * d; j++) stats[at + j] += heap[sums + j]
        for (let j = 0; j < d; j++) stats[at + 2 * d + j * step] += heap[sums + 2 * d + j]
      }
    },

    collapse(scores, k, size, sums) {
      if (size < FEW) {
        collapse(scores, k, size, sums)
        return
      }
      top = start
      const stride = strideOf(size)
      const at = room((k + 3) * stride)
      for (let l = 0; l < k; l++) put(scores, l * size, size, at + l * stride)
      wasm.collapse(8 * at, stride, k, size)
      for (let l = 0; l < k; l++) take(at + l * stride, size, scores, l * size)
      for (let l = 0; l < 3; l++) take(at + (k + l) * stride, size, sums, l * size)
    },
  }
}

let centre = new Float64Array(0)
