/** Words that move: counts and parameters are in an arena of their own and never copied. */
import {
  type GatheredRows,
  markMoving,
  type Weigh,
  type WordMemory,
  type WordMemorySize,
} from "../word-memory.ts"
import type { WordMoments } from "../word-rows.ts"
import type { OpenArena } from "./arena.ts"
import type { Exports } from "./exports.ts"
import { ROWS, RowTable, SHELVED, Shelf } from "./row-table.ts"
import { topicMemory } from "./topics.ts"

/** Words copied for a call, unless a single row has more (at most the whole vocabulary). */
const WORDS = 16384
/** Longer copies are faster by `set` than by a loop. */
export const MOVED = 512
/** The largest shelf, and the largest arena, in bytes. */
const SHELF = 0x10000000
const MOST = 0x80000000

/** Arrays of a call, beside the table of its rows. */
interface MovingWords {
  readonly wasm: Exports
  readonly table: RowTable
  /** A number per row and slot. */
  readonly matrix: Float64Array
  /** Two numbers per slot. */
  readonly ofSlots: readonly [Float64Array, Float64Array]
  /** The slot and the weight of each row. */
  readonly slotOf: Int32Array
  readonly weightOf: Float64Array
}

export function openMoving(open: OpenArena, size: WordMemorySize): WordMemory | undefined {
  const { numbers, longest, slots, scratch: called } = size
  const capacity = Math.max(longest, WORDS)
  // the table and slots of rows; words and their weights; a number per row and slot, and two per slot
  const scratch = 16 * ROWS + 12 * capacity + 8 * (ROWS + 2) * slots + 8 * ROWS
  const bytes = 8 * (numbers + called) + scratch
  if (bytes > MOST) return undefined
  const shelf = SHELVED * size.kept > Math.min(SHELF, MOST - bytes) ? 0 : SHELVED * size.kept
  const arena = open(bytes + shelf)
  if (!arena) return undefined
  const { wasm, buffer } = arena
  const table = new RowTable(arena, capacity, new Shelf(arena, shelf))
  const words: MovingWords = {
    wasm,
    table,
    matrix: arena.allocate(ROWS * slots),
    ofSlots: [arena.allocate(slots), arena.allocate(slots)],
    slotOf: arena.allocateIntegers(ROWS),
    weightOf: arena.allocate(ROWS),
  }
  const memory: WordMemory = {
    isExact: false,
    ...(called > 0 && { topics: topicMemory(wasm, arena.allocate(called), table) }),
    numbers: length => arena.allocate(length),
    scoreWords: (bags, weigh, rows, params, over, out) =>
      scoreWords(words, bags, weigh, rows, params, over, out),
    moveOne: (bags, weigh, rows, slot, weight, rho, moments) =>
      moveOne(words, bags, weigh, rows, slot, weight, rho, moments),
    moveEach: (bags, weigh, rows, values, rho, moments) =>
      moveEach(words, bags, weigh, rows, values, rho, moments),
    settleWords: (moments, share, mean) => settleWords(words, moments, share, mean),
  }
  markMoving(buffer, memory)
  return memory
}

function scoreWords<Rows extends GatheredRows<Rows>>(
  { wasm, table, matrix, ofSlots }: MovingWords,
  bags: Rows,
  weigh: Weigh<Rows>,
  rows: number,
  params: Float64Array,
  slots: number,
  out: Float64Array,
): void {
  for (let first = 0; first < rows; ) {
    const end = table.copyIn(bags, weigh, first, rows)
    const count = end - first
    copyColumns(slots, count, out, first, rows, matrix, 0, count)
    wasm.scoreWords(
      table.entries.byteOffset,
      count,
      params.byteOffset,
      params.length - slots,
      slots,
      matrix.byteOffset,
      ofSlots[0].byteOffset,
    )
    copyColumns(slots, count, matrix, 0, count, out, first, rows)
    first = end
  }
}

function moveOne<Rows extends GatheredRows<Rows>>(
  { wasm, table, slotOf, weightOf }: MovingWords,
  bags: Rows,
  weigh: Weigh<Rows>,
  rows: number,
  slot: Int32Array,
  weight: Float64Array,
  rho: number,
  { counts, params, totals, least }: WordMoments,
): void {
  for (let first = 0; first < rows; ) {
    const end = table.copyIn(bags, weigh, first, rows)
    for (let i = first; i < end; i++) {
      slotOf[i - first] = slot[i]
      weightOf[i - first] = rho * weight[i]
    }
    wasm.moveOne(
      table.entries.byteOffset,
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
}

function moveEach<Rows extends GatheredRows<Rows>>(
  { wasm, table, matrix }: MovingWords,
  bags: Rows,
  weigh: Weigh<Rows>,
  rows: number,
  values: Float64Array,
  rho: number,
  { counts, params, totals, least }: WordMoments,
): void {
  const slots = totals.length
  for (let first = 0; first < rows; ) {
    const end = table.copyIn(bags, weigh, first, rows)
    for (let i = first; i < end; i++) {
      for (let p = 0; p < slots; p++) matrix[(i - first) * slots + p] = rho * values[p * rows + i]
    }
    wasm.moveEach(
      table.entries.byteOffset,
      end - first,
      matrix.byteOffset,
      counts.byteOffset,
      params.byteOffset,
      totals.byteOffset,
      slots,
      least,
    )
    first = end
  }
}

function settleWords(
  { wasm, ofSlots: [shares, means] }: MovingWords,
  { counts, params, totals, least }: WordMoments,
  share: Float64Array,
  mean: Float64Array,
): void {
  const slots = totals.length
  shares.set(share)
  means.set(mean)
  totals.fill(0)
  wasm.settleWords(
    counts.byteOffset,
    params.byteOffset,
    counts.length - slots,
    totals.byteOffset,
    slots,
    least,
    shares.byteOffset,
    means.byteOffset,
  )
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
