/**
 * Expected counts of words in topics: what documents add to them, and how they move.
 *
 *     deliver   W_wk += weight · x_j g_k φ_jk / s_j        s_j = Σ_k g_k φ_jk, with g of topic-fold.ts
 *     move      U_wk ← max( U_wk + factor·D_wk, least )
 *
 * Twins: assembly/topic-counts.ts.
 */
import { mixed, PLAIN } from "./topic-fold.ts"
import { gatherTopics } from "./topic-rows.ts"
import { placesOf, type TopicShape, widthOf } from "./topic-shape.ts"
import type { WordRows } from "./word-rows.ts"

/** W (laid out as U) += weight · x_j g_k φ_jk / s_j of one document, whose g begins at `at`. */
function deliver(
  { offsets, words }: WordRows,
  weighed: Float64Array,
  i: number,
  slot: number,
  weight: number,
  params: Float64Array,
  shape: TopicShape,
  g: Float64Array,
  at: number,
  stats: Float64Array,
): void {
  const { slots, own, shared } = shape
  const width = widthOf(shape)
  const from = offsets[i]
  const count = offsets[i + 1] - from
  const phi = PLAIN.documentMemory(count * width)
  gatherTopics(words, from, count, params, shape, slot, phi, 0)
  const sharedAt = placesOf(shape).shared
  for (let j = 0, row = 0; j < count; j++, row += width) {
    let s = mixed(phi, row, g, at, width)
    if (!(s > 0)) {
      // a word that no topic has belongs to them as the document does
      for (let k = 0; k < own + shared; k++) phi[row + k] = 1
      s = mixed(phi, row, g, at, width)
    }
    const ratio = (weight * weighed[from + j]) / s
    const to = words[from + j] * slots * own + slot * own
    for (let k = 0; k < own; k++) stats[to + k] += ratio * (g[at + k] * phi[row + k])
    const toShared = sharedAt + words[from + j] * shared
    for (let k = 0; k < shared; k++) stats[toShared + k] += ratio * (g[at + own + k] * phi[row + own + k])
  }
}

/** Row i belongs to slot[i] alone, with weight[i]. */
export function deliverOne(
  bags: WordRows,
  weighed: Float64Array,
  rows: number,
  slot: Int32Array,
  weight: Float64Array,
  params: Float64Array,
  shape: TopicShape,
  g: Float64Array,
  stats: Float64Array,
): void {
  const width = widthOf(shape)
  for (let i = 0; i < rows; i++) {
    if (weight[i] === 0 || bags.offsets[i] === bags.offsets[i + 1]) continue
    deliver(bags, weighed, i, slot[i], weight[i], params, shape, g, (slot[i] * rows + i) * width, stats)
  }
}

/** Row i belongs to every slot p, with values[p·rows + i]. */
export function deliverEach(
  bags: WordRows,
  weighed: Float64Array,
  rows: number,
  values: Float64Array,
  params: Float64Array,
  shape: TopicShape,
  g: Float64Array,
  stats: Float64Array,
): void {
  const width = widthOf(shape)
  for (let i = 0; i < rows; i++) {
    if (bags.offsets[i] === bags.offsets[i + 1]) continue
    for (let p = 0; p < shape.slots; p++) {
      const at = p * rows + i
      if (values[at] !== 0) deliver(bags, weighed, i, p, values[at], params, shape, g, at * width, stats)
    }
  }
}

/**
 * U_wk ← max( U_wk + factor·D_wk, least ),  D ← 0,  totals_k += the change, for every word of the rows. A word that occurs in several of them moves once: its
 * D is 0 from then on.
 */
export function moveTopics(
  { offsets, words }: WordRows,
  rows: number,
  shape: TopicShape,
  factor: number,
  least: number,
  params: Float64Array,
  delta: Float64Array,
  totals: Float64Array,
): void {
  const { slots, own, shared } = shape
  const stride = slots * own
  const sharedAt = placesOf(shape).shared
  for (let t = offsets[0]; t < offsets[rows]; t++) {
    moveWord(words[t] * stride, stride, 0, factor, least, params, delta, totals)
    moveWord(sharedAt + words[t] * shared, shared, stride, factor, least, params, delta, totals)
  }
}

function moveWord(
  at: number,
  count: number,
  first: number,
  factor: number,
  least: number,
  params: Float64Array,
  delta: Float64Array,
  totals: Float64Array,
): void {
  for (let k = 0; k < count; k++) {
    const before = params[at + k]
    const after = Math.max(before + factor * delta[at + k], least)
    totals[first + k] += after - before
    params[at + k] = after
    delta[at + k] = 0
  }
}
