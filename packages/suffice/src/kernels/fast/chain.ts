/** Chains in the scratch of the row memory: everything is copied in and out for each call. Calls that are small, or too large for it, go to the plain twins, to the same bits. */
import { bestPaths } from "../best-paths.ts"
import { backwardRows, type ChainKernels, forwardRows } from "../chain.ts"
import { type ChainTables, strideOf } from "../chain-tables.ts"
import { even } from "./arena.ts"
import type { RowMemory } from "./row-memory.ts"

/** Fewer states and steps than this are not worth the copies. */
const FEW = 64
/** As in assembly/chain.ts. */
const STRIP = 32

export function chainKernels({
  arena: { wasm, numbers, integers },
  scratch: { start, length },
}: RowMemory): ChainKernels {
  let top = start

  const take = (count: number): number => {
    const at = top
    top += even(count)
    return at
  }

  function copyIn(from: Float64Array, fromAt: number, count: number): number {
    const at = take(count)
    numbers.set(fromAt === 0 && from.length === count ? from : from.subarray(fromAt, fromAt + count), at)
    return at
  }

  function copyInCodes(from: Int32Array, count: number): number {
    const at = 2 * take((count + 1) >> 1)
    integers.set(from.length === count ? from : from.subarray(0, count), at)
    return at
  }

  function copyOut(at: number, to: Float64Array, toAt: number, count: number): void {
    to.set(numbers.subarray(at, at + count), toAt)
  }

  /** A vector of k numbers, with `pad` up to K. */
  function vector(from: Float64Array, k: number, K: number, pad: number): number {
    const at = take(K)
    for (let j = 0; j < K; j++) numbers[at + j] = j < k ? from[j] : pad
    return at
  }

  /** A table of k × k as one of K × K, by rows or `turned` by columns. */
  function square(from: Float64Array, k: number, K: number, pad: number, isTurned: boolean): number {
    const at = take(K * K)
    numbers.fill(pad, at, at + K * K)
    for (let i = 0; i < k; i++)
      for (let j = 0; j < k; j++) numbers[at + (isTurned ? j * K + i : i * K + j)] = from[i * k + j]
    return at
  }

  /** The scores of the steps of all sequences, state by state; returns where step 0 would be. The stride leaves one more to be read, and keeps states out of each other's cache lines. */
  function scoresIn(scores: Float64Array, at: number, column: number, k: number, from: number, to: number) {
    const stride = even(to - from) + 8
    const here = take(k * stride)
    for (let l = 0; l < k; l++) {
      const first = at + l * column
      numbers.set(scores.subarray(first + from, first + to), here + l * stride)
    }
    return { here: here - from, stride }
  }

  /** Is it worth the copies, and is there memory for it? */
  function open({ states: k }: ChainTables, steps: number, rows: number): boolean {
    const K = strideOf(k)
    top = start
    const needed = 3 * K * (steps + 10) + 4 * steps + 4 * K * K + 8 * K + 6 * rows + 2 * STRIP * (k + 1) + 100
    return k * steps >= FEW && needed <= length
  }

  return {
    forwardRows(table, scores, at, column, tags, offsets, rows, held, sums) {
      const [from, to] = [offsets[0], offsets[rows]]
      const steps = to - from
      if (!open(table, to, rows)) {
        forwardRows(table, scores, at, column, tags, offsets, rows, held, sums)
        return
      }
      const k = table.states
      const K = strideOf(k)
      const { here, stride } = scoresIn(scores, at, column, k, from, to)
      const b = take(K * to)
      const alpha = take(K * to)
      const scale = take(to)
      const tops = take(to)
      const found = take(rows)
      wasm.forwardRows(
        k,
        K,
        table.hasZeros ? 1 : 0,
        8 * vector(table.initial, k, K, 0),
        8 * square(table.transitions, k, K, 0, false),
        8 * vector(table.ends, k, K, 0),
        8 * here,
        stride,
        tags ? 4 * copyInCodes(tags, to) : 0,
        4 * copyInCodes(offsets, rows + 1),
        rows,
        8 * b,
        8 * alpha,
        8 * scale,
        8 * tops,
        8 * found,
        8 * take(2 * STRIP * (k + 1)),
      )
      copyOut(b + K * from, held.b, K * from, K * steps)
      copyOut(alpha + K * from, held.alpha, K * from, K * steps)
      copyOut(scale + from, held.scale, from, steps)
      copyOut(tops + from, held.tops, from, steps)
      copyOut(found, sums, 0, rows)
    },

    backwardRows(table, held, offsets, rows, weights, values, at, column, counts, terms) {
      const [from, to] = [offsets[0], offsets[rows]]
      if (!open(table, to, rows)) {
        backwardRows(table, held, offsets, rows, weights, values, at, column, counts, terms)
        return
      }
      const k = table.states
      const K = strideOf(k)
      const stride = even(to - from) + 8
      const gamma = take(k * stride)
      const own = square(counts, k, K, 0, true)
      const found = take(rows)
      wasm.backwardRows(
        k,
        K,
        8 * square(table.transitions, k, K, 0, true),
        8 * square(table.logTransitions, k, K, 0, true),
        8 * vector(table.ends, k, K, 0),
        8 * copyIn(held.b, 0, K * to),
        8 * copyIn(held.alpha, 0, K * to),
        8 * copyIn(held.scale, 0, to),
        4 * copyInCodes(offsets, rows + 1),
        rows,
        8 * copyIn(weights, 0, rows),
        8 * (gamma - from),
        stride,
        8 * own,
        8 * found,
        8 * take(K * K + 3 * K),
      )
      for (let l = 0; l < k; l++) copyOut(gamma + l * stride, values, at + l * column + from, to - from)
      for (let i = 0; i < k; i++) for (let j = 0; j < k; j++) counts[i * k + j] = numbers[own + j * K + i]
      copyOut(found, terms, 0, rows)
    },

    bestPaths(table, scores, at, column, tags, margin, offsets, rows, wanted, which, path, heights, ways) {
      const [from, to] = [offsets[0], offsets[rows]]
      if (!open(table, to, rows)) {
        bestPaths(table, scores, at, column, tags, margin, offsets, rows, wanted, which, path, heights, ways)
        return
      }
      const k = table.states
      const K = strideOf(k)
      const { here, stride } = scoresIn(scores, at, column, k, from, to)
      const chosen = 2 * take((rows + 1) >> 1)
      for (let i = 0; i < rows; i++) integers[chosen + i] = wanted[i] === which ? 1 : 0
      const found = copyInCodes(path, to)
      const tall = copyIn(heights, 0, rows)
      const pointers = take((K * (to - from)) >> 1)
      const work = take(3 * K)
      wasm.bestPaths(
        k,
        K,
        8 * vector(table.logInitial, k, K, -Infinity),
        8 * square(table.logTransitions, k, K, -Infinity, false),
        8 * vector(table.logEnds, k, K, -Infinity),
        8 * here,
        stride,
        tags ? 4 * copyInCodes(tags, to) : 0,
        margin,
        4 * copyInCodes(offsets, rows + 1),
        rows,
        4 * chosen,
        4 * found,
        8 * tall,
        8 * pointers,
        8 * work,
      )
      if (ways) {
        // two arrays that take turns, step by step
        copyOut(work + ((to - from) % 2) * K, ways.last, 0, k)
        for (let n = 1; n < to - from; n++)
          for (let j = 0; j < k; j++) ways.pointers[ways.at + n * k + j] = integers[2 * pointers + n * K + j]
      }
      path.set(integers.subarray(found, found + to))
      copyOut(tall, heights, 0, rows)
    },
  }
}
