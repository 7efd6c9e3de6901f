/**
 * The rows of a call, as words that move read them: the addresses of a row's words and of their scaled counts, and how many there are. Blocks of
 * mini-batches are copied to the shelf on first use, and then read in place. All other rows are copied in for each call.
 */
import type { GatheredRows, Weigh } from "../word-memory.ts"
import type { WordRows } from "../word-rows.ts"
import type { Arena } from "./arena.ts"

/** Rows per call. */
export const ROWS = 256
/** Bytes per word of a row on the shelf, padding included. */
export const SHELVED = 16

export class RowTable {
  /** Three integers per row. */
  readonly entries: Int32Array
  readonly #words: Int32Array
  readonly #weighed: Float64Array
  readonly #shelf: Shelf
  /** The rows in the table, if it has all of them: a mini-batch is scored, and then moves. */
  #rows: WordRows | undefined
  #weigh: unknown

  /** `capacity`: words that are copied in for a call. */
  constructor(arena: Arena, capacity: number, shelf: Shelf) {
    this.entries = arena.allocateIntegers(3 * ROWS)
    this.#words = arena.allocateIntegers(capacity)
    this.#weighed = arena.allocate(capacity)
    this.#shelf = shelf
  }

  /** Enters rows from `first` on, as many as fit; returns the first one that does not. */
  copyIn<Rows extends GatheredRows<Rows>>(
    bags: Rows,
    weigh: Weigh<Rows>,
    first: number,
    rows: number,
  ): number {
    if (this.#rows === bags && this.#weigh === weigh) return rows
    const { picked } = bags
    let end = picked && this.#shelf.bytes > 0 ? this.#enter<Rows>(picked, weigh, first, rows) : first
    if (end === first) end = this.#copy(bags, weigh, first, rows)
    this.#rows = first === 0 && end === rows ? bags : undefined
    this.#weigh = weigh
    return end
  }

  /** Enters rows on the shelf, as many as fit; returns the first one that does not fit or is not there. */
  #enter<Rows extends GatheredRows<Rows>>(
    { from, rows: places }: NonNullable<Rows["picked"]>,
    weigh: Weigh<Rows>,
    first: number,
    rows: number,
  ): number {
    const end = Math.min(rows, first + ROWS)
    for (let i = first, to = 0; i < end; i++) {
      const { offsets } = from[i]
      const at = this.#shelf.place(from[i], weigh(from[i]))
      if (at === undefined) return i
      const begin = offsets[places[i]]
      const size = offsets[offsets.length - 1]
      to = this.#list(to, at + 8 * size, at, begin, offsets[places[i] + 1] - begin)
    }
    return end
  }

  #copy<Rows extends WordRows>(bags: Rows, weigh: Weigh<Rows>, first: number, rows: number): number {
    const { offsets } = bags
    const [words, weighed] = [this.#words, this.#weighed]
    const from = offsets[first]
    let end = first
    for (let to = 0; end < rows && end - first < ROWS && offsets[end + 1] - from <= words.length; end++) {
      const count = offsets[end + 1] - offsets[end]
      to = this.#list(to, words.byteOffset, weighed.byteOffset, offsets[end] - from, count)
    }
    words.set(bags.words.subarray(from, offsets[end]))
    weighed.set(weigh(bags).subarray(from, offsets[end]))
    return end
  }

  #list(to: number, words: number, weighed: number, begin: number, count: number): number {
    const { entries } = this
    entries[to] = words + 4 * begin
    entries[to + 1] = weighed + 8 * begin
    entries[to + 2] = count
    return to + 3
  }
}

/** Copies of blocks, as long as there is memory. */
export class Shelf {
  readonly bytes: number
  readonly #buffer: ArrayBuffer
  readonly #end: number
  #top: number
  /** Offsets of the blocks, by their array of scaled counts: another scaling has copies of its own. */
  readonly #places = new WeakMap<Float64Array, number>()

  constructor(arena: Arena, bytes: number) {
    this.bytes = bytes
    this.#buffer = arena.buffer
    this.#top = arena.reserve(bytes)
    this.#end = this.#top + bytes
  }

  /** The offset of a block's scaled counts, behind which are its words; undefined if there is no memory for it. */
  place({ offsets, words }: WordRows, x: Float64Array): number | undefined {
    const place = this.#places.get(x)
    if (place !== undefined) return place
    const size = offsets[offsets.length - 1]
    const at = this.#top
    if (at + SHELVED * size > this.#end) return undefined
    this.#top += (12 * size + 7) & -8
    new Float64Array(this.#buffer, at, size).set(x.subarray(0, size))
    new Int32Array(this.#buffer, at + 8 * size, size).set(words.subarray(0, size))
    this.#places.set(x, at)
    return at
  }
}
