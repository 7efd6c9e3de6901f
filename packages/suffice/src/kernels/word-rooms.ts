/**
 * Where counts and parameters of words live while they move: ordinary memory, or the memory of fast kernels, which then need no copies.
 * Whoever scores words asks for the room of the parameters it was given.
 */
import { moveEach, moveOne, resolveWords, scoreWords } from "./word-rows.ts"

export type { WordMoments } from "./word-rows.ts"

export interface WordRoom {
  /** An array of zeros in this room. */
  numbers(length: number): Float64Array
  readonly scoreWords: typeof scoreWords
  /** Of moments in this room. */
  readonly moveOne: typeof moveOne
  readonly moveEach: typeof moveEach
  readonly resolveWords: typeof resolveWords
}

const ORDINARY: WordRoom = {
  numbers: length => new Float64Array(length),
  scoreWords,
  moveOne,
  moveEach,
  resolveWords,
}

/** Room for so many numbers. */
export function openRoom(_numbers: number): WordRoom {
  return ORDINARY
}

const rooms = new WeakMap<ArrayBufferLike, WordRoom>()

/** The room in which these numbers live. */
export function roomOf({ buffer }: Float64Array): WordRoom {
  return rooms.get(buffer) ?? ORDINARY
}

/** From now on this is the room of everything in the buffer. */
export function nameRoom(buffer: ArrayBufferLike, room: WordRoom): void {
  rooms.set(buffer, room)
}
