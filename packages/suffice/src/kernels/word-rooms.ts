/**
 * Where counts and parameters of words live while they move: ordinary memory, or the memory of fast kernels, which then need no copies.
 * Whoever scores words asks for the room of the parameters it was given.
 */
import { fastKernels } from "./twins.ts"
import { moveEach, moveOne, scoreWords, settleWords, type WordMoments, type WordRows } from "./word-rows.ts"

export type { WordMoments } from "./word-rows.ts"

/** Rows that may be gathered from others, which stay: a room that has those by itself does not ask for words. */
export interface GatheredRows<Rows> extends WordRows {
  /** Row i is row rows[i] of from[i]. */
  readonly picked?: { readonly from: readonly Rows[]; readonly rows: readonly number[] } | undefined
}

/** What the words of rows weigh: the same array for the same rows. */
export type Weigh<Rows> = (rows: Rows) => Float64Array

/** The kernels of word-rows.ts, on numbers in this room. */
export interface WordRoom {
  /** An array of zeros in this room. */
  numbers(length: number): Float64Array
  scoreWords<Rows extends GatheredRows<Rows>>(
    bags: Rows,
    weigh: Weigh<Rows>,
    rows: number,
    params: Float64Array,
    slots: number,
    out: Float64Array,
  ): void
  moveOne<Rows extends GatheredRows<Rows>>(
    bags: Rows,
    weigh: Weigh<Rows>,
    rows: number,
    slot: Int32Array,
    weight: Float64Array,
    rho: number,
    moments: WordMoments,
  ): void
  moveEach<Rows extends GatheredRows<Rows>>(
    bags: Rows,
    weigh: Weigh<Rows>,
    rows: number,
    values: Float64Array,
    rho: number,
    moments: WordMoments,
  ): void
  readonly settleWords: typeof settleWords
}

const ORDINARY: WordRoom = {
  numbers(length) {
    const made = new Float64Array(length)
    nameRoom(made.buffer, ORDINARY)
    return made
  },
  scoreWords: (bags, weigh, ...rest) => scoreWords(bags, weigh(bags), ...rest),
  moveOne: (bags, weigh, ...rest) => moveOne(bags, weigh(bags), ...rest),
  moveEach: (bags, weigh, ...rest) => moveEach(bags, weigh(bags), ...rest),
  settleWords,
}

/**
 * Room for so many numbers, in few arrays; for rows of at most so many words, and slots. `kept`: so many words of rows that others are gathered
 * from again and again may be kept here.
 */
export type OpenRoom = (numbers: number, words: number, slots: number, kept: number) => WordRoom | undefined

export function openRoom(...size: Parameters<OpenRoom>): WordRoom {
  return (size[0] > 0 && fastKernels()?.openRoom(...size)) || ORDINARY
}

const rooms = new WeakMap<ArrayBufferLike, WordRoom>()

/** The room in which these numbers live. */
export function roomOf({ buffer }: Float64Array): WordRoom {
  return rooms.get(buffer) ?? ORDINARY
}

/** Were these numbers made in a room? Then they may change at any time. */
export function isMoving({ buffer }: Float64Array): boolean {
  return rooms.has(buffer)
}

/** From now on this is the room of everything in the buffer. */
export function nameRoom(buffer: ArrayBufferLike, room: WordRoom): void {
  rooms.set(buffer, room)
}
