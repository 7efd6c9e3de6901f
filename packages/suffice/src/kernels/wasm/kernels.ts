/**
 * The twins in WebAssembly: what they need is copied into their memory, from `heapBase` on, anew in every call; what they computed
 * is added where it belongs. Few rows are not worth the copies and go to the TypeScript twins, whose bits are the same.
 */
import { scoreDense, whiteMean } from "../dense-scores.ts"
import { absorbDense, absorbSlot, totalWeights } from "../dense-sums.ts"
import { absorbDiagonal, scoreDiagonal } from "../diagonal-rows.ts"
import { collapse } from "../responsibilities.ts"
import { triangle } from "../triangle.ts"
import type { NormalKernels } from "../twins.ts"

/** What assembly/index.ts exports. Places are bytes, strides are numbers. */
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
    top: number,
    scores: number,
    z: number,
  ): void
  distances(
    z: number,
    stride: number,
    rows: number,
    d: number,
    centre: number,
    top: number,
    scores: number,
  ): void
  absorbSlots(
    x: number,
    stride: number,
    rows: number,
    d: number,
    slots: number,
    weights: number,
    kept: number,
    list: number,
    picked: number,
    wx: number,
    sums: number,
    triangles: number,
  ): void
  scoreColumns(
    x: number,
    stride: number,
    rows: number,
    d: number,
    slots: number,
    step: number,
    params: number,
    scores: number,
  ): void
  absorbColumns(
    x: number,
    stride: number,
    rows: number,
    d: number,
    slots: number,
    weights: number,
    sums: number,
  ): void
  collapse(scores: number, k: number, size: number): void
}

/** Below this many rows (or sums over values) the copies cost more than they bring; above this many numbers, they take too much room. */
const FEW = 8
const MANY = 0x400000
const PAGE = 65536

export function wasmKernels(wasm: Exports): NormalKernels {
  const start = Math.ceil(wasm.heapBase() / 16) * 2
  let heap = new Float64Array(wasm.memory.buffer)
  let views = new Map<number, Float64Array>()
  let top = start // the first free number
  let centre = new Float64Array(0)

  /** Room for so many numbers, beginning at a register's border: its place, in numbers. */
  function room(count: number): number {
    const at = top
    top += (count + 1) & -2
    if (top > heap.length) {
      wasm.memory.grow(Math.ceil(((top - heap.length) * 8) / PAGE))
      heap = new Float64Array(wasm.memory.buffer)
      views = new Map()
    }
    return at
  }

  /** Part of the memory as an array: kept, since block after block asks for the same. */
  function view(at: number, count: number): Float64Array {
    const key = at * 0x1000000 + count
    let found = views.get(key)
    if (!found) {
      if (views.size > 500) views.clear()
      found = heap.subarray(at, at + count)
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

  function copy(from: Float64Array, at: number, count: number, to: number): void {
    const memory = heap
    if (at === 0 && from.length === count) memory.set(from, to)
    else for (let i = 0; i < count; i++) memory[to + i] = from[at + i]
  }

  function take(at: number, count: number, to: Float64Array): void {
    const memory = heap
    if (to.length === count) to.set(view(at, count))
    else for (let i = 0; i < count; i++) to[i] = memory[at + i]
  }

  /** Numbers per column: whole tiles of four, and a line of the cache more, so that columns do not fall into the same sets. */
  const strideOf = (rows: number): number => ((rows + 3) & -4) + 8

  function putColumns(x: readonly Float64Array[], rows: number, d: number, extra: number): number {
    const stride = strideOf(rows)
    const at = room((d + extra) * stride)
    for (let j = 0; j < d; j++) copy(x[j], 0, rows, at + j * stride)
    return at
  }

  /** Where `absorb` has left Σw and Σwx of every slot, and behind them, where wanted, Σwxxᵀ. */
  function absorbRows(
    x: readonly Float64Array[],
    rows: number,
    d: number,
    slots: number,
    weightsAt: number,
    squares: boolean,
  ): number {
    const stride = strideOf(rows)
    const cells = putColumns(x, rows, d, 3)
    const kept = room(stride)
    const list = room(stride)
    const picked = room((d + 3) * stride)
    const wx = room((d + 3) * stride)
    const sums = room(slots * (1 + d))
    const triangles = squares ? room(slots * triangle(d)) : 0
    wasm.absorbSlots(
      8 * cells,
      stride,
      rows,
      d,
      slots,
      8 * weightsAt,
      8 * kept,
      8 * list,
      8 * picked,
      8 * wx,
      8 * sums,
      8 * triangles,
    )
    return sums
  }

  function add(at: number, count: number, to: Float64Array, toAt: number): void {
    const memory = heap
    for (let j = 0; j < count; j++) to[toAt + j] += memory[at + j]
  }

  /** The first even place from here on: where `room` goes on. */
  const next = (at: number): number => (at + 1) & -2

  return {
    scoreDense(x, rows, d, slots, share, params, out) {
      if (rows < FEW || slots * rows > MANY) {
        scoreDense(x, rows, d, slots, share, params, out)
        return
      }
      top = start
      const stride = strideOf(rows)
      const size = triangle(d)
      const cells = putColumns(x, rows, d, 0)
      const scores = put(out, slots * rows)
      const work = room(4 * d)
      const mean = room(d)
      const inverse = room(size)
      if (share === 1) {
        for (let p = 0; p < slots; p++) {
          const at = slots * d + p * (2 * size + 1)
          copy(params, p * d, d, mean)
          copy(params, at + size, size, inverse)
          const high = params[at + 2 * size]
          const to = 8 * (scores + p * rows)
          wasm.whiten(8 * cells, stride, rows, d, 8 * inverse, 8 * mean, 8 * work, high, to, 0)
        }
      } else {
        const z = room(d * stride)
        const at = slots * d + size
        heap.fill(0, mean, mean + d)
        copy(params, at, size, inverse)
        wasm.whiten(8 * cells, stride, rows, d, 8 * inverse, 8 * mean, 8 * work, 0, 0, 8 * z)
        if (centre.length < d) centre = new Float64Array(d)
        for (let p = 0; p < slots; p++) {
          whiteMean(params, at, p * d, d, centre)
          copy(centre, 0, d, mean)
          wasm.distances(8 * z, stride, rows, d, 8 * mean, params[at + size], 8 * (scores + p * rows))
        }
      }
      take(scores, slots * rows, out)
    },

    absorbDense(x, rows, d, slots, share, weights, stats) {
      if (rows < FEW || slots * rows > MANY) {
        absorbDense(x, rows, d, slots, share, weights, stats)
        return
      }
      top = start
      const length = slots * (1 + d)
      const sums = absorbRows(x, rows, d, slots, put(weights, slots * rows), share === 1)
      add(sums, length, stats, 0)
      if (share === 1) add(sums + next(length), slots * triangle(d), stats, length)
      else {
        top = start
        const all = absorbRows(x, rows, d, 1, put(totalWeights(weights, slots, rows), rows), true)
        add(all + next(1 + d), triangle(d), stats, length)
      }
    },

    absorbSlot(x, rows, d, weights, from, stats, sumsAt, triangleAt) {
      if (rows < FEW) {
        absorbSlot(x, rows, d, weights, from, stats, sumsAt, triangleAt)
        return
      }
      top = start
      const weight = room(rows)
      copy(weights, from, rows, weight)
      const sums = absorbRows(x, rows, d, 1, weight, triangleAt >= 0)
      if (sumsAt >= 0) add(sums, 1 + d, stats, sumsAt)
      if (triangleAt >= 0) add(sums + next(1 + d), triangle(d), stats, triangleAt)
    },

    scoreDiagonal(x, rows, d, slots, step, params, out) {
      if (rows < FEW || slots * rows > MANY) {
        scoreDiagonal(x, rows, d, slots, step, params, out)
        return
      }
      top = start
      const variances = step === 1 ? d : 1
      const reach = d + 2 * variances
      const cells = putColumns(x, rows, d, 0)
      const scores = put(out, slots * rows)
      const theta = put(params, slots * reach)
      for (let p = 0; p < slots; p++) {
        const precisions = theta + p * reach + d
        for (let v = 0; v < variances; v++) heap[precisions + v] *= 0.5
      }
      wasm.scoreColumns(8 * cells, strideOf(rows), rows, d, slots, step, 8 * theta, 8 * scores)
      take(scores, slots * rows, out)
    },

    absorbDiagonal(x, rows, d, slots, step, weights, stats) {
      if (rows < FEW || slots * rows > MANY) {
        absorbDiagonal(x, rows, d, slots, step, weights, stats)
        return
      }
      top = start
      const width = 2 * d + (step === 1 ? d : 1)
      const cells = putColumns(x, rows, d, 0)
      const weight = put(weights, slots * rows)
      const sums = room(slots * 3 * d)
      wasm.absorbColumns(8 * cells, strideOf(rows), rows, d, slots, 8 * weight, 8 * sums)
      for (let p = 0; p < slots; p++) {
        const at = sums + 3 * d * p
        add(at, 2 * d, stats, p * width)
        for (let j = 0; j < d; j++) stats[p * width + 2 * d + j * step] += heap[at + 2 * d + j]
      }
    },

    collapse(scores, k, size, sums) {
      if (size < FEW || k * size > MANY) {
        collapse(scores, k, size, sums)
        return
      }
      top = start
      const at = room((k + 2) * size)
      copy(scores, 0, k * size, at)
      wasm.collapse(8 * at, k, size)
      take(at, k * size, scores)
      take(at + k * size, 2 * size, sums)
    },
  }
}
