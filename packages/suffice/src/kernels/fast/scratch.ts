/** Stack allocation within a stretch of the arena: a call reserves numbers one after the other, and the next call starts again. */
import { type Arena, even } from "./arena.ts"
import type { Exports } from "./exports.ts"
import type { Stretch } from "./row-memory.ts"

/** Longer copies are faster by `set` than by a loop. */
export const MOVED = 64

export class Scratch {
  readonly wasm: Exports
  readonly numbers: Float64Array
  readonly integers: Int32Array
  readonly start: number
  readonly length: number
  /** The first free number. */
  top: number

  constructor({ wasm, numbers, integers }: Arena, { start, length }: Stretch) {
    this.wasm = wasm
    this.numbers = numbers
    this.integers = integers
    this.start = start
    this.length = length
    this.top = start
  }

  /** Reserves this many numbers, aligned to a register; returns where they begin. */
  take(count: number): number {
    const at = this.top
    this.top += even(count)
    return at
  }

  copy(from: Float64Array, at: number, count: number, to: number): void {
    const { numbers } = this
    if (at === 0 && from.length === count) numbers.set(from, to)
    else if (count > MOVED) numbers.set(from.subarray(at, at + count), to)
    else for (let i = 0; i < count; i++) numbers[to + i] = from[at + i]
  }

  copyIn(from: Float64Array, count: number): number {
    const at = this.take(count)
    this.copy(from, 0, count, at)
    return at
  }
}
