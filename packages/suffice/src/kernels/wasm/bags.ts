/**
 * A room for bags of words in the memory of a WebAssembly instance of its own: parameters or statistics are views on it. The memory is made
 * large enough at once, since growing it would take the views away. Rows are copied in, as many at a time as there is room for.
 */
import { type BagRoom, nameBagRoom } from "../bag-rooms.ts"
import { absorbEach, absorbOne, scoreBags } from "../bag-rows.ts"
import type { WordRows } from "../word-rows.ts"
import { opened, type WordExports } from "./words.ts"

/** What assembly/bags.ts exports. Pointers are bytes. */
export interface BagExports extends WordExports {
  scoreBags(...places: [...Rows, params: number, size: number, slots: number, out: number]): void
  absorbOne(...places: [...Rows, slot: number, weight: number, ...Stats]): void
  absorbEach(...places: [...Rows, values: number, ...Stats]): void
}
type Rows = [offsets: number, words: number, weighed: number, rows: number]
type Stats = [stats: number, size: number, slots: number]

/** Rows, and words, that are handed over at once, at most: a block of long documents. A longer row goes to the TypeScript twins. */
const ROWS = 256
const WORDS = 1 << 16
/** A memory of this many bytes is given to nobody. */
const MOST = 0x40000000

/** Room for so many numbers, of rows with so many slots; undefined where it would be too large. */
export function wasmBags(open: () => BagExports, numbers: number, slots: number): BagRoom | undefined {
  const bytes = 8 * numbers + 4 * (ROWS + 1) + 12 * WORDS + 8 * ROWS * slots + 12 * ROWS + 1024
  const wasm = bytes > MOST ? undefined : (opened(open, bytes) as BagExports | undefined)
  if (!wasm) return undefined
  const { buffer } = wasm.memory
  let top = Math.ceil(wasm.heapBase() / 16) * 16
  const take = (length: number): number => {
    const at = top
    top = Math.ceil((top + length) / 16) * 16
    return at
  }
  const offsets = new Int32Array(buffer, take(4 * (ROWS + 1)), ROWS + 1)
  const words = new Int32Array(buffer, take(4 * WORDS), WORDS)
  const weighed = new Float64Array(buffer, take(8 * WORDS), WORDS)
  const matrix = new Float64Array(buffer, take(8 * ROWS * slots), ROWS * slots)
  const slotOf = new Int32Array(buffer, take(4 * ROWS), ROWS)
  const weightOf = new Float64Array(buffer, take(8 * ROWS), ROWS)
  const rowsAt = [offsets.byteOffset, words.byteOffset, weighed.byteOffset] as const

  /** Copies rows from `first` on, as many as there is room for; returns the first that was left out. */
  function bring(bags: WordRows, x: Float64Array, first: number, rows: number): number {
    const from = bags.offsets[first]
    let end = first
    while (end < rows && end - first < ROWS && bags.offsets[end + 1] - from <= WORDS) {
      offsets[++end - first] = bags.offsets[end] - from
    }
    const to = bags.offsets[end]
    words.set(bags.words.subarray(from, to))
    weighed.set(x.subarray(from, to))
    return end
  }

  /** Is every row short enough, and are these the slots? Else the other twin does the work, on the same arrays. */
  function fits({ offsets }: WordRows, rows: number, over: number): boolean {
    if (over > slots) return false
    if (offsets[rows] - offsets[0] <= WORDS) return true
    for (let i = 0; i < rows; i++) if (offsets[i + 1] - offsets[i] > WORDS) return false
    return true
  }

  const room: BagRoom = {
    numbers: length => new Float64Array(buffer, take(8 * length), length),
    scoreBags(bags, x, rows, params, over, out) {
      if (!fits(bags, rows, over)) return scoreBags(bags, x, rows, params, over, out)
      const size = params.length - over
      for (let first = 0; first < rows; ) {
        const end = bring(bags, x, first, rows)
        wasm.scoreBags(...rowsAt, end - first, params.byteOffset, size, over, matrix.byteOffset)
        for (let i = first; i < end; i++) {
          if (bags.offsets[i] === bags.offsets[i + 1]) continue
          const at = (i - first) * over
          for (let p = 0; p < over; p++) out[p * rows + i] += matrix[at + p]
        }
        first = end
      }
    },
    absorbOne(bags, x, rows, slot, weight, over, stats) {
      if (!fits(bags, rows, over)) return absorbOne(bags, x, rows, slot, weight, over, stats)
      for (let first = 0; first < rows; ) {
        const end = bring(bags, x, first, rows)
        slotOf.set(slot.subarray(first, end))
        weightOf.set(weight.subarray(first, end))
        const own = [slotOf.byteOffset, weightOf.byteOffset] as const
        wasm.absorbOne(...rowsAt, end - first, ...own, stats.byteOffset, stats.length - over, over)
        first = end
      }
    },
    absorbEach(bags, x, rows, values, over, stats) {
      if (!fits(bags, rows, over)) return absorbEach(bags, x, rows, values, over, stats)
      for (let first = 0; first < rows; ) {
        const end = bring(bags, x, first, rows)
        for (let p = 0; p < over; p++) {
          for (let i = first; i < end; i++) matrix[(i - first) * over + p] = values[p * rows + i]
        }
        const size = stats.length - over
        wasm.absorbEach(...rowsAt, end - first, matrix.byteOffset, stats.byteOffset, size, over)
        first = end
      }
    },
  }
  nameBagRoom(buffer, room)
  return room
}
