/** Tables, scores and codes of a chain in scratch memory, where tables of k states are padded to K. */
import { type ChainTables, strideOf } from "../chain-tables.ts"
import { even } from "./arena.ts"
import { Scratch } from "./scratch.ts"

/** Fewer states and steps than this are not worth the copies. */
const FEW = 64
/** As in assembly/chain.ts. */
export const STRIP = 32

export class ChainScratch extends Scratch {
  /** Empties the scratch; true if it is worth the copies, and there is memory for it. */
  open({ states: k }: ChainTables, steps: number, rows: number): boolean {
    const K = strideOf(k)
    this.top = this.start
    const needed = 3 * K * (steps + 10) + 4 * steps + 4 * K * K + 8 * K + 6 * rows + 2 * STRIP * (k + 1) + 100
    return k * steps >= FEW && needed <= this.length
  }

  copyInCodes(from: Int32Array, count: number): number {
    const at = 2 * this.take((count + 1) >> 1)
    this.integers.set(from.length === count ? from : from.subarray(0, count), at)
    return at
  }

  /** 1 for each sequence of this context, 0 for the others. */
  copyInMarks(contexts: Int32Array, context: number, rows: number): number {
    const at = 2 * this.take((rows + 1) >> 1)
    for (let i = 0; i < rows; i++) this.integers[at + i] = contexts[i] === context ? 1 : 0
    return at
  }

  copyOut(at: number, to: Float64Array, toAt: number, count: number): void {
    to.set(this.numbers.subarray(at, at + count), toAt)
  }

  /** A vector of k numbers, with `pad` up to K. */
  vector(from: Float64Array, k: number, K: number, pad: number): number {
    const at = this.take(K)
    for (let j = 0; j < K; j++) this.numbers[at + j] = j < k ? from[j] : pad
    return at
  }

  /** A table of k × k as one of K × K, by rows or transposed. */
  square(from: Float64Array, k: number, K: number, pad: number, isTransposed: boolean): number {
    const { numbers } = this
    const at = this.take(K * K)
    numbers.fill(pad, at, at + K * K)
    for (let i = 0; i < k; i++)
      for (let j = 0; j < k; j++) numbers[at + (isTransposed ? j * K + i : i * K + j)] = from[i * k + j]
    return at
  }

  /** The inverse of a transposed `square`. */
  squareOut(at: number, k: number, K: number, to: Float64Array): void {
    const { numbers } = this
    for (let i = 0; i < k; i++) for (let j = 0; j < k; j++) to[i * k + j] = numbers[at + j * K + i]
  }

  /** Backpointers of steps 1 to n − 1, without their padding. */
  pointersOut(at: number, n: number, k: number, K: number, to: Uint16Array, toAt: number): void {
    const { integers } = this
    for (let t = 1; t < n; t++) for (let j = 0; j < k; j++) to[toAt + t * k + j] = integers[at + t * K + j]
  }

  /**
   * The scores of the steps of all sequences, state by state; returns where step 0 would be. The stride leaves one more to be read, and keeps states out of
   * each other's cache lines.
   */
  scores(scores: Float64Array, at: number, column: number, k: number, from: number, to: number) {
    const stride = even(to - from) + 8
    const here = this.take(k * stride)
    for (let l = 0; l < k; l++) {
      const first = at + l * column
      this.numbers.set(scores.subarray(first + from, first + to), here + l * stride)
    }
    return { here: here - from, stride }
  }
}
