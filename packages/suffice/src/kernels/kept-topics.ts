/**
 * Documents explained by topics that do not change, as in a sweep. Once they have been read more often than a copy costs, they are copied to the memory of fast
 * kernels, which gather, fold and deliver there; before, and where there is no such memory, the plain ones do. Code that changes them calls `changed`.
 */
import type { Block, Weights } from "../contract/block.ts"
import { WORTH } from "./bag-rows.ts"
import { deliverEach, deliverOne } from "./topic-counts.ts"
import { type Climb, type DocumentKernels, PLAIN } from "./topic-fold.ts"
import { scoreDocument, scoreTopics, type TopicMemory } from "./topic-rows.ts"
import { placesOf, scratchOf, sizeOf, type TopicShape, topicsOf } from "./topic-shape.ts"
import { fastKernels } from "./twins.ts"
import type { WordMemory } from "./word-memory.ts"
import type { WordRows } from "./word-rows.ts"

export class KeptTopics {
  readonly #shape: TopicShape
  readonly #kernels: DocumentKernels = fastKernels() ?? PLAIN
  #memory: WordMemory | undefined
  #copy: Float64Array | undefined
  #counts: Float64Array | undefined
  #buffer: ArrayBufferLike | undefined
  #at = 0
  /** The number of φ that were gathered with these parameters; Infinity once they are copied. */
  #work = 0

  constructor(shape: TopicShape) {
    this.#shape = shape
  }

  /** As scoreTopics. */
  score(
    bags: WordRows,
    weighed: Float64Array,
    rows: number,
    params: Float64Array,
    climb: Climb,
    out: Float64Array,
    g: Float64Array,
  ): void {
    const shape = this.#shape
    const fast = this.#copied(params, bags.offsets[rows])
    if (!fast) {
      scoreTopics(bags, weighed, rows, params, shape, climb, out, g, this.#kernels)
      return
    }
    const left = fast.scoreTopics(fresh(bags), () => weighed, rows, this.#copy!, shape, climb, out, g)
    for (const i of left) scoreDocument(bags, weighed, i, rows, params, shape, climb, out, g, this.#kernels)
  }

  /** As deliverOne or deliverEach. */
  deliver(
    bags: WordRows,
    weighed: Float64Array,
    { rows }: Pick<Block, "rows">,
    weights: Weights,
    params: Float64Array,
    g: Float64Array,
    stats: Float64Array,
  ): void {
    const shape = this.#shape
    const words = bags.offsets[rows]
    const fast = this.#copied(params, words)
    const counts = this.#counts
    if (fast && counts && words * topicsOf(shape) > 2 * counts.length) {
      // to the memory and back: fewer numbers than are added
      counts.set(stats.subarray(0, counts.length))
      this.#deliverIn(fast, bags, weighed, rows, weights, g, counts)
      stats.set(counts)
    } else if (fast) this.#deliverIn(fast, bags, weighed, rows, weights, g, stats)
    else if (weights.form === "one") {
      const { slot, weight } = weights
      deliverOne(bags, weighed, rows, slot, weight, params, shape, g, stats)
    } else deliverEach(bags, weighed, rows, weights.values, params, shape, g, stats)
  }

  #deliverIn(
    fast: TopicMemory,
    bags: WordRows,
    weighed: Float64Array,
    rows: number,
    weights: Weights,
    g: Float64Array,
    counts: Float64Array,
  ): void {
    const copy = this.#copy!
    const shape = this.#shape
    if (weights.form === "one") {
      const { slot, weight } = weights
      fast.deliverOne(fresh(bags), () => weighed, rows, slot, weight, copy, shape, g, counts)
    } else fast.deliverEach(fresh(bags), () => weighed, rows, weights.values, copy, shape, g, counts)
  }

  /** The parameters have been changed. */
  changed({ buffer, byteOffset }: Float64Array): void {
    if (this.#buffer === buffer && this.#at === byteOffset) this.#buffer = undefined
  }

  /** The memory with a copy of these parameters, if there is one. `words`: the number of words gathered by this call. */
  #copied(params: Float64Array, words: number): WordMemory["topics"] {
    const { buffer, byteOffset, length } = params
    if (this.#buffer !== buffer || this.#at !== byteOffset) {
      this.#buffer = buffer
      this.#at = byteOffset
      this.#work = 0
    }
    if (this.#work > Math.max(length, WORTH) && this.#work < Infinity) {
      if (!this.#copy) this.#open()
      this.#copy?.set(params)
      // if there is no memory, do not ask again soon
      this.#work = this.#copy ? Infinity : -Infinity
    }
    this.#work += words * topicsOf(this.#shape)
    return this.#work === Infinity ? this.#memory?.topics : undefined
  }

  #open(): void {
    const { slots, words } = this.#shape
    const copied = placesOf(this.#shape).end
    const size = sizeOf(this.#shape)
    const numbers = copied + size
    const scratch = scratchOf(this.#shape)
    this.#memory = fastKernels()?.openMoving({ numbers, longest: words, slots, kept: 0, scratch })
    this.#copy = this.#memory?.numbers(copied)
    this.#counts = this.#memory?.numbers(size)
  }
}

/** The memory recognises rows by their object, and those of a sweep may be overwritten by the next block. */
function fresh({ offsets, words }: WordRows): WordRows {
  return { offsets, words }
}
