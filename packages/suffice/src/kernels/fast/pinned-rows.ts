/**
 * The rows that kernels compute with. Rows outside their memory are copied in when they are pinned, and stay until others are pinned. A call copies its
 * other arguments in behind them, and its results out.
 */
import { COLUMN } from "../pin.ts"
import { triangle } from "../triangle.ts"
import type { RowMemory } from "./row-memory.ts"
import { MOVED, Scratch } from "./scratch.ts"

/** Below this many rows (or sums over values) the copies cost more than they save. */
export const FEW = 8
/** Most views that are cached. */
const VIEWS = 500

export class PinnedRows extends Scratch {
  /** The first number, and the stride of the columns. */
  cells: number
  stride = 0
  /** 1 if no cell is missing. */
  complete = 0
  readonly #memory: RowMemory
  #columns: readonly Float64Array[] | undefined
  #rows = 0
  /** The first number behind the rows. */
  #behind: number
  readonly #views = new Map<number, Float64Array>()

  constructor(memory: RowMemory) {
    super(memory.arena, memory.pinned)
    this.#memory = memory
    this.cells = this.start
    this.#behind = this.start
  }

  /** True if there are enough rows, and memory for them, for three copies of them, and for scores, parameters and statistics of all slots. */
  isWorth(rows: number, d: number, slots: number): boolean {
    const size = triangle(d + 4)
    return (
      rows >= FEW && 4 * (d + 4) * strideOf(rows) + (slots + 4) * (rows + 3 * d + size + 16) <= this.length
    )
  }

  /** Copies these rows in, unless they are in this memory. */
  pin(x: readonly Float64Array[], rows: number, d: number): void {
    this.top = this.start
    this.stride = this.#memory.strideOf(x)
    if (this.stride > 0) this.cells = this.#memory.locate(x[0]) / 8
    else {
      this.stride = strideOf(rows)
      this.cells = this.take(d * this.stride)
      for (let j = 0; j < d; j++) this.copy(x[j], 0, rows, this.cells + j * this.stride)
    }
    this.#columns = x
    this.#rows = rows
    this.#behind = this.top
    this.complete = this.wasm.holes(8 * this.cells, this.stride, rows, d) ? 0 : 1
  }

  unpin(): void {
    this.#columns = undefined
  }

  /** Pins these rows, unless they are pinned; allocation continues behind them. */
  open(x: readonly Float64Array[], rows: number, d: number): void {
    if (this.#columns !== x || this.#rows !== rows) this.pin(x, rows, d)
    this.top = this.#behind
  }

  /** True if there is memory for this many numbers behind the pinned rows. */
  openBehind(count: number): boolean {
    this.top = this.#behind
    return this.top + count <= this.start + this.length
  }

  /** Copies by `set` if the same count is likely to come again, as its view is then cached. */
  copyOut(at: number, count: number, to: Float64Array, toAt = 0, again = to.length === count): void {
    const { numbers } = this
    if (again && count > MOVED) to.set(this.#view(at, count), toAt)
    else for (let i = 0; i < count; i++) to[toAt + i] = numbers[at + i]
  }

  /** Place of the scores in this memory, or of a copy with `more` free numbers behind it. */
  copyInScores(scores: Float64Array, count: number, more = 0): number {
    const here = this.#memory.locate(scores)
    if (here >= 0) return here / 8
    const at = this.take(count + more)
    this.copy(scores, 0, count, at)
    return at
  }

  copyOutScores(at: number, count: number, scores: Float64Array): void {
    if (this.#memory.locate(scores) < 0) this.copyOut(at, count, scores)
  }

  /** Part of the memory as an array; cached, since block after block needs the same. */
  #view(at: number, count: number): Float64Array {
    const key = at * 0x1000000 + count
    let view = this.#views.get(key)
    if (!view) {
      if (this.#views.size > VIEWS) this.#views.clear()
      view = this.numbers.subarray(at, at + count)
      this.#views.set(key, view)
    }
    return view
  }
}

/** Whole tiles of four, and one more cache line, so that columns do not map to the same cache sets. */
export function tiles(count: number): number {
  return ((count + 3) & -4) + 8
}

/** Numbers per column: the same for all blocks of the usual size. */
export function strideOf(rows: number): number {
  return Math.max(tiles(rows), COLUMN)
}
