/**
 * Words that move: counts and parameters lie in an arena of their own, so that nothing of them is ever copied. Rows that mini-batches are gathered from
 * are copied there when they are met first, a block of them at a time, and then read where they lie.
 */
import {
  type GatheredRows,
  markMoving,
  type OpenWordMemory,
  type Weigh,
  type WordMemory,
} from "../word-memory.ts"
import type { WordRows } from "../word-rows.ts"
import type { OpenArena } from "./arena.ts"

/** Rows handed over at once, at most; and words that are copied for it, but that a single row may have all there are, each once. */
const ROWS = 256
const WORDS = 16384
/** From here on a copy by the engine is faster than a loop. */
export const MOVED = 512
/** Bytes that a word of a row takes at most, with those between blocks, and that all of them may take. */
const KEPT = 16
const SHELF = 0x10000000
/** No arena is larger, in bytes. */
const MOST = 0x80000000

export function openMoving(open: OpenArena, ...given: Parameters<OpenWordMemory>): WordMemory | undefined {
  const [numbers, longest, slots, kept] = given
  const capacity = Math.max(longest, WORDS)
  // table and slots of rows, words and weights, and a number per row and slot, and two more per slot
  const scratch = 16 * ROWS + 12 * capacity + 8 * (ROWS + 2) * slots + 8 * ROWS
  const bytes = 8 * numbers + scratch
  if (bytes > MOST) return undefined
  const shelf = KEPT * kept > Math.min(SHELF, MOST - bytes) ? 0 : KEPT * kept
  const arena = open(bytes + shelf)
  if (!arena) return undefined
  const { wasm, buffer } = arena
  const table = arena.allocateIntegers(3 * ROWS)
  const words = arena.allocateIntegers(capacity)
  const weighed = arena.allocate(capacity)
  const matrix = arena.allocate(ROWS * slots)
  const ofSlots = [0, 1].map(() => arena.allocate(slots))
  const slotOf = arena.allocateIntegers(ROWS)
  const weightOf = arena.allocate(ROWS)
  const [tableAt, wordsAt, weighedAt] = [table.byteOffset, words.byteOffset, weighed.byteOffset]
  let shelfAt = arena.reserve(shelf)
  const shelfEnd = shelfAt + shelf

  /**
   * Where rows lie that are kept, by what their words weigh: those who weigh otherwise have rows of their own. First what all words weigh, then the
   * words.
   */
  const shelved = new WeakMap<Float64Array, number>()

  /** Rows that are kept here from now on, if there is memory for them. */
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

  /** Enters rows that are kept into the table, as many as fit; returns the first that is left out, or that is not kept. */
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

  /** Copies rows from `first` on, as many as fit; returns the first that was left out. */
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

  /** Enters rows from `first` on into the table, copied in where they must be; returns the first that was left out. */
  function copyIn<Rows extends GatheredRows<Rows>>(
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

  const memory: WordMemory = {
    numbers: length => arena.allocate(length),
    scoreWords(bags, weigh, rows, params, over, out) {
      for (let first = 0; first < rows; ) {
        const end = copyIn(bags, weigh, first, rows)
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
        const end = copyIn(bags, weigh, first, rows)
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
        const end = copyIn(bags, weigh, first, rows)
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
  markMoving(buffer, memory)
  return memory
}

/** Copies columns of `rows` numbers, which begin `stride` apart on either side; those with nothing between them as one. */
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
