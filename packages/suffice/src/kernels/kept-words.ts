/**
 * Scores with parameters that do not change. Once they have been used more than a copy costs, they are copied to the memory of fast kernels, which
 * recognises them there. Code that changes them calls `changed`.
 */
import { scoreBags, WORTH } from "./bag-rows.ts"
import { fastKernels } from "./twins.ts"
import { type GatheredRows, movingMemory, type Weigh } from "./word-memory.ts"

export class KeptWords {
  readonly #slots: number
  readonly #moves: boolean
  #copy: Float64Array | undefined
  #score = scoreBags
  #buffer: ArrayBufferLike | undefined
  #at = 0
  /** The number of products computed with these parameters; Infinity once they are copied. */
  #work = 0

  /** `moves`: parameters in a memory of moving words are of words that move there; others may lie beside them. */
  constructor(slots: number, moves = true) {
    this.#slots = slots
    this.#moves = moves
  }

  score<Rows extends GatheredRows<Rows>>(
    bags: Rows,
    weigh: Weigh<Rows>,
    rows: number,
    params: Float64Array,
    out: Float64Array,
  ): void {
    const slots = this.#slots
    const moving = this.#moves ? movingMemory(params) : undefined
    if (moving) moving.scoreWords(bags, weigh, rows, params, slots, out)
    else if (this.#isCopied(params, bags.offsets[rows]))
      this.#score(bags, weigh(bags), rows, this.#copy!, slots, out)
    else scoreBags(bags, weigh(bags), rows, params, slots, out)
  }

  /** The parameters have been changed. */
  changed({ buffer, byteOffset }: Float64Array): void {
    if (this.#buffer === buffer && this.#at === byteOffset) this.#buffer = undefined
  }

  /** `words`: the number of words scored by this call. */
  #isCopied(params: Float64Array, words: number): boolean {
    const { buffer, byteOffset, length } = params
    if (this.#buffer !== buffer || this.#at !== byteOffset) {
      this.#buffer = buffer
      this.#at = byteOffset
      this.#work = 0
    }
    if (this.#work > Math.max(length, WORTH) && this.#work < Infinity) {
      const kernels = fastKernels()
      if (kernels && !this.#copy) {
        this.#copy = kernels.allocateWords(length)
        this.#score = kernels.scoreBags
      }
      this.#copy?.set(params)
      // if there is no memory, do not ask again soon
      this.#work = this.#copy ? Infinity : -Infinity
    }
    this.#work += words * this.#slots
    return this.#work === Infinity
  }
}
