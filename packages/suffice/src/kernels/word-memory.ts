/**
 * Memory for counts and parameters of words that move: ordinary, or that of fast kernels, which then need no copies.
 * Scores are computed by the memory that contains the parameters.
 */
import type { TopicMemory } from "./topic-rows.ts"
import { fastKernels } from "./twins.ts"
import { moveEach, moveOne, scoreWords, settleWords, type WordMoments, type WordRows } from "./word-rows.ts"

export type { WordMoments } from "./word-rows.ts"

/** Rows that may be gathered from blocks that stay in memory: a memory with copies of those blocks need not gather words. */
export interface GatheredRows<Rows> extends WordRows {
  /** Row i is row rows[i] of from[i]. */
  readonly picked?: { readonly from: readonly Rows[]; readonly rows: readonly number[] } | undefined
}

/** The scaled counts of rows; the same array for the same rows. */
export type Weigh<Rows> = (rows: Rows) => Float64Array

/** The kernels of word-rows.ts, on numbers in this memory. */
export interface WordMemory {
  /** What hides inside a leaf is found to the last digit (Course). */
  readonly isExact: boolean
  /** An array of zeros in this memory. */
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
  /** Topics in this memory. Absent: they are left to the plain kernels. */
  readonly topics?: TopicMemory
}

const ORDINARY = /* @__PURE__ */ ordinary(false)
const EXACT = /* @__PURE__ */ ordinary(true)

function ordinary(isExact: boolean): WordMemory {
  const memory: WordMemory = {
    isExact,
    numbers(length) {
      const made = new Float64Array(length)
      markMoving(made.buffer, memory)
      return made
    },
    scoreWords: (bags, weigh, ...rest) => scoreWords(bags, weigh(bags), ...rest),
    moveOne: (bags, weigh, ...rest) => moveOne(bags, weigh(bags), ...rest),
    moveEach: (bags, weigh, ...rest) => moveEach(bags, weigh(bags), ...rest),
    settleWords,
  }
  return memory
}

/** How much memory. */
export interface WordMemorySize {
  /** Numbers that are asked for, in few arrays. */
  readonly numbers: number
  /** Words and slots of a row, at most. */
  readonly longest: number
  readonly slots: number
  /** The words of blocks that mini-batches are gathered from: they may be kept there. */
  readonly kept: number
  /** Numbers that a call needs. */
  readonly scratch: number
  /** See Course. */
  readonly isExact?: boolean
}

export type OpenWordMemory = (size: WordMemorySize) => WordMemory | undefined

export function openWordMemory(size: WordMemorySize): WordMemory {
  if (size.isExact) return EXACT
  return (size.numbers > 0 && fastKernels()?.openMoving(size)) || ORDINARY
}

const memories = new WeakMap<ArrayBufferLike, WordMemory>()

/** The memory that contains these numbers. */
export function memoryOf(numbers: Float64Array): WordMemory {
  return movingMemory(numbers) ?? ORDINARY
}

/** The memory of numbers that move; undefined for all others. */
export function movingMemory({ buffer }: Float64Array): WordMemory | undefined {
  return memories.get(buffer)
}

/** From now on the numbers in this buffer move, by the kernels of this memory. */
export function markMoving(buffer: ArrayBufferLike, memory: WordMemory): void {
  memories.set(buffer, memory)
}
