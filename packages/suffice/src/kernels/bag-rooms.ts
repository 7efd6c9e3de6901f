/**
 * Where bags of words are scored and counted: in ordinary memory, or in the memory of fast kernels, where large parameters and statistics
 * stay from block to block. Copying them for each block would cost more than the kernels bring.
 */
import { absorbEach, absorbOne, scoreBags } from "./bag-rows.ts"
import { fastKernels } from "./twins.ts"
import { type GatheredRows, isMoving, roomOf, type Weigh } from "./word-rooms.ts"

export interface BagKernels {
  /** Of parameters in this room. */
  readonly scoreBags: typeof scoreBags
  /** Into statistics in this room. */
  readonly absorbOne: typeof absorbOne
  readonly absorbEach: typeof absorbEach
}

export interface BagRoom extends BagKernels {
  /** An array of zeros in this room. */
  numbers(length: number): Float64Array
  /** The largest, wherever they are, if all are whole numbers, and how far below 0; else Infinity. */
  largestWhole(counts: Float64Array): number
  /**
   * Of each count, wherever they are: ln(c + α), that of whole numbers out of the table; totals[p] += c + α. False: it cannot be done here,
   * and some logarithms and sums are wrong.
   */
  logWords(
    counts: Float64Array,
    alpha: number,
    table: Float64Array,
    totals: Float64Array,
    logs: Float64Array,
  ): boolean
}

/** Room for so many numbers. */
export type OpenBags = (numbers: number) => BagRoom | undefined

const ORDINARY: BagKernels = { scoreBags, absorbOne, absorbEach }

const rooms = new WeakMap<ArrayBufferLike, BagKernels>()

/** The kernels of the room in which these numbers live. */
export function bagRoomOf({ buffer }: Float64Array): BagKernels {
  return rooms.get(buffer) ?? ORDINARY
}

/** From now on this is the room of everything in the buffer. */
export function nameBagRoom(buffer: ArrayBufferLike, room: BagRoom): void {
  rooms.set(buffer, room)
}

/** So many products are worth a room of one's own: a third of a millisecond's work. */
export const WORTH = 1 << 18

/** The room that was given back last, for the next who asks: new memory costs as much, page by page, as counting words into it. */
let idle: Float64Array | undefined
/** Not if it is larger than this. */
const KEPT = 1 << 23

interface Lent {
  /** All of its numbers: who asked for few may bring back many. */
  readonly numbers: Float64Array
  readonly room: BagRoom
}
const lent = new WeakMap<ArrayBufferLike, Lent>()

/** So many numbers in a room, whatever they are; undefined where there is none. */
export function lend(length: number): Float64Array | undefined {
  const kernels = fastKernels()
  if (!kernels) return undefined
  const found = idle
  if (found && found.length >= length) {
    idle = undefined
    return found.subarray(0, length)
  }
  const room = kernels.openBags(length)
  if (!room) return undefined
  const numbers = room.numbers(length)
  lent.set(numbers.buffer, { numbers, room })
  return numbers
}

/** What was not lent is left alone. */
export function giveBack({ buffer }: Float64Array): void {
  const all = lent.get(buffer)?.numbers
  if (all && all.length <= KEPT) idle = all
}

/** The room of what was lent. */
export function roomOfLent({ buffer }: Float64Array): BagRoom {
  return lent.get(buffer)!.room
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
  /** Products computed with these parameters; Infinity: they are here. */
  #work = 0

  constructor(slots: number) {
    this.#slots = slots
  }

  score<Rows extends GatheredRows<Rows>>(
    bags: Rows,
    weigh: Weigh<Rows>,
    rows: number,
    params: Float64Array,
    out: Float64Array,
  ): void {
    const slots = this.#slots
    if (isMoving(params)) roomOf(params).scoreWords(bags, weigh, rows, params, slots, out)
    else if (this.#keep(params, bags.offsets[rows]))
      this.#room!.scoreBags(bags, weigh(bags), rows, this.#copy!, slots, out)
    else scoreBags(bags, weigh(bags), rows, params, slots, out)
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
      this.#work = 0
    }
    if (this.#work > Math.max(length, WORTH) && this.#work < Infinity) {
      this.#room ??= fastKernels()?.openBags(length)
      this.#copy ??= this.#room?.numbers(length)
      this.#copy?.set(params)
      // where there is no room, none is asked for again soon
      this.#work = this.#room ? Infinity : -Infinity
    }
    this.#work += words * this.#slots
    return this.#work === Infinity
  }
}
