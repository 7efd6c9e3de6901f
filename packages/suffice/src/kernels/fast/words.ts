/**
 * Words that move: counts and parameters are in an arena of their own and never copied. The blocks that mini-batches are gathered from are copied there
 * on first use, and then read in place.
 */
import {
  type GatheredRows,
  markMoving,
  type Weigh,
  type WordMemory,
  type WordMemorySize,
} from "../word-memory.ts"
import type { WordRows } from "../word-rows.ts"
import type { OpenArena } from "./arena.ts"
import { topicMemory } from "./topics.ts"

/** Rows per call; and words copied for it, unless a single row has more (at most the whole vocabulary). */
const ROWS = 256
const WORDS = 16384
/** Longer copies are faster by `set` than by a loop. */
export const MOVED = 512
/** Bytes per word of a row that is kept, padding included, and for all of them. */
const KEPT = 16
const SHELF = 0x10000000
/** The largest arena, in bytes. */
const MOST = 0x80000000

export function openMoving(
  open: OpenArena,
  { numbers, longest, slots, kept, scratch: called }: WordMemorySize,
): WordMemory | undefined {
  const capacity = Math.max(longest, WORDS)
  // the table and slots of rows; words and their weights; a number per row and slot, and two per slot
  const scratch = 16 * ROWS + 12 * capacity + 8 * (ROWS + 2) * slots + 8 * ROWS
  const bytes = 8 * (numbers + called) + scratch
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
   * Offsets of the kept blocks, by their array of scaled counts: another scaling has copies of its own. First the scaled counts of a block, then its
   * words.
   */
  const shelved = new WeakMap<Float64Array, number>()

  /** Keeps a block here from now on, if there is memory for it; returns its offset. */
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

  /** Enters a row into the table: the addresses of its words and of their scaled counts, and how many there are. */
  function list(to: number, words: number, weighed: number, begin: number, count: number): number {
    table[to] = words + 4 * begin
    table[to + 1] = weighed + 8 * begin
    table[to + 2] = count
    return to + 3
  }

  /** Enters kept rows into the table, as many as fit; returns the first one that does not fit or is not kept. */
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

  /** Copies rows from `first` on, as many as fit; returns the first one that does not. */
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

  /** The rows in the table, if it has all of them: a mini-batch is scored, and then moves. */
  let here: WordRows | undefined
  let weighedHere: unknown

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
    isExact: false,
    ...(called > 0 && { topics: topicMemory(arena, arena.allocate(called), table, copyIn) }),
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

/** Copies columns of `rows` numbers with the given strides; in one piece if both are contiguous. */
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
