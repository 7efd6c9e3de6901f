/** Rows and statistics of a multinomial distribution of words. */
import type { Bags, Block, SummedWeights } from "../contract/block.ts"
import type { Dice } from "../contract/dice.ts"
import type { Weighted } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import { probabilitiesOf } from "../described.ts"
import { SufficeError, show } from "../errors.ts"
import { absorbEach, absorbOne } from "../kernels/bag-rows.ts"
import { exp } from "../kernels/exp.ts"
import { KeptWords } from "../kernels/kept-words.ts"
import { fastKernels, type Kernels } from "../kernels/twins.ts"
import { isNormed, scaler } from "../text/scaling.ts"
import { type BagColumn, putBag } from "./bag.ts"

/** For normalised documents; chosen on training rows (bench/studies/defaults.md). */
const NORMED_PRIOR = 0.05

/** Layout of a leaf, and memory within one call. */
export interface WordsLeaf {
  readonly column: BagColumn
  readonly place: number
  readonly slots: number
  readonly scaling: "raw" | "log" | "l2" | "tfidf" | undefined
  readonly isScaled: boolean
  readonly countsOf: (bags: Bags) => Float64Array
  readonly alpha: number
  readonly words: number
  readonly size: number
  readonly kept: KeptWords
  readonly kernels: Pick<Kernels, "absorbOne" | "absorbEach">
}

export function wordsLeaf(
  column: BagColumn,
  place: number,
  slots: number,
  prior: number | undefined,
): WordsLeaf {
  const { scaling } = column.text
  const isScaled = scaling !== undefined && scaling !== "raw"
  const countsOf = scaler(column.text)
  const alpha = prior ?? (isNormed(scaling) ? NORMED_PRIOR : 1)
  const words = column.words.length
  const size = words * slots
  const kept = new KeptWords(slots)
  const kernels = fastKernels() ?? { absorbOne, absorbEach }
  return { column, place, slots, scaling, isScaled, countsOf, alpha, words, size, kept, kernels }
}
/** ln p(word w | slot) */
function chance({ slots, size }: WordsLeaf, params: Float64Array, slot: number, w: number): number {
  return params[w * slots + slot] - params[size + slot]
}

export function addPrior(
  { size, alpha, slots, words }: WordsLeaf,
  stats: Float64Array,
  strength: number = 1,
): void {
  addEach(stats, size, strength * alpha)
  // α·V pseudo-documents of one word each, the unit of `moments`: prior − n·E[s | θ] then moves no mass
  for (let p = 0; p < slots; p++) stats[size + p] += strength * alpha * words
}

export function scoreRows(
  { place, kept, countsOf }: WordsLeaf,
  block: Block,
  params: Float64Array,
  out: Float64Array,
): void {
  const bags = block.cells[place] as Bags
  kept.score(bags, countsOf, block.rows, params, out)
}

export function absorbRows(
  { place, kernels, countsOf, slots }: WordsLeaf,
  block: Block,
  weights: SummedWeights,
  stats: Float64Array,
): false {
  const bags = block.cells[place] as Bags
  if (weights.form === "one")
    kernels.absorbOne(bags, countsOf(bags), block.rows, weights.slot, weights.weight, slots, stats)
  else kernels.absorbEach(bags, countsOf(bags), block.rows, weights.values, slots, stats)
  return false
}

/** For documents of one word each: the length is given, not modelled. */
export function addExpected(
  { size, slots }: WordsLeaf,
  params: Float64Array,
  mass: Float64Array,
  stats: Float64Array,
): void {
  for (let at = 0; at < size; at += slots) {
    for (let p = 0; p < slots; p++) stats[at + p] += mass[p] * exp(params[at + p] - params[size + p])
  }
  for (let p = 0; p < slots; p++) stats[size + p] += mass[p]
}

export function adoptWords(
  { size, words, column, slots }: WordsLeaf,
  description: Description,
  slot: number,
  mass: number,
  stats: Float64Array,
): void {
  stats[size + slot] += mass
  if (words === 0) return
  const given = probabilitiesOf(
    "multinomial",
    column.name,
    { probabilities: description?.words },
    column.words,
  )
  for (let w = 0; w < words; w++) stats[w * slots + slot] += mass * given[w]
}

/** A bag that is not empty is evidence; an empty one is filled with as many words as its array has space for, as the length is not modelled. */
export function sampleRow(
  layout: WordsLeaf,
  params: Float64Array,
  slot: number,
  block: Block,
  dice: Dice,
): void {
  const { place, words, isScaled, column } = layout
  const bags = block.cells[place] as Bags
  if (bags.offsets[1] > 0 || bags.words.length === 0 || words === 0) return
  if (isScaled) notADensity(column)
  const chances = Float64Array.from({ length: words }, (_, w) => exp(chance(layout, params, slot, w)))
  const drawn = new Float64Array(words)
  for (let t = 0; t < bags.words.length; t++) drawn[dice.categorical(chances, 0, words)]++
  putBag(block, place, drawn)
}

export function describeWords(layout: WordsLeaf, params: Float64Array, slot: number): Description {
  const { column } = layout
  return {
    words: Object.fromEntries(column.words.map((word, w) => [word, exp(chance(layout, params, slot, w))])),
  }
}

export function contributions(
  layout: WordsLeaf,
  block: Block,
  params: Float64Array,
  slot: number,
  out: Float64Array,
): void {
  const { place, countsOf } = layout
  const { offsets, words } = block.cells[place] as Bags
  const counts = countsOf(block.cells[place] as Bags)
  for (let t = offsets[0]; t < offsets[1]; t++)
    out[words[t]] += counts[t] * chance(layout, params, slot, words[t])
}

export function termsOf(layout: WordsLeaf, params: Float64Array, slot: number): Weighted[] {
  const { column } = layout
  return column.words.map(
    (word, w): Weighted => [{ kind: "count", column: column.name, word }, chance(layout, params, slot, w)],
  )
}

export function notADensity({ name, text: { scaling } }: BagColumn): never {
  throw new SufficeError(
    "model",
    `the documents in ${show(name)} are scaled (${show(scaling)}), so their score is a weighted log-likelihood. It is no density: there is nothing to sample from, and no likelihood to compare. Use multinomial({ scaling: "raw" }) and a generative learner for that.`,
    { column: name, scaling },
  )
}

// Separate functions, because engines optimise loops over parameters better than over captured variables.
function addEach(stats: Float64Array, count: number, alpha: number): void {
  for (let j = 0; j < count; j++) stats[j] += alpha
}
