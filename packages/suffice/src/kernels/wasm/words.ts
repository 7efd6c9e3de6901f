/**
 * A room for words in the memory of a WebAssembly instance of its own: counts and parameters are views on it, so that nothing of them is
 * ever copied. The memory is made large enough at once, since growing it would take the views away.
 */
import { nameRoom, type WordRoom } from "../word-rooms.ts"
import { moveEach, moveOne, scoreWords, type WordRows } from "../word-rows.ts"

/** What assembly/words.ts exports. Pointers are bytes. */
export interface WordExports {
  readonly memory: WebAssembly.Memory
  heapBase(): number
  scoreWords(
    ...places: [...Rows, params: number, size: number, slots: number, out: number, row: number]
  ): void
  moveOne(...places: [...Rows, slot: number, g: number, ...Moments]): void
  moveEach(...places: [...Rows, g: number, ...Moments]): void
  settleWords(
    ...places: [
      counts: number,
      params: number,
      size: number,
      totals: number,
      slots: number,
      least: number,
      share: number,
      mean: number,
    ]
  ): void
}
type Rows = [offsets: number, words: number, weighed: number, rows: number]
type Moments = [counts: number, params: number, totals: number, slots: number, least: number]

const PAGE = 65536
/** Rows handed over at once, at most; and words, but that a single row may have as many as there is room for. */
const ROWS = 256
const WORDS = 16384
/** Arrays begin at borders of 16 bytes; there are eight here and a few more. */
const ALIGNMENT = 1024
/** A memory of this many bytes is given to nobody. */
const MOST = 0x80000000

/** Room for so many numbers, of rows with at most so many words and slots; undefined where it would be too large. */
export function wasmRoom(
  open: () => WordExports,
  numbers: number,
  longest: number,
  slots: number,
): WordRoom | undefined {
  const capacity = Math.max(longest, WORDS)
  // offsets and slots of rows, words and weights, and a number per row and slot, and two more per slot; alignment
  const scratch = 8 * (ROWS + 1) + 12 * capacity + 8 * (ROWS + 2) * slots + 8 * ROWS
  const bytes = 8 * numbers + scratch + ALIGNMENT
  if (bytes > MOST) return undefined
  const wasm = opened(open, bytes)
  if (!wasm) return undefined
  let top = bottom(wasm)
  const { buffer } = wasm.memory
  const take = (length: number): number => {
    const at = top
    top = Math.ceil((top + length) / 16) * 16
    return at
  }
  const offsets = new Int32Array(buffer, take(4 * (ROWS + 1)), ROWS + 1)
  const words = new Int32Array(buffer, take(4 * capacity), capacity)
  const weighed = new Float64Array(buffer, take(8 * capacity), capacity)
  const matrix = new Float64Array(buffer, take(8 * ROWS * slots), ROWS * slots)
  const ofSlots = [0, 1].map(() => new Float64Array(buffer, take(8 * slots), slots))
  const slotOf = new Int32Array(buffer, take(4 * ROWS), ROWS)
  const weightOf = new Float64Array(buffer, take(8 * ROWS), ROWS)
  const [offsetsAt, wordsAt, weighedAt] = [offsets.byteOffset, words.byteOffset, weighed.byteOffset]

  /** What was brought last, where that was all of it: a mini-batch is scored, and then moves. */
  let here: WordRows | undefined
  let weighedHere: Float64Array | undefined

  /** Copies rows from `first` on, as many as there is room for; returns the first that was left out. */
  function bring(bags: WordRows, x: Float64Array, first: number, rows: number): number {
    if (here === bags && weighedHere === x) return rows
    const from = bags.offsets[first]
    let end = first
    while (end < rows && end - first < ROWS && bags.offsets[end + 1] - from <= capacity) {
      offsets[++end - first] = bags.offsets[end] - from
    }
    const to = bags.offsets[end]
    words.set(bags.words.subarray(from, to))
    weighed.set(x.subarray(from, to))
    here = first === 0 && end === rows ? bags : undefined
    weighedHere = x
    return end
  }

  /** Are these rows short enough, and the slots few enough? Else the other twin does the work, on the same arrays. */
  function fits({ offsets }: WordRows, rows: number, over: number): boolean {
    if (over > slots) return false
    for (let i = 0; i < rows; i++) if (offsets[i + 1] - offsets[i] > capacity) return false
    return true
  }

  const room: WordRoom = {
    numbers: length => new Float64Array(buffer, take(8 * length), length),
    scoreWords(bags, x, rows, params, over, out) {
      if (!fits(bags, rows, over)) return scoreWords(bags, x, rows, params, over, out)
      for (let first = 0; first < rows; ) {
        const end = bring(bags, x, first, rows)
        const count = end - first
        wasm.scoreWords(
          offsetsAt,
          wordsAt,
          weighedAt,
          count,
          params.byteOffset,
          params.length - over,
          over,
          matrix.byteOffset,
          ofSlots[0].byteOffset,
        )
        for (let p = 0; p < over; p++) {
          const to = p * rows + first
          for (let i = 0; i < count; i++) out[to + i] += matrix[p * count + i]
        }
        first = end
      }
    },
    moveOne(bags, x, rows, slot, weight, rho, moments) {
      const { counts, params, totals, least } = moments
      if (!fits(bags, rows, totals.length)) return moveOne(bags, x, rows, slot, weight, rho, moments)
      for (let first = 0; first < rows; ) {
        const end = bring(bags, x, first, rows)
        for (let i = first; i < end; i++) {
          slotOf[i - first] = slot[i]
          weightOf[i - first] = rho * weight[i]
        }
        wasm.moveOne(
          offsetsAt,
          wordsAt,
          weighedAt,
          end - first,
          slotOf.byteOffset,
          weightOf.byteOffset,
          counts.byteOffset,
          params.byteOffset,
          totals.byteOffset,
          totals.length,
          least,
        )
        first = end
      }
    },
    moveEach(bags, x, rows, values, rho, moments) {
      const { counts, params, totals, least } = moments
      const over = totals.length
      if (!fits(bags, rows, over)) return moveEach(bags, x, rows, values, rho, moments)
      for (let first = 0; first < rows; ) {
        const end = bring(bags, x, first, rows)
        for (let i = first; i < end; i++) {
          for (let p = 0; p < over; p++) matrix[(i - first) * over + p] = rho * values[p * rows + i]
        }
        wasm.moveEach(
          offsetsAt,
          wordsAt,
          weighedAt,
          end - first,
          matrix.byteOffset,
          counts.byteOffset,
          params.byteOffset,
          totals.byteOffset,
          over,
          least,
        )
        first = end
      }
    },
    settleWords({ counts, params, totals, least }, share, mean) {
      const over = totals.length
      ofSlots[0].set(share)
      ofSlots[1].set(mean)
      totals.fill(0)
      wasm.settleWords(
        counts.byteOffset,
        params.byteOffset,
        counts.length - over,
        totals.byteOffset,
        over,
        least,
        ofSlots[0].byteOffset,
        ofSlots[1].byteOffset,
      )
    },
  }
  nameRoom(buffer, room)
  return room
}

function bottom(wasm: WordExports): number {
  return Math.ceil(wasm.heapBase() / 16) * 16
}

/** An instance with so many free bytes; undefined where the engine has no memory left for one. */
export function opened(open: () => WordExports, bytes: number): WordExports | undefined {
  try {
    const wasm = open()
    const missing = bottom(wasm) + bytes - wasm.memory.buffer.byteLength
    if (missing > 0) wasm.memory.grow(Math.ceil(missing / PAGE))
    return wasm
  } catch {
    return undefined
  }
}
