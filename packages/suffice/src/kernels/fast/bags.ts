/**
 * A room for bags of words in the memory of a WebAssembly instance of its own: parameters or statistics are views on it. The memory is made
 * large enough at once, since growing it would take the views away. Rows are copied in, as many at a time as there is room for.
 */
import { type BagRoom, nameBagRoom } from "../bag-rooms.ts"
import { absorbEach, absorbOne, isOnce, isWhole, scoreBags } from "../bag-rows.ts"
import type { WordRows } from "../word-rows.ts"
import { first as leading } from "./memory.ts"
import { copyColumns, MOVED, opened, type WordExports } from "./words.ts"

/** What assembly/bags.ts exports. Pointers are bytes. */
export interface BagExports extends WordExports {
  scoreBags(...places: [...Rows, params: number, size: number, slots: number, out: number, row: number]): void
  absorbOne(...places: [...Rows, slot: number, weight: number, ...Stats]): void
  absorbEach(...places: [...Rows, values: number, ...Stats]): void
  absorbWhole: BagExports["absorbOne"]
  largestWhole(counts: number, length: number): number
  logWords(
    ...places: [counts: number, size: number, slots: number, alpha: number, table: number, totals: number]
  ): number
}
type Rows = [offsets: number, words: number, weighed: number, rows: number]
type Stats = [stats: number, size: number, slots: number]

/** Rows, words, and numbers by row and slot that are handed over at once, at most: a block of long documents. */
const ROWS = 480
const WORDS = 1 << 16
const CELLS = 1 << 14
const LINE = 64
/** A memory of this many bytes is given to nobody. */
const MOST = 0x40000000

/** Room for so many numbers; undefined where it would be too large. */
export function wasmBags(open: (bytes: number) => BagExports, numbers: number): BagRoom | undefined {
  const bytes = 8 * numbers + 12 * WORDS + 8 * CELLS + 20 * ROWS + 9 * LINE
  const wasm = bytes > MOST ? undefined : (opened(open, bytes) as BagExports | undefined)
  if (!wasm) return undefined
  const { buffer } = wasm.memory
  let top = Math.ceil(wasm.heapBase() / 16) * 16
  const array = (length: number): Float64Array => {
    const made = new Float64Array(buffer, top, length)
    top += (8 * length + 15) & -16
    return made
  }
  const whole = (length: number): Int32Array => new Int32Array(buffer, array(length / 2).byteOffset, length)
  const offsets = whole(ROWS + 2)
  const words = whole(WORDS)
  // and one more, for those that take two at a time
  const weighed = array(WORDS + 2)
  const matrix = array(CELLS + 2)
  const slotOf = whole(ROWS)
  const weightOf = array(ROWS)
  const [offsetsAt, wordsAt, weighedAt] = [offsets, words, weighed].map(({ byteOffset }) => byteOffset)

  /** So many of what is weighed are 1. */
  let ones = 0

  /** Is there room for each of the rows, and one to work in? */
  function fits(bags: WordRows, rows: number, slots: number): boolean {
    if (bags.offsets[rows] > WORDS)
      for (let i = 0; i < rows; i++) if (bags.offsets[i + 1] - bags.offsets[i] > WORDS) return false
    return 2 * slots <= CELLS
  }

  /** Brings rows [first, end): as many of them as there is room for. */
  function bring(bags: WordRows, x: Float64Array, rows: number, first: number, slots: number): number {
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
    if (!isSet) ones = 0
    else for (; ones < count; ones++) weighed[ones] = 1
    if (count > MOVED) {
      words.set(bags.words.subarray(from, from + count))
      if (!isSet) weighed.set(x.subarray(from, from + count))
      return end
    }
    for (let t = 0; t < count; t++) {
      words[t] = bags.words[from + t]
      weighed[t] = x[from + t]
    }
    return end
  }

  // Where rows are too long the other twin does the work, on the same arrays.
  const room: BagRoom = {
    // from the beginning of a line of the cache: words then reach into fewer of them
    numbers(length) {
      top = Math.ceil(top / LINE) * LINE
      return array(length)
    },
    scoreBags(bags, x, rows, params, slots, out) {
      const size = params.length - slots
      if (!fits(bags, rows, slots)) return scoreBags(bags, x, rows, params, slots, out)
      for (let first = 0, end = 0; first < rows; first = end) {
        end = bring(bags, x, rows, first, slots)
        const count = end - first
        const work = matrix.byteOffset + 8 * count * slots
        copyColumns(slots, count, out, first, rows, matrix, 0, count)
        wasm.scoreBags(
          offsetsAt,
          wordsAt,
          weighedAt,
          count,
          params.byteOffset,
          size,
          slots,
          matrix.byteOffset,
          work,
        )
        copyColumns(slots, count, matrix, 0, count, out, first, rows)
      }
    },
    absorbOne(bags, x, rows, slot, weight, slots, stats) {
      const size = stats.length - slots
      if (!fits(bags, rows, 1)) return absorbOne(bags, x, rows, slot, weight, slots, stats)
      for (let first = 0, end = 0; first < rows; first = end) {
        end = bring(bags, x, rows, first, 1)
        slotOf.set(slot.subarray(first, end))
        weightOf.set(weight.subarray(first, end))
        const absorb = isWhole(stats) ? wasm.absorbWhole : wasm.absorbOne
        absorb(
          offsetsAt,
          wordsAt,
          weighedAt,
          end - first,
          slotOf.byteOffset,
          weightOf.byteOffset,
          stats.byteOffset,
          size,
          slots,
        )
      }
    },
    absorbEach(bags, x, rows, values, slots, stats) {
      const size = stats.length - slots
      if (isWhole(stats) || !fits(bags, rows, slots)) {
        absorbEach(bags, x, rows, values, slots, stats)
        return
      }
      for (let first = 0, end = 0; first < rows; first = end) {
        end = bring(bags, x, rows, first, slots)
        for (let p = 0; p < slots; p++) {
          for (let i = first; i < end; i++) matrix[(i - first) * slots + p] = values[p * rows + i]
        }
        wasm.absorbEach(
          offsetsAt,
          wordsAt,
          weighedAt,
          end - first,
          matrix.byteOffset,
          stats.byteOffset,
          size,
          slots,
        )
      }
    },
    largestWhole(counts) {
      let most = 0
      ones = 0
      for (let from = 0; from < counts.length && most < Infinity; from += WORDS) {
        const some = counts.subarray(from, from + WORDS)
        weighed.set(some)
        most = Math.max(most, wasm.largestWhole(weighed.byteOffset, some.length))
      }
      return most
    },
    // so many at a time that they stay in the cache on their way
    logWords(counts, alpha, table, totals, logs) {
      const slots = totals.length
      if (table.length + slots > CELLS) return false
      ones = 0
      const sums = matrix.subarray(table.length, table.length + slots)
      matrix.set(table)
      sums.set(totals)
      const most = CELLS - (CELLS % slots)
      for (let from = 0; from < counts.length; from += most) {
        const some = counts.subarray(from, from + most)
        weighed.set(some)
        const given = [weighed.byteOffset, some.length, slots, alpha] as const
        if (!wasm.logWords(...given, matrix.byteOffset, sums.byteOffset)) return false
        logs.set(weighed.subarray(0, some.length), from)
      }
      totals.set(sums)
      return true
    },
  }
  nameBagRoom(buffer, room)
  return room
}
