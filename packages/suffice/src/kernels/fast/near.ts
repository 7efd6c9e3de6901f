/**
 * The memory in which rows are both held and computed on: the door writes a chunk's numbers into it, kernels take them where they stand.
 * It never grows, since that would take the arrays in it away from those who have them: what does not fit is copied elsewhere. One chunk
 * has it at a time.
 */
import type { NearColumn } from "../../contract.ts"
import { Memory, type WithMemory } from "./memory.ts"

/** What assembly/standardise.ts exports. Places are bytes. */
export interface NearExports extends WithMemory {
  standardise(...places: [x: number, count: number, shift: number, inverse: number, most: number]): number
}

/** Numbers that kernels may put beside the rows; and those of the rows. */
export const BESIDE = 0x100000
const ROWS = 0x100000
/** And of the scores of a block. */
const SCORES = 0x40000
/** Bytes of it all. */
export const NEAR = 8 * (2 * BESIDE + ROWS + SCORES)
/** Fewer rows are not worth it. */
const FEW = 64
/** More parts are not kept for the next. */
const MANY = 8192

export class Near<Wasm extends NearExports> {
  /** Beside the rows: used anew in every call. */
  readonly beside: Memory<Wasm>
  /** The same, where something is kept. */
  readonly kept: Memory<Wasm>
  /** By whom. */
  keeper: object | undefined
  /** Whoever never gives it back, since an error came between, loses it when it is collected. */
  #owner: WeakRef<object> | undefined
  #lent: NearColumn[] = []
  /** Parts of columns that were cut, by where they stand, and the bytes before them: to ask an array for its buffer takes five times as long. */
  readonly #parts = new Map<number, Float64Array>()
  readonly #places = new Map<Float64Array, number>()

  /** Scores that are lent, and their parts of the memory as arrays, by how many they are. */
  #scores: Float64Array | undefined
  readonly #rooms = new Map<number, Float64Array>()
  /** The bytes before them. */
  readonly #scoresAt: number

  /** An instance with a memory of `NEAR` bytes. */
  constructor(wasm: Wasm) {
    this.beside = new Memory(wasm)
    this.kept = new Memory(wasm, BESIDE)
    this.#scoresAt = 8 * (this.beside.start + 2 * BESIDE + ROWS)
  }

  /** The bytes before this part of a column; −1: it stands elsewhere. */
  placeOf(column: Float64Array): number {
    return this.#places.get(column) ?? -1
  }

  /** The numbers from column to column, where these stand here and follow each other evenly; else 0. */
  strideOf(columns: readonly Float64Array[]): number {
    const at = this.placeOf(columns[0])
    if (at < 0) return 0
    const step = columns.length > 1 ? this.placeOf(columns[1]) - at : 8
    for (let j = 1; j < columns.length; j++) if (this.placeOf(columns[j]) !== at + j * step) return 0
    return Math.max(step / 8, 0)
  }

  lend(owner: object, columns: number, rows: number): NearColumn[] | undefined {
    // whole registers, and a line of the cache more, so that columns do not fall into the same sets
    const stride = ((rows + 1) & -2) + 8
    const current = this.#owner?.deref()
    if (current === owner) return this.#lent
    if (current || rows < FEW || columns * stride > ROWS) return undefined
    this.#owner = new WeakRef(owner)
    // whoever has one of them still reads it, as one that stands elsewhere
    if (this.#places.size > MANY) {
      this.#parts.clear()
      this.#places.clear()
    }
    const { wasm, numbers: all, start } = this.beside
    this.#lent = Array.from({ length: columns }, (_, j) => {
      const first = start + 2 * BESIDE + j * stride
      const numbers = all.subarray(first, first + rows)
      return {
        numbers,
        cut: (from, to) => {
          const key = (first + from) * ROWS + to - from
          let part = this.#parts.get(key)
          if (!part) {
            part = numbers.subarray(from, to)
            this.#parts.set(key, part)
            this.#places.set(part, part.byteOffset)
          }
          return part
        },
        standardise(doubles, from, to, at, [shift, inverse], most) {
          if (to - from < FEW) return false
          numbers.set(doubles.subarray(from, to), at)
          return wasm.standardise(numbers.byteOffset + 8 * at, to - from, shift, inverse, most) !== 0
        },
      }
    })
    return this.#lent
  }

  lendScores(count: number): Float64Array | undefined {
    // two thirds of it stay free behind them, for sums
    if (this.#scores || count < FEW || 3 * count > SCORES) return undefined
    let scores = this.#rooms.get(count)
    if (!scores) {
      if (this.#rooms.size > MANY) this.#rooms.clear()
      const first = this.#scoresAt / 8
      scores = this.beside.numbers.subarray(first, first + count)
      this.#rooms.set(count, scores)
    }
    this.#scores = scores
    return scores.fill(0)
  }

  release(lent: object): void {
    if (lent === this.#scores) this.#scores = undefined
    else if (this.#owner?.deref() === lent) this.#owner = undefined
  }

  /** The bytes before these scores; −1: they stand elsewhere. */
  scoresAt(scores: Float64Array): number {
    return scores === this.#scores ? this.#scoresAt : -1
  }
}
