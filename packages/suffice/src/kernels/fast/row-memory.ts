/**
 * The arena that rows are computed in. Its parts: scratch for the length of one call; rows that are pinned, and what is computed with them; weights
 * that stay for several columns; the columns of the chunk that the door reads; the scores of a question. What lies here already is recognised, and
 * never copied in.
 */
import { grow } from "../workspace.ts"
import { type Arena, even } from "./arena.ts"

/** In numbers. */
const SCRATCH = 0x100000
const PINNED = 0x800000
const SUMS = 0x100000
const COLUMNS = 0x100000
const SCORES = 0x40000
/** Bytes of it all. */
export const ROW_MEMORY = 8 * (SCRATCH + PINNED + SUMS + COLUMNS + SCORES)
/** Fewer numbers are not worth it. */
const FEW = 64
/** More arrays are not remembered. */
const MANY = 8192

/** Part of the arena: its first number, and how many there are. */
export interface Stretch {
  readonly start: number
  readonly length: number
}

export class RowMemory {
  readonly arena: Arena
  readonly scratch: Stretch
  readonly pinned: Stretch
  readonly sums: Stretch
  /** Whose weights these are. */
  sumsOwner: object | undefined

  readonly #columns: Stretch
  readonly #scores: Stretch
  /** An owner that never releases its columns, since an error came between, loses them when it is collected. */
  #owner: WeakRef<object> | undefined
  #lent: readonly Float64Array[] = []
  /** Arrays that were handed out, by where they begin and how long they are, and the bytes before each: to ask an array for its buffer takes five times as long. */
  readonly #arrays = new Map<number, Float64Array>()
  readonly #places = new Map<Float64Array, number>()
  /** The scores that were handed out last. */
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

  /** The bytes before this array; −1: it lies elsewhere. */
  locate(array: Float64Array): number {
    return array === this.#current ? 8 * this.#scores.start : (this.#places.get(array) ?? -1)
  }

  /** The numbers from column to column, where these lie here and follow each other evenly; else 0. */
  strideOf(columns: readonly Float64Array[]): number {
    const at = this.locate(columns[0])
    if (at < 0) return 0
    const step = columns.length > 1 ? this.locate(columns[1]) - at : 8
    for (let j = 1; j < columns.length; j++) if (this.locate(columns[j]) !== at + j * step) return 0
    return Math.max(step / 8, 0)
  }

  // as ColumnMemory has them

  lend(owner: object, columns: number, rows: number): readonly Float64Array[] | undefined {
    // a line of the cache more, so that columns do not fall into the same sets
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

  /** Zeros for the scores of a block, good until the next. */
  scores(length: number): Float64Array {
    // two thirds stay free behind them, for sums
    if (length < FEW || 3 * length > SCORES) return this.#elsewhere(length)
    this.#current = this.#array(this.#scores.start, length)
    return this.#current.fill(0)
  }

  #array(start: number, length: number): Float64Array {
    const key = start * COLUMNS + length
    let array = this.#arrays.get(key)
    if (!array) {
      // who still has a forgotten one reads it as one that lies elsewhere
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
