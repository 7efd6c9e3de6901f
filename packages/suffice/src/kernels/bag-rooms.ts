/**
 * Where bags of words are scored and counted: in ordinary memory, or in the memory of fast kernels, where large parameters and statistics
 * stay from block to block. Copying them for each block would cost more than the kernels bring.
 */
import { absorbEach, absorbOne, scoreBags } from "./bag-rows.ts"
import { fastKernels } from "./twins.ts"
import { isMoving, roomOf } from "./word-rooms.ts"
import type { WordRows } from "./word-rows.ts"

export interface BagRoom {
  /** An array of zeros in this room. */
  numbers(length: number): Float64Array
  /** Of parameters in this room. */
  readonly scoreBags: typeof scoreBags
  /** Into statistics in this room. */
  readonly absorbOne: typeof absorbOne
  readonly absorbEach: typeof absorbEach
}

/** Room for so many numbers, and for rows of so many slots. */
export type OpenBags = (numbers: number, slots: number) => BagRoom | undefined

const ORDINARY: BagRoom = { numbers: length => new Float64Array(length), scoreBags, absorbOne, absorbEach }

const rooms = new WeakMap<ArrayBufferLike, BagRoom>()

/** The room in which these numbers live. */
export function bagRoomOf({ buffer }: Float64Array): BagRoom {
  return rooms.get(buffer) ?? ORDINARY
}

/** From now on this is the room of everything in the buffer. */
export function nameBagRoom(buffer: ArrayBufferLike, room: BagRoom): void {
  rooms.set(buffer, room)
}

/** So many products are worth a room of one's own: a third of a millisecond's work. */
const WORTH = 1 << 18

/** Statistics in a room that is lent: new memory costs as much, page by page, as counting words into it. */
export interface Lent {
  /** Zeros, good until they are asked for again. */
  zeros(): Float64Array
  giveBack(): void
}

interface Idle {
  readonly numbers: Float64Array
  readonly slots: number
}

/** The room that was given back last, for the next who asks; not if it is larger than this many numbers. */
let idle: Idle | undefined
const KEPT = 1 << 23

/** Room for so many statistics, where so many words to be counted into them are worth it. */
export function lendStatistics(length: number, words: number, slots: number): Lent | undefined {
  const kernels = fastKernels()
  if (!kernels || 8 * words < Math.max(length, WORTH)) return undefined
  const found = idle && idle.numbers.length >= length && idle.slots >= slots ? idle : opened()
  idle = undefined
  if (!found) return undefined
  const numbers = found.numbers.subarray(0, length)
  return {
    zeros: () => numbers.fill(0),
    giveBack() {
      if (found.numbers.length <= KEPT) idle = found
    },
  }

  /** With room to grow: vocabularies of parts of the data differ a little. */
  function opened(): Idle | undefined {
    const room = kernels!.openBags(length + (length >> 2), slots)
    return room && { numbers: room.numbers(length + (length >> 2)), slots }
  }
}

/**
 * Scores against parameters that stay as they are. Once more was computed with them than a copy costs, they are copied to a room of their own,
 * and known again by where they lie. Whoever changes them says so.
 */
export class KeptWords {
  readonly #slots: number
  #room: BagRoom | undefined
  #copy: Float64Array | undefined
  #buffer: ArrayBufferLike | undefined
  #at = 0
  #isHere = false
  #work = 0
  /** No room was to be had. */
  #refused = false

  constructor(slots: number) {
    this.#slots = slots
  }

  score(bags: WordRows, weighed: Float64Array, rows: number, params: Float64Array, out: Float64Array): void {
    const slots = this.#slots
    if (isMoving(params)) roomOf(params).scoreWords(bags, weighed, rows, params, slots, out)
    else if (this.#keep(params, bags.offsets[rows] - bags.offsets[0]))
      this.#room!.scoreBags(bags, weighed, rows, this.#copy!, slots, out)
    else scoreBags(bags, weighed, rows, params, slots, out)
  }

  /** These parameters are not what they were. */
  changed({ buffer, byteOffset }: Float64Array): void {
    if (this.#buffer === buffer && this.#at === byteOffset) this.#buffer = undefined
  }

  /** Are they here? `words`: how many are to be scored now. */
  #keep(params: Float64Array, words: number): boolean {
    const { buffer, byteOffset, length } = params
    if (this.#buffer !== buffer || this.#at !== byteOffset) {
      this.#buffer = buffer
      this.#at = byteOffset
      this.#isHere = false
      this.#work = 0
    }
    if (this.#isHere || this.#refused) return this.#isHere
    const work = this.#work
    this.#work += words * this.#slots
    if (work < length || work < WORTH) return false
    this.#room ??= fastKernels()?.openBags(length, this.#slots)
    this.#refused = this.#room === undefined
    if (!this.#room) return false
    this.#copy ??= this.#room.numbers(length)
    this.#copy.set(params)
    this.#isHere = true
    return true
  }
}
