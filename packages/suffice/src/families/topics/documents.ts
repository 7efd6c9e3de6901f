/** Documents under topics: scores, expected statistics and first guesses. */
import type { Block, SummedWeights, Weights } from "../../contract/block.ts"
import type { Dice } from "../../contract/dice.ts"
import type { Work } from "../../contract/leaf.ts"
import { digamma } from "../../kernels/log-gamma.ts"
import type { Climb } from "../../kernels/topic-fold.ts"
import { scoreDocument } from "../../kernels/topic-rows.ts"
import { movingMemory } from "../../kernels/word-memory.ts"
import { FIRST_ALPHA } from "./alpha.ts"
import { addKeepingAlpha, type BoundTopics, bagsIn, documents, sumFrom } from "./bound.ts"
import { addEvidence } from "./evidence.ts"
import { Folded } from "./folded.ts"
import { column as columnOf } from "./layout.ts"

/** Approximate θ during small steps; to convergence otherwise. */
const ROUGH: Climb = { steps: 10, tolerance: 0.01, leaps: false }
const FINE: Climb = { steps: 200, tolerance: 1e-7, leaps: true }

/** g = α + n by row and slot; out += score. See scoreTopics. */
export function scoredTopics(
  leaf: BoundTopics,
  block: Block,
  params: Float64Array,
  out: Float64Array,
  reuse?: Folded,
): Folded {
  const { shape, kept, kernels, countsOf, width } = leaf
  const bags = bagsIn(leaf, block)
  const { rows } = block
  const length = shape.slots * rows * width
  const folded = reuse && reuse.g.length >= length ? reuse : new Folded(length)
  const memory = movingMemory(params)
  const climb = memory && !memory.isExact ? ROUGH : FINE
  if (memory?.topics) {
    const left = memory.topics.scoreTopics(bags, countsOf, rows, params, shape, climb, out, folded.g)
    for (const i of left)
      scoreDocument(bags, countsOf(bags), i, rows, params, shape, climb, out, folded.g, kernels)
  } else kept.score(bags, countsOf(bags), rows, params, climb, out, folded.g)
  return folded
}

/** g alone; `out` receives the score if given. */
export function proportionsIn(
  leaf: BoundTopics,
  block: Block,
  params: Float64Array,
  out: Float64Array = new Float64Array(leaf.shape.slots * block.rows),
): Float64Array {
  return scoredTopics(leaf, block, params, out).g
}

export function absorb(
  leaf: BoundTopics,
  block: Block,
  params: Float64Array,
  weights: SummedWeights,
  stats: Float64Array,
  work: Work,
): boolean {
  const { shape, at, kept, fixed, countsOf, width } = leaf
  const { topics } = shape
  const { rows } = block
  const bags = bagsIn(leaf, block)
  const counts = countsOf(bags)
  const g = (work as Folded | undefined)?.g ?? proportionsIn(leaf, block, params)
  const moves = !fixed && movingMemory(params) !== undefined
  kept.deliver(bags, counts, block, weights, params, g, stats)
  documents(leaf, block, weights, (i, p, w) => {
    const alpha = at.alpha + p * topics
    let total = 0
    for (let k = 0; k < topics; k++) total += params[alpha + k]
    const length = sumFrom(counts, bags.offsets[i], bags.offsets[i + 1])
    const sigma = digamma(total + length) - digamma(total)
    addKeepingAlpha(shape, stats, p, w, sigma, params, alpha)
    if (moves) addTables(leaf, stats, p, w, sigma, params, g, (p * rows + i) * width)
  })
  return topics > 1
}

/** T_k += w·( α_k [ψ(α_k + n_k) − ψ(α_k)] − α_k·σ ); α_k·σ is in T_k already. g = α + n, at `from`. */
function addTables(
  { shape, at }: BoundTopics,
  stats: Float64Array,
  p: number,
  w: number,
  sigma: number,
  params: Float64Array,
  g: Float64Array,
  from: number,
): void {
  const { topics, tables } = shape
  const alpha = at.alpha + p * topics
  for (let k = 0; k < topics; k++) {
    const a = params[alpha + k]
    stats[tables + p * topics + k] += w * a * (digamma(g[from + k]) - digamma(a) - sigma)
  }
}

/**
 * Each word gives half of its count to each of two random topics. If all topics are shared and there are enough, one of the two is the topic of the
 * context: otherwise two small classes may begin with a common topic, which sdEM cannot separate again (bench/topics.md).
 */
export function start(
  leaf: BoundTopics,
  block: Block,
  weights: Weights,
  dice: Dice,
  stats: Float64Array,
  value?: number,
): void {
  const { shape, fixed } = leaf
  const { slots, shared, topics, tables, exposure } = shape
  const bags = bagsIn(leaf, block)
  const counts = leaf.countsOf(bags)
  const first = fixed ?? new Float64Array(topics).fill(FIRST_ALPHA)
  const isApart = shape.own === 0 && slots > 1 && slots <= shared
  const add = (p: number, k: number, w: number, count: number): void => {
    const { at: from, stride } = columnOf(shape, p, k)
    stats[from + w * stride] += count
  }
  documents(leaf, block, weights, (i, p, weight) => {
    addKeepingAlpha(shape, stats, p, weight, 1, first, 0)
    for (let t = bags.offsets[i]; t < bags.offsets[i + 1]; t++) {
      const count = weight * counts[t]
      if (value !== undefined) add(p, value, bags.words[t], count)
      else {
        add(p, dice.integer(topics), bags.words[t], count / 2)
        add(p, isApart ? p : dice.integer(topics), bags.words[t], count / 2)
      }
    }
    if (value === undefined) return
    // a restarted topic also restarts its α
    const from = tables + p * topics + value
    stats[from] = Math.max(stats[from], first[value] * stats[exposure + p])
  })
}

/** out += a lower bound of the log-density. */
export function addBound(leaf: BoundTopics, block: Block, params: Float64Array, out: Float64Array): void {
  const bags = bagsIn(leaf, block)
  const g = proportionsIn(leaf, block, params)
  addEvidence(bags, leaf.countsOf(bags), block.rows, params, leaf.shape, g, out)
}
