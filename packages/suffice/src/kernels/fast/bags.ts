/**
 * Bags of words scored and counted in place: each large array of parameters or statistics has an arena of its own, by which it is recognised. Rows are
 * copied in, as many at a time as fit. Other arrays, and rows that are too long, are left to the plain twins.
 */
import { absorbEach, absorbOne, isOnce, scoreBags } from "../bag-rows.ts"
import type { BagKernels } from "../twins.ts"
import type { WordRows } from "../word-rows.ts"
import { type Arena, first as leading, type OpenArena } from "./arena.ts"
import type { RowMemory } from "./row-memory.ts"
import { copyColumns, MOVED } from "./words.ts"

/** Rows, words, and numbers per row and slot of one call, at most: a block of long documents. */
const ROWS = 480
const WORDS = 1 << 16
const CELLS = 1 << 14
/** The largest arena, in bytes. */
const MOST = 0x40000000
/** Longer arrays are not kept for reuse. */
const KEPT = 1 << 23

export function bagKernels(open: OpenArena, memory: RowMemory): BagKernels {
  const arenas = new WeakMap<ArrayBufferLike, BagArena>()
  /** The array last returned, for reuse: fresh memory costs as much, page by page, as counting words into it. */
  let idle: Float64Array | undefined

  function allocateWords(length: number): Float64Array | undefined {
    const bytes = 8 * length + 12 * WORDS + 8 * CELLS + 20 * ROWS
    const arena = bytes > MOST ? undefined : open(bytes)
    if (!arena) return undefined
    const own = new BagArena(arena, length)
    arenas.set(arena.buffer, own)
    return own.words
  }

  return {
    allocateWords,
    lendWords(length) {
      const found = idle
      if (!found || found.length < length) return allocateWords(length)
      idle = undefined
      return found.subarray(0, length)
    },
    returnWords({ buffer }) {
      const all = arenas.get(buffer)?.words
      if (all && all.length <= KEPT) idle = all
    },
    scoreBags(bags, x, rows, params, slots, out) {
      const arena = arenas.get(params.buffer)
      if (arena?.fits(bags, rows, slots)) arena.scoreBags(bags, x, rows, params, slots, out)
      else scoreBags(bags, x, rows, params, slots, out)
    },
    absorbOne(bags, x, rows, slot, weight, slots, stats) {
      const arena = arenas.get(stats.buffer)
      if (arena?.fits(bags, rows, 1)) arena.absorbOne(bags, x, rows, slot, weight, slots, stats)
      else absorbOne(bags, x, rows, slot, weight, slots, stats)
    },
    absorbEach(bags, x, rows, values, slots, stats) {
      const arena = arenas.get(stats.buffer)
      if (arena?.fits(bags, rows, slots)) arena.absorbEach(bags, x, rows, values, slots, stats)
      else absorbEach(bags, x, rows, values, slots, stats)
    },
    logWords: (...given) => logWords(memory, ...given),
  }
}

class BagArena {
  readonly #arena: Arena
  /** The parameters or statistics. */
  readonly words: Float64Array
  // the rows of one call, and their weights
  readonly #offsets: Int32Array
  readonly #codes: Int32Array
  readonly #weighed: Float64Array
  readonly #offsetsAt: number
  readonly #codesAt: number
  readonly #weighedAt: number
  readonly #matrix: Float64Array
  readonly #slotOf: Int32Array
  readonly #weightOf: Float64Array
  /** How many of the first numbers of #weighed are 1. */
  #ones = 0

  constructor(arena: Arena, length: number) {
    this.#arena = arena
    this.#offsets = arena.allocateIntegers(ROWS + 2)
    this.#codes = arena.allocateIntegers(WORDS)
    this.#weighed = arena.allocate(WORDS)
    this.#offsetsAt = this.#offsets.byteOffset
    this.#codesAt = this.#codes.byteOffset
    this.#weighedAt = this.#weighed.byteOffset
    // padded, as some kernels take two at a time
    this.#matrix = arena.allocate(CELLS + 2)
    this.#slotOf = arena.allocateIntegers(ROWS)
    this.#weightOf = arena.allocate(ROWS)
    this.words = arena.allocate(length)
  }

  /** Is there memory for each of the rows, and for scratch of one row? */
  fits(bags: WordRows, rows: number, slots: number): boolean {
    if (bags.offsets[rows] > WORDS)
      for (let i = 0; i < rows; i++) if (bags.offsets[i + 1] - bags.offsets[i] > WORDS) return false
    return 2 * slots <= CELLS
  }

  /** Copies rows [first, end) in, as many as fit; returns end. */
  #copyIn(bags: WordRows, x: Float64Array, rows: number, first: number, slots: number): number {
    const offsets = this.#offsets
    const codes = this.#codes
    const weighed = this.#weighed
    const from = bags.offsets[first]
    const most = Math.min(ROWS, Math.floor(CELLS / slots) - 1)
    let end = first
    if (first + from === 0 && rows <= most && bags.offsets[rows] <= WORDS) {
      end = rows
      offsets.set(leading(bags.offsets, rows + 1))
    }
    while (end < rows && end - first < most && bags.offsets[end + 1] - from <= WORDS) {
      offsets[++end - first] = bags.offsets[end] - from
    }
    const count = bags.offsets[end] - from
    const isSet = isOnce(x)
    if (!isSet) this.#ones = 0
    else for (; this.#ones < count; this.#ones++) weighed[this.#ones] = 1
    if (count > MOVED) {
      codes.set(bags.words.subarray(from, from + count))
      if (!isSet) weighed.set(x.subarray(from, from + count))
      return end
    }
    for (let t = 0; t < count; t++) {
      codes[t] = bags.words[from + t]
      weighed[t] = x[from + t]
    }
    return end
  }

  scoreBags: typeof scoreBags = (bags, x, rows, params, slots, out) => {
    const matrix = this.#matrix
    for (let first = 0, end = 0; first < rows; first = end) {
      end = this.#copyIn(bags, x, rows, first, slots)
      const count = end - first
      copyColumns(slots, count, out, first, rows, matrix, 0, count)
      this.#arena.wasm.scoreBags(
        this.#offsetsAt,
        this.#codesAt,
        this.#weighedAt,
        count,
        params.byteOffset,
        params.length - slots,
        slots,
        matrix.byteOffset,
        matrix.byteOffset + 8 * count * slots,
      )
      copyColumns(slots, count, matrix, 0, count, out, first, rows)
    }
  }

  absorbOne: typeof absorbOne = (bags, x, rows, slot, weight, slots, stats) => {
    for (let first = 0, end = 0; first < rows; first = end) {
      end = this.#copyIn(bags, x, rows, first, 1)
      this.#slotOf.set(slot.subarray(first, end))
      this.#weightOf.set(weight.subarray(first, end))
      this.#arena.wasm.absorbOne(
        this.#offsetsAt,
        this.#codesAt,
        this.#weighedAt,
        end - first,
        this.#slotOf.byteOffset,
        this.#weightOf.byteOffset,
        stats.byteOffset,
        stats.length - slots,
        slots,
      )
    }
  }

  absorbEach: typeof absorbEach = (bags, x, rows, values, slots, stats) => {
    const matrix = this.#matrix
    for (let first = 0, end = 0; first < rows; first = end) {
      end = this.#copyIn(bags, x, rows, first, slots)
      for (let p = 0; p < slots; p++) {
        for (let i = first; i < end; i++) matrix[(i - first) * slots + p] = values[p * rows + i]
      }
      this.#arena.wasm.absorbEach(
        this.#offsetsAt,
        this.#codesAt,
        this.#weighedAt,
        end - first,
        matrix.byteOffset,
        stats.byteOffset,
        stats.length - slots,
        slots,
      )
    }
  }
}

/** In pieces that stay in the cache. */
function logWords(
  { arena: { wasm, numbers }, scratch: { start } }: RowMemory,
  ...[counts, alpha, table, totals, logs]: Parameters<BagKernels["logWords"]>
): boolean {
  const slots = totals.length
  if (table.length + slots > CELLS) return false
  const sums = start + table.length
  const some = sums + CELLS
  numbers.set(table, start)
  numbers.set(totals, sums)
  const most = CELLS - (CELLS % slots)
  for (let from = 0; from < counts.length; from += most) {
    const count = Math.min(most, counts.length - from)
    numbers.set(counts.subarray(from, from + count), some)
    if (!wasm.logWords(8 * some, count, slots, alpha, 8 * start, 8 * sums)) return false
    logs.set(numbers.subarray(some, some + count), from)
  }
  totals.set(numbers.subarray(sums, sums + slots))
  return true
}
