/** Statistics of topics: θ from them, and the prior, moments and value. */
import { log } from "../../kernels/log.ts"
import { alphaOf } from "./alpha.ts"
import { addKeepingAlpha, type BoundTopics, sumFrom, sumOf } from "./bound.ts"
import { column as columnOf, tokensOf, topicAt } from "./layout.ts"

/** params ← θ(stats + strength·η). Returns the number of topics with a negative count. */
export function solve(
  { shape, at, kept, fixed, eta }: BoundTopics,
  stats: Float64Array,
  strength: number,
  params: Float64Array,
): number {
  const { slots, own, shared, words, topics, tables, exposure } = shape
  kept.changed(params)
  const e = strength * eta
  const totals = new Float64Array(slots * own + shared)
  const outside = new Set<number>()
  copyWords(stats, params, e, 0, words, slots * own, totals, 0, outside)
  copyWords(stats, params, e, at.shared, words, shared, totals, slots * own, outside)
  params[at.e] = 0
  for (let q = 0; q < totals.length; q++) {
    if (totals[q] > 0) params[at.inverse + q] = 1 / totals[q]
    else evenWords(shape, at, params, q)
  }
  for (let q = 0; q < slots * topics; q++) {
    params[at.alpha + q] =
      fixed?.[q % topics] ?? alphaOf(stats[tables + q], stats[exposure + Math.trunc(q / topics)])
  }
  return outside.size
}

/** params ← max(W + e, 0); totals_q += Σ_w params. */
function copyWords(
  stats: Float64Array,
  params: Float64Array,
  e: number,
  from: number,
  words: number,
  count: number,
  totals: Float64Array,
  first: number,
  outside: Set<number>,
): void {
  for (let w = 0, j = from; w < words; w++) {
    for (let q = 0; q < count; q++, j++) {
      if (stats[j] + e < 0) outside.add(first + q)
      params[j] = Math.max(stats[j] + e, 0)
      totals[first + q] += params[j]
    }
  }
}

/** A topic without words: φ is uniform. */
function evenWords(
  { slots, own, shared, words }: BoundTopics["shape"],
  at: BoundTopics["at"],
  params: Float64Array,
  q: number,
): void {
  const isOwn = q < slots * own
  const stride = isOwn ? slots * own : shared
  const from = isOwn ? q : at.shared + q - slots * own
  for (let w = 0; w < words; w++) params[from + w * stride] = 1
  params[at.inverse + q] = words > 0 ? 1 / words : 1
}

export function addPrior({ shape, eta }: BoundTopics, stats: Float64Array, strength = 1): void {
  const { slots, own, shared, words, n } = shape
  for (let j = 0; j < n; j++) stats[j] += strength * eta
  // documents with one word each, as in `addMoments`
  for (let p = 0; p < slots; p++) stats[n + p] += strength * eta * words * (own + shared / slots)
}

/** E[s] of documents with one word each: the length is not modelled. */
export function addMoments(
  { shape, at }: BoundTopics,
  params: Float64Array,
  mass: Float64Array,
  stats: Float64Array,
): void {
  const { slots, words, topics } = shape
  for (let p = 0; p < slots; p++) {
    const alpha = at.alpha + p * topics
    const total = sumFrom(params, alpha, alpha + topics)
    for (let k = 0; k < topics; k++) {
      const { at: from, stride } = columnOf(shape, p, k)
      const share = (mass[p] * params[alpha + k]) / total
      const inverse = params[at.inverse + topicAt(shape, p, k)]
      for (let j = from, w = 0; w < words; w++, j += stride)
        stats[j] += share * ((params[j] + params[at.e]) * inverse)
    }
    // ψ(α₀ + 1) − ψ(α₀)
    addKeepingAlpha(shape, stats, p, mass[p], 1 / total, params, alpha)
  }
}

/** Σ W ln φ, where 0 · (−∞) = 0. */
export function valueWith(
  { shape, at }: BoundTopics,
  params: Float64Array,
  count: (j: number) => number,
): number {
  const { slots, own, shared, n } = shape
  let sum = 0
  for (let j = 0; j < n; j++) {
    const c = count(j)
    if (c === 0) continue
    const q = j < at.shared ? j % (slots * own) : slots * own + ((j - at.shared) % shared)
    sum += c * log((params[j] + params[at.e]) * params[at.inverse + q])
  }
  return sum
}

/** Mass of each topic in documents: its words divided by the mean document length. */
export function hiddenMass({ shape }: BoundTopics, stats: Float64Array): Float64Array {
  const { slots, topics, n } = shape
  const tokens = tokensOf(stats, shape)
  let documents = 0
  for (let p = 0; p < slots; p++) documents += stats[n + p]
  const length = sumOf(tokens) / documents
  return Float64Array.from({ length: topics * slots }, (_, j) => {
    const share = tokens[topicAt(shape, j % slots, Math.trunc(j / slots))]
    return length > 0 ? share / length : 0
  })
}
