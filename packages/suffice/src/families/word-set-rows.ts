/** Bags under a set of words: scored, absorbed, drawn. */
import type { Bags, Block, SummedWeights } from "../contract/block.ts"
import type { Dice } from "../contract/dice.ts"
import type { Weighted } from "../contract/leaf.ts"
import { eachOnce } from "../kernels/bag-rows.ts"
import { exp } from "../kernels/exp.ts"
import { movingSetOf } from "../kernels/moving-sets.ts"
import { putBag } from "./bag.ts"
import { softplus, type WordSet } from "./word-set-leaf.ts"

export function isSeen(set: WordSet, { offsets, missing }: Bags, i: number): boolean {
  const { isEmptySeen } = set
  return isEmptySeen ? missing?.[i] !== 1 : offsets[i] < offsets[i + 1]
}

/** Is any word in every document of its slot? */
function isSure(set: WordSet, params: Float64Array): boolean {
  const { slots, size } = set
  for (let p = 0; p < slots; p++) if (params[size + p] > 0) return true
  return false
}

function scoreSure(set: WordSet, bags: Bags, rows: number, params: Float64Array, out: Float64Array): void {
  const { slots, row, size, sure } = set
  const { offsets, words } = bags
  for (let i = 0; i < rows; i++) {
    if (!isSeen(set, bags, i)) continue
    for (let p = 0; p < slots; p++) row[p] = params[size + slots + p]
    sure.fill(0)
    for (let t = offsets[i]; t < offsets[i + 1]; t++) {
      const at = words[t] * slots
      for (let p = 0; p < slots; p++) {
        const theta = params[at + p]
        if (theta === Infinity) sure[p]++
        else row[p] += theta
      }
    }
    // a bag without a word of q_w = 1 is impossible
    for (let p = 0; p < slots; p++) out[p * rows + i] += sure[p] < params[size + p] ? -Infinity : row[p]
  }
}

export function scoreRows(set: WordSet, block: Block, params: Float64Array, out: Float64Array): void {
  const { place, size, slots, kept } = set
  const bags = block.cells[place] as Bags
  const { rows } = block
  const moving = movingSetOf(params)
  if (moving) {
    moving.score(bags, (seen, i) => isSeen(set, seen, i), rows, out)
    return
  }
  if (isSure(set, params)) {
    scoreSure(set, bags, rows, params, out)
    return
  }
  // no word has q_w = 1: A_p of the kernels is 0
  if (set.head.buffer !== params.buffer || set.head.byteOffset !== params.byteOffset)
    set.head = params.subarray(0, size + slots)
  kept.score(bags, eachOnce, rows, set.head, out)
  // runs of consecutive rows that are seen
  for (let i = 0, from = 0; i < rows; from = ++i) {
    while (i < rows && isSeen(set, bags, i)) i++
    for (let p = 0; p < slots; p++) {
      const absent = params[size + slots + p]
      for (let j = p * rows + from; j < p * rows + i; j++) out[j] += absent
    }
  }
}

export function absorbRows(set: WordSet, block: Block, weights: SummedWeights, stats: Float64Array): false {
  const { place, kernels, slots, isEmptySeen, size } = set
  const bags = block.cells[place] as Bags
  const { rows } = block
  if (weights.form === "one")
    kernels.absorbOne(bags, eachOnce(bags), rows, weights.slot, weights.weight, slots, stats)
  else kernels.absorbEach(bags, eachOnce(bags), rows, weights.values, slots, stats)
  // kernels do not count rows without words
  for (let i = 0; isEmptySeen && i < rows; i++) {
    if (bags.offsets[i] < bags.offsets[i + 1] || !isSeen(set, bags, i)) continue
    if (weights.form === "one") stats[size + weights.slot[i]] += weights.weight[i]
    else for (let p = 0; p < slots; p++) stats[size + p] += weights.values[p * rows + i]
  }
  return false
}

/** A bag that is not empty is evidence; in an empty one, each word is drawn with its own probability, if there is space. */
export function sampleRow(
  { place, words, slots }: WordSet,
  params: Float64Array,
  slot: number,
  block: Block,
  dice: Dice,
): void {
  const bags = block.cells[place] as Bags
  if (bags.offsets[1] > 0 || bags.words.length === 0) return
  const drawn = new Float64Array(words)
  for (let w = 0; w < words; w++) {
    if (dice.uniform() < 1 / (1 + exp(-params[w * slots + slot]))) drawn[w] = 1
  }
  putBag(block, place, drawn)
}

/** ln q_w of a word that is present, ln(1 − q_w) of one that is absent. */
export function contributions(
  set: WordSet,
  block: Block,
  params: Float64Array,
  slot: number,
  out: Float64Array,
): void {
  const { place, words, slots } = set
  const bags = block.cells[place] as Bags
  if (!isSeen(set, bags, 0)) return
  const present = new Set(bags.words.subarray(bags.offsets[0], bags.offsets[1]))
  for (let w = 0; w < words; w++) {
    const theta = params[w * slots + slot]
    out[w] -= softplus(present.has(w) ? -theta : theta)
  }
}

/** For a bag that is not empty. */
export function termsOf({ size, slots, column }: WordSet, params: Float64Array, slot: number): Weighted[] {
  return [
    [{ kind: "1" }, params[size + slots + slot]],
    ...column.words.map(
      (word, w): Weighted => [{ kind: "word", column: column.name, word }, params[w * slots + slot]],
    ),
  ]
}
