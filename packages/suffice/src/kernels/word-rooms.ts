/**
 * Where counts and parameters of words live while they move: ordinary memory, or the memory of fast kernels, which then need no copies.
 * Whoever scores words asks for the room of the parameters it was given.
 */
import { fastKernels } from "./twins.ts"
import { moveEach, moveOne, scoreWords, settleWords } from "./word-rows.ts"

export type { WordMoments } from "./word-rows.ts"

export interface WordRoom {
  /** An array of zeros in this room. */
  numbers(length: number): Float64Array
  readonly scoreWords: typeof scoreWords
  /** Of moments in this room. */
  readonly moveOne: typeof moveOne
  readonly moveEach: typeof moveEach
  readonly settleWords: typeof settleWords
}

const ORDINARY: WordRoom = {
  numbers(length) {
    const made = new Float64Array(length)
    nameRoom(made.buffer, ORDINARY)
    return made
  },
  scoreWords,
  moveOne,
  moveEach,
  settleWords,
}

/** Room for so many numbers, in few arrays; for rows of at most so many words, and slots. */
export type OpenRoom = (numbers: number, words: number, slots: number) => WordRoom | undefined

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
