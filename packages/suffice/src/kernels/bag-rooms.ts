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
const WORTH = 1 << 18

/** The room that was given back last, for the next who asks: new memory costs as much, page by page, as counting words into it. */
let idle: Float64Array | undefined
/** Not if it is larger than this. */
const KEPT = 1 << 23

/** So many zeros in a room, where so many words to be counted into them are worth it. */
export function lendStatistics(length: number, words: number): Float64Array | undefined {
  const kernels = fastKernels()
  if (!kernels || 8 * words < Math.max(length, WORTH)) return undefined
  const found = idle && idle.length >= length ? idle : kernels.openBags(length)?.numbers(length)
  idle = undefined
  return found?.subarray(0, length).fill(0)
}

/** What was not lent is left alone. */
export function giveBack(lent: Float64Array): void {
  if (rooms.has(lent.buffer) && lent.length <= KEPT) idle = lent
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
