/**
 * The arena for rows, in five parts: scratch within one call; pinned rows, and what is computed with them; weights that are used for several columns;
 * the columns of the chunk that the door is reading; the scores of a question. Arrays that are already here are recognised and not copied.
 */
import { grow } from "../workspace.ts"
import { type Arena, even } from "./arena.ts"

/** Lengths of the parts, in numbers. */
const SCRATCH = 0x100000
const PINNED = 0x800000
const SUMS = 0x100000
const COLUMNS = 0x100000
const SCORES = 0x40000
/** The whole arena, in bytes. */
export const ROW_MEMORY = 8 * (SCRATCH + PINNED + SUMS + COLUMNS + SCORES)
/** Shorter arrays are not worth it. */
const FEW = 64
/** The number of arrays that are remembered. */
const MANY = 8192

/** A part of the arena, in numbers. */
export interface Stretch {
  readonly start: number
  readonly length: number
}

export class RowMemory {
  readonly arena: Arena
  readonly scratch: Stretch
  readonly pinned: Stretch
  readonly sums: Stretch
  /** The owner of the weights in `sums`. */
  sumsOwner: object | undefined

  readonly #columns: Stretch
  readonly #scores: Stretch
  /** Weak, so that an owner that fails before it releases its columns loses them when it is collected. */
  #owner: WeakRef<object> | undefined
  #lent: readonly Float64Array[] = []
  /** The arrays made so far, by start and length, and the byte offset of each: a map lookup takes a fifth of the time of `array.buffer`. */
  readonly #arrays = new Map<number, Float64Array>()
  readonly #places = new Map<Float64Array, number>()
  /** The array last returned by `scores`. */
  #current: Float64Array | undefined
  readonly #elsewhere = grow()

  constructor(arena: Arena) {
    const stretch = (length: number): Stretch => ({ start: arena.reserve(8 * length) / 8, length })
    this.arena = arena
    this.scratch = stretch(SCRATCH)
    this.pinned = stretch(PINNED)
    this.sums = stretch(SUMS)
    this.#columns = stretch(COLUMNS)
    this.#scores = stretch(SCORES)
  }

  /** The byte offset of this array; −1: it is not in this memory. */
  locate(array: Float64Array): number {
    return array === this.#current ? 8 * this.#scores.start : (this.#places.get(array) ?? -1)
  }

  /** The stride between these columns in numbers, if they are in this memory and evenly spaced; else 0. */
  strideOf(columns: readonly Float64Array[]): number {
    const at = this.locate(columns[0])
    if (at < 0) return 0
    const step = columns.length > 1 ? this.locate(columns[1]) - at : 8
    for (let j = 1; j < columns.length; j++) if (this.locate(columns[j]) !== at + j * step) return 0
    return Math.max(step / 8, 0)
  }

  // see ColumnMemory

  lend(owner: object, columns: number, rows: number): readonly Float64Array[] | undefined {
    // one more cache line, so that columns do not map to the same cache sets
    const stride = even(rows) + 8
    const current = this.#owner?.deref()
    if (current === owner) return this.#lent
    if (current || rows < FEW || columns * stride > COLUMNS) return undefined
    this.#owner = new WeakRef(owner)
    const { start } = this.#columns
    this.#lent = Array.from({ length: columns }, (_, j) => this.#array(start + j * stride, rows))
    return this.#lent
  }

  cut(column: Float64Array, from: number, to: number): Float64Array {
    const at = this.locate(column)
    return at < 0 ? column.subarray(from, to) : this.#array(at / 8 + from, to - from)
  }

  release(owner: object): void {
    if (this.#owner?.deref() === owner) this.#owner = undefined
  }

  /** Zeros for the scores of a block; the next call overwrites them. */
  scores(length: number): Float64Array {
    // posteriorRows needs space behind the scores
    if (length < FEW || 3 * length > SCORES) return this.#elsewhere(length)
    this.#current = this.#array(this.#scores.start, length)
    return this.#current.fill(0)
  }

  #array(start: number, length: number): Float64Array {
    const key = start * COLUMNS + length
    let array = this.#arrays.get(key)
    if (!array) {
      // a forgotten array still works: it is copied like any other
      if (this.#places.size > MANY) {
        this.#arrays.clear()
        this.#places.clear()
      }
      array = this.arena.numbers.subarray(start, start + length)
      this.#arrays.set(key, array)
      this.#places.set(array, 8 * start)
    }
    return array
  }
}
