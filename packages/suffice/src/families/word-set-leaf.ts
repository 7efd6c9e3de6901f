/** Estimate, domain and value of a set of words. */
import type { Description } from "../contract/report.ts"
import { probability } from "../described.ts"
import { absorbEach, absorbOne } from "../kernels/bag-rows.ts"
import { exp } from "../kernels/exp.ts"
import { KeptWords } from "../kernels/kept-words.ts"
import { log, log1p } from "../kernels/log.ts"
import { fastKernels, type Kernels } from "../kernels/twins.ts"
import type { BagColumn } from "./bag.ts"

/** Layout of a leaf, and memory within one call. */
export interface WordSet {
  readonly column: BagColumn
  readonly place: number
  readonly slots: number
  readonly alpha: number
  readonly words: number
  readonly size: number
  readonly row: Float64Array
  readonly sure: Float64Array
  readonly isEmptySeen: boolean
  readonly kept: KeptWords
  readonly kernels: Pick<Kernels, "absorbOne" | "absorbEach">
  head: Float64Array
}

export function wordSetOf(column: BagColumn, place: number, slots: number, alpha: number): WordSet {
  const words = column.words.length
  const size = words * slots
  const row = new Float64Array(slots) // one row over all slots: its score,
  const sure = new Float64Array(slots) // and how many of its words have q_w = 1
  const isEmptySeen = column.text.empty !== undefined
  // sets that move are scored by themselves; those beside moving topics are none of the kernels' moving words
  const kept = new KeptWords(slots, false)
  const kernels = fastKernels() ?? { absorbOne, absorbEach }
  const head: Float64Array = new Float64Array(0)
  return { column, place, slots, alpha, words, size, row, sure, isEmptySeen, kept, kernels, head }
}

export function addPrior({ size, alpha, slots }: WordSet, stats: Float64Array, strength: number = 1): void {
  for (let j = 0; j < size; j++) stats[j] += strength * alpha
  for (let p = 0; p < slots; p++) stats[size + p] += 2 * strength * alpha
}

export function solveWords(
  set: WordSet,
  stats: Float64Array,
  strength: number,
  params: Float64Array,
): number {
  const { kept, alpha, slots, size, words } = set
  kept.changed(params)
  const more = strength * alpha
  let clamped = 0
  for (let p = 0; p < slots; p++) {
    const n = stats[size + p] + 2 * strength * alpha
    let outside = n < 0
    let absent = 0 // Σ ln(1 − q_w) where q_w < 1
    let certain = 0
    for (let w = 0; w < words; w++) {
      const count = stats[w * slots + p] + more
      if (count < 0 || count > n) outside = true
      // a slot without documents: q = ½
      const theta = n > 0 ? log(Math.max(count, 0) / Math.max(n - count, 0)) : 0
      params[w * slots + p] = theta
      if (theta === Infinity) certain++
      else absent -= softplus(theta)
    }
    params[size + p] = certain
    params[size + slots + p] = absent
    if (outside) clamped++
  }
  return clamped
}

export function addExpected(
  { slots, size, words }: WordSet,
  params: Float64Array,
  mass: Float64Array,
  stats: Float64Array,
): void {
  for (let p = 0; p < slots; p++) stats[size + p] += mass[p]
  for (let w = 0; w < words; w++) {
    for (let p = 0; p < slots; p++) stats[w * slots + p] += mass[p] / (1 + exp(-params[w * slots + p]))
  }
}

export function isInside({ size, words, slots }: WordSet, stats: Float64Array, slot: number): boolean {
  const n = stats[size + slot]
  const least = 1e-9 * n
  if (!(n > 0)) return false
  for (let w = 0; w < words; w++) {
    const count = stats[w * slots + slot]
    if (!(count >= least && n - count >= least)) return false
  }
  return true
}

export function valueOfWords(
  { words, slots, size }: WordSet,
  stats: Float64Array,
  params: Float64Array,
): number {
  // Σ n_w ln q_w + (n − n_w) ln(1 − q_w), with 0 · (−∞) = 0
  let total = 0
  for (let w = 0; w < words; w++) {
    for (let p = 0; p < slots; p++) {
      const theta = params[w * slots + p]
      const present = stats[w * slots + p]
      const absent = stats[size + p] - present
      if (present !== 0) total -= present * softplus(-theta)
      if (absent !== 0) total -= absent * softplus(theta)
    }
  }
  return total
}

export function adoptWords(
  { size, column, slots }: WordSet,
  description: Description,
  slot: number,
  mass: number,
  stats: Float64Array,
): void {
  const given = description?.words as Description | undefined
  stats[size + slot] += mass
  column.words.forEach((word, w) => {
    stats[w * slots + slot] += mass * probability("wordSet", column.name, word, given?.[word])
  })
}

export function describeWords({ column, slots }: WordSet, params: Float64Array, slot: number): Description {
  return {
    words: Object.fromEntries(
      column.words.map((word, w) => [word, 1 / (1 + exp(-params[w * slots + slot]))]),
    ),
  }
}

/** ln(1 + e^x), at ±∞ too. */
export function softplus(x: number): number {
  return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x))
}
