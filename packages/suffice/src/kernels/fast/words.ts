/**
 * A room for words in the memory of a WebAssembly instance of its own: counts and parameters are views on it, so that nothing of them is
 * ever copied. The memory is made large enough at once, since growing it would take the views away. Rows that mini-batches are gathered from
 * are copied here when they are met first, a block of them at a time, and then read where they stand.
 */
import { type GatheredRows, nameRoom, type Weigh, type WordRoom } from "../word-rooms.ts"
import type { WordRows } from "../word-rows.ts"

/** What assembly/words.ts and moving-words.ts export. Pointers are bytes. */
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
type Rows = [table: number, rows: number]
type Moments = [counts: number, params: number, totals: number, slots: number, least: number]

/** Rows handed over at once, at most; and words that are copied for it, but that a single row may have all there are, each once. */
const ROWS = 256
const WORDS = 16384
/** From here on a copy by the engine is faster than a loop. */
export const MOVED = 512
/** Arrays begin at lines of the cache; there are eight here and a few more, and kernels read two lines beyond the last row. */
const LINE = 64
const ALIGNMENT = 2048
/** Bytes that a word of a row takes at most, with those between blocks, and that all of them may take. */
const KEPT = 16
const SHELF = 0x10000000
/** A memory of this many bytes is given to nobody. */
const MOST = 0x80000000

/** Room for so many numbers, of rows with at most so many words and slots, and for so many words of rows; undefined where it would be too large. */
export function wasmRoom(
  open: (bytes: number) => WordExports,
  numbers: number,
  longest: number,
  slots: number,
  kept: number,
): WordRoom | undefined {
  const capacity = Math.max(longest, WORDS)
  // table and slots of rows, words and weights, and a number per row and slot, and two more per slot; alignment
  const scratch = 16 * ROWS + 12 * capacity + 8 * (ROWS + 2) * slots + 8 * ROWS
  const bytes = 8 * numbers + scratch + ALIGNMENT
  if (bytes > MOST) return undefined
  const shelf = KEPT * kept > Math.min(SHELF, MOST - bytes) ? 0 : KEPT * kept
  const wasm = opened(open, bytes + shelf)
  if (!wasm) return undefined
  let top = bottom(wasm)
  const { buffer } = wasm.memory
  const take = (length: number): number => {
    const at = top
    top = Math.ceil((top + length) / LINE) * LINE
    return at
  }
  const table = new Int32Array(buffer, take(12 * ROWS), 3 * ROWS)
  const words = new Int32Array(buffer, take(4 * capacity), capacity)
  const weighed = new Float64Array(buffer, take(8 * capacity), capacity)
  const matrix = new Float64Array(buffer, take(8 * ROWS * slots), ROWS * slots)
  const ofSlots = [0, 1].map(() => new Float64Array(buffer, take(8 * slots), slots))
  const slotOf = new Int32Array(buffer, take(4 * ROWS), ROWS)
  const weightOf = new Float64Array(buffer, take(8 * ROWS), ROWS)
  const [tableAt, wordsAt, weighedAt] = [table.byteOffset, words.byteOffset, weighed.byteOffset]
  let shelfAt = take(shelf)
  const shelfEnd = shelfAt + shelf

  /**
   * Where rows lie that are kept, by what their words weigh: those who weigh otherwise have rows of their own. First what all words weigh, then the
   * words.
   */
  const shelved = new WeakMap<Float64Array, number>()

  /** Rows that are kept here from now on, if there is room. */
  function keep({ offsets, words }: WordRows, x: Float64Array): number | undefined {
    const size = offsets[offsets.length - 1]
    const at = shelfAt
    if (at + KEPT * size > shelfEnd) return undefined
    shelfAt += (12 * size + 7) & -8
    new Float64Array(buffer, at, size).set(x.subarray(0, size))
    new Int32Array(buffer, at + 8 * size, size).set(words.subarray(0, size))
    shelved.set(x, at)
    return at
  }

  /** Enters a row into the table: where words and what they weigh lie, from which on, and how many. */
  function list(to: number, words: number, weighed: number, begin: number, count: number): number {
    table[to] = words + 4 * begin
    table[to + 1] = weighed + 8 * begin
    table[to + 2] = count
    return to + 3
  }

  /** Enters rows that are kept into the table, as many as it has room for; returns the first that is left out, or that is not kept. */
  function enter<Rows extends GatheredRows<Rows>>(
    { from, rows: places }: NonNullable<Rows["picked"]>,
    weigh: Weigh<Rows>,
    first: number,
    rows: number,
  ): number {
    const end = Math.min(rows, first + ROWS)
    for (let i = first, to = 0; i < end; i++) {
      const { offsets } = from[i]
      const x = weigh(from[i])
      const at = shelved.get(x) ?? keep(from[i], x)
      if (at === undefined) return i
      const begin = offsets[places[i]]
      const size = offsets[offsets.length - 1]
      to = list(to, at + 8 * size, at, begin, offsets[places[i] + 1] - begin)
    }
    return end
  }

  /** Copies rows from `first` on, as many as there is room for; returns the first that was left out. */
  function copy<Rows extends WordRows>(bags: Rows, weigh: Weigh<Rows>, first: number, rows: number): number {
    const { offsets } = bags
    const from = offsets[first]
    let end = first
    for (let to = 0; end < rows && end - first < ROWS && offsets[end + 1] - from <= capacity; end++) {
      to = list(to, wordsAt, weighedAt, offsets[end] - from, offsets[end + 1] - offsets[end])
    }
    words.set(bags.words.subarray(from, offsets[end]))
    weighed.set(weigh(bags).subarray(from, offsets[end]))
    return end
  }

  /** Rows that the table holds, where those are all: a mini-batch is scored, and then moves. */
  let here: WordRows | undefined
  let weighedHere: unknown

  /** Brings rows from `first` on into the table; returns the first that was left out. */
  function bring<Rows extends GatheredRows<Rows>>(
    bags: Rows,
    weigh: Weigh<Rows>,
    first: number,
    rows: number,
  ): number {
    if (here === bags && weighedHere === weigh) return rows
    const { picked } = bags
    let end = picked && shelf > 0 ? enter<Rows>(picked, weigh, first, rows) : first
    if (end === first) end = copy(bags, weigh, first, rows)
    here = first === 0 && end === rows ? bags : undefined
    weighedHere = weigh
    return end
  }

  const room: WordRoom = {
    numbers: length => new Float64Array(buffer, take(8 * length), length),
    scoreWords(bags, weigh, rows, params, over, out) {
      for (let first = 0; first < rows; ) {
        const end = bring(bags, weigh, first, rows)
        const count = end - first
        copyColumns(over, count, out, first, rows, matrix, 0, count)
        wasm.scoreWords(
          tableAt,
          count,
          params.byteOffset,
          params.length - over,
          over,
          matrix.byteOffset,
          ofSlots[0].byteOffset,
        )
        copyColumns(over, count, matrix, 0, count, out, first, rows)
        first = end
      }
    },
    moveOne(bags, weigh, rows, slot, weight, rho, { counts, params, totals, least }) {
      for (let first = 0; first < rows; ) {
        const end = bring(bags, weigh, first, rows)
        for (let i = first; i < end; i++) {
          slotOf[i - first] = slot[i]
          weightOf[i - first] = rho * weight[i]
        }
        wasm.moveOne(
          tableAt,
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
    moveEach(bags, weigh, rows, values, rho, { counts, params, totals, least }) {
      const over = totals.length
      for (let first = 0; first < rows; ) {
        const end = bring(bags, weigh, first, rows)
        for (let i = first; i < end; i++) {
          for (let p = 0; p < over; p++) matrix[(i - first) * over + p] = rho * values[p * rows + i]
        }
        wasm.moveEach(
          tableAt,
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

/** Copies columns of so many numbers, which begin `stride` apart on either side; those with nothing between them as one. */
export function copyColumns(
  columns: number,
  rows: number,
  from: Float64Array,
  start: number,
  stride: number,
  to: Float64Array,
  toStart: number,
  toStride: number,
): void {
  const isOne = stride === rows && toStride === rows
  const length = isOne ? columns * rows : rows
  for (let c = 0; c < (isOne ? 1 : columns); c++) {
    const read = start + c * stride
    const write = toStart + c * toStride
    if (length > MOVED) to.set(from.subarray(read, read + length), write)
    else for (let i = 0; i < length; i++) to[write + i] = from[read + i]
  }
}

function bottom(wasm: WordExports): number {
  return Math.ceil(wasm.heapBase() / LINE) * LINE
}

/** An instance with so many free bytes; undefined where the engine has no memory left for one. */
export function opened(open: (bytes: number) => WordExports, bytes: number): WordExports | undefined {
  try {
    return open(bytes)
  } catch {
    return undefined
  }
}
