/** Draws, contributions, proportions and descriptions of topics. */
import type { Block } from "../../contract/block.ts"
import type { Dice } from "../../contract/dice.ts"
import type { Topics, Weighted } from "../../contract/leaf.ts"
import type { Description } from "../../contract/report.ts"
import { log } from "../../kernels/log.ts"
import { putBag } from "../bag.ts"
import {
  addKeepingAlpha,
  alphasOf,
  type BoundTopics,
  bagsIn,
  logChance,
  phiOf,
  sumFrom,
  sumOf,
  wordsOf,
} from "./bound.ts"
import { adoptTopics } from "./description.ts"
import { proportionsIn } from "./documents.ts"
import { notADensity } from "./domain.ts"
import { column as columnOf, tokensOf, topicAt } from "./layout.ts"

/** θ ~ Dirichlet(α), then a topic and a word per position, for a given number of words. */
export function sample(
  leaf: BoundTopics,
  params: Float64Array,
  slot: number,
  block: Block,
  dice: Dice,
): void {
  const { words, topics } = leaf.shape
  const bags = bagsIn(leaf, block)
  if (bags.offsets[1] > 0 || bags.words.length === 0 || words === 0) return
  if (leaf.isScaled) notADensity(leaf.column)
  const theta = new Float64Array(topics)
  dice.dirichlet(alphasOf(leaf, params, slot), theta)
  const chances = Array.from({ length: topics }, (_, k) =>
    wordsOf(leaf, params, slot, k, new Float64Array(words)),
  )
  const drawn = new Float64Array(words)
  for (let t = 0; t < bags.words.length; t++)
    drawn[dice.categorical(chances[dice.categorical(theta, 0, topics)], 0, words)]++
  putBag(block, leaf.place, drawn)
}

/** out[w] += c_w ln Σ_k θ̂_k φ_kw; after the words, −α₀·KL(m ‖ θ̂). */
export function addContributions(
  leaf: BoundTopics,
  block: Block,
  params: Float64Array,
  slot: number,
  out: Float64Array,
): void {
  const { slots, words, topics } = leaf.shape
  const bags = bagsIn(leaf, block)
  const counts = leaf.countsOf(bags)
  if (bags.offsets[0] === bags.offsets[1]) return
  const whole = new Float64Array(slots * block.rows)
  const from = slot * block.rows * leaf.width
  const theta = proportionsIn(leaf, block, params, whole).subarray(from, from + topics)
  const mass = sumOf(theta)
  let sum = 0
  for (let t = bags.offsets[0]; t < bags.offsets[1]; t++) {
    let s = 0
    for (let k = 0; k < topics; k++) s += theta[k] * phiOf(leaf, params, slot, k, bags.words[t])
    const term = counts[t] * log(s / mass)
    sum += term
    out[bags.words[t]] += term
  }
  if (out.length > words && Number.isFinite(sum)) out[words] += whole[slot * block.rows] - sum
}

/** Weights of the counts, for a single topic. */
export function linear(leaf: BoundTopics, params: Float64Array, slot: number): Weighted[] {
  const { name, words } = leaf.column
  return words.map((word, w) => [{ kind: "count", column: name, word }, logChance(leaf, params, slot, 0, w)])
}

export function adopt(
  { column, shape }: BoundTopics,
  description: Description,
  slot: number,
  mass: number,
  stats: Float64Array,
): void {
  const { alphas, phi } = adoptTopics(column, shape, description)
  const total = sumOf(alphas)
  addKeepingAlpha(shape, stats, slot, mass, 1 / total, alphas, 0)
  for (let k = 0; k < shape.topics; k++) {
    const { at: from, stride } = columnOf(shape, slot, k)
    for (let w = 0; w < shape.words; w++) stats[from + w * stride] += ((mass * alphas[k]) / total) * phi[k][w]
  }
}

/** Queries about topics. */
export function topicsIn(leaf: BoundTopics): Topics {
  const { shape, width } = leaf
  const { slots, shared, topics } = shape
  return {
    count: topics,
    shared,
    proportions(block, params, out) {
      const g = proportionsIn(leaf, block, params)
      for (let q = 0; q < slots * block.rows; q++) {
        const mass = sumFrom(g, q * width, q * width + topics)
        for (let k = 0; k < topics; k++) out[q * topics + k] = g[q * width + k] / mass
      }
    },
    words: (params, slot, k, out) => void wordsOf(leaf, params, slot, k, out),
    alpha: (params, slot) => alphasOf(leaf, params, slot),
    tokens(stats, slot) {
      const all = tokensOf(stats, shape)
      return Float64Array.from({ length: topics }, (_, k) => all[topicAt(shape, slot, k)])
    },
  }
}
