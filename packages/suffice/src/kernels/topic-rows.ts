/**
 * Documents explained by topics: each has proportions θ of its own, found by a concave climb.
 *
 *     fold      s_j = Σ_k g_k φ_jk        n_k = Σ_j x_j g_k φ_jk / s_j        g_k ← α_k + n_k        θ = g / (N + α₀)
 *     score     Σ_j x_j ln(s_j / (N + α₀))  +  Σ_k α_k ln(θ_k / m_k)          m = α / α₀,  N = Σ_j x_j
 *     deliver   W_wk += weight · x_j g_k φ_jk / s_j
 *
 * j: the words of the document, x: what they weigh, φ_jk: the probability of word j in topic k. A step of `fold` never lowers the score, which has one
 * maximum in θ. The φ of a document are gathered side by side first, since every step reads them again.
 *
 * Sums over topics are four apart, k mod 4, as two registers hold them. Twins: assembly/topics.ts.
 *
 * Long because the loops of one fold stand together.
 */
import { log } from "./log.ts"
import type { WordRows } from "./word-rows.ts"
import { grow } from "./workspace.ts"

/**
 * P slots with `own` topics each, and `shared` ones that all slots have. Parameters: φ_wk = (U_wk + e) · inverse_k, with U of the own topics at
 * (w·P + p)·own + t, then of the shared ones at w·shared + t, then e, then `inverse` in the order of one word's topics, then α at p·topics + k.
 */
export interface TopicShape {
  readonly slots: number
  readonly own: number
  readonly shared: number
  readonly words: number
}

/** Topics of a slot. */
export function topicsOf({ own, shared }: TopicShape): number {
  return own + shared
}

/** The same, padded to an even number: the length of a row of g, and of φ. */
export function widthOf(shape: TopicShape): number {
  return (topicsOf(shape) + 1) & ~1
}

/** The number of U: all topics, word by word. */
export function sizeOf({ slots, own, shared, words }: TopicShape): number {
  return words * (slots * own + shared)
}

/** Where the parts of the parameters begin. */
export function placesOf(shape: TopicShape): {
  readonly shared: number
  readonly e: number
  readonly inverse: number
  readonly alpha: number
  readonly end: number
} {
  const { slots, own, shared, words } = shape
  const e = sizeOf(shape)
  const inverse = e + 1
  const alpha = inverse + slots * own + shared
  return { shared: words * slots * own, e, inverse, alpha, end: alpha + slots * (own + shared) }
}

/** How far to climb: until Σ|Δn| < tolerance·N, but at most so many steps; with leaps, where two steps tell where they lead. */
export interface Climb {
  readonly steps: number
  readonly tolerance: number
  readonly leaps: boolean
}

const phis = grow()
const sums = grow()

/**
 * out[p·rows + i] += score of row i in slot p; g[(p·rows + i)·width + k] ← α_k + n_k, padded with zeros. Rows without words score 0, with g = α.
 */
export function scoreTopics(
  { offsets, words }: WordRows,
  weighed: Float64Array,
  rows: number,
  params: Float64Array,
  shape: TopicShape,
  climb: Climb,
  out: Float64Array,
  g: Float64Array,
): void {
  const { slots } = shape
  const topics = topicsOf(shape)
  const width = widthOf(shape)
  const places = placesOf(shape)
  const scratch = sums(3 * width)
  for (let i = 0; i < rows; i++) {
    const from = offsets[i]
    const count = offsets[i + 1] - from
    const phi = phis(count * width)
    let length = 0
    for (let t = from; t < from + count; t++) length += weighed[t]
    for (let p = 0; p < slots; p++) {
      const at = (p * rows + i) * width
      const alpha = places.alpha + p * topics
      for (let k = 0; k < width; k++) g[at + k] = k < topics ? params[alpha + k] : 0
      if (count === 0) continue
      gatherTopics(words, from, count, params, shape, p, phi)
      const each = length / topics
      for (let k = 0; k < topics; k++) g[at + k] += each
      fold(phi, weighed, from, count, topics, width, params, alpha, g, at, climb, length, scratch)
      out[p * rows + i] += scoreOf(phi, weighed, from, count, topics, width, params, alpha, g, at, length)
    }
  }
}

/** phi[j·width + k] ← φ of the document's word j in topic k of the slot; padding is not touched, and stays 0. */
export function gatherTopics(
  words: Int32Array,
  from: number,
  count: number,
  params: Float64Array,
  shape: TopicShape,
  slot: number,
  phi: Float64Array,
): void {
  const { slots, own, shared } = shape
  const width = widthOf(shape)
  const places = placesOf(shape)
  const e = params[places.e]
  const stride = slots * own
  const inverse = places.inverse + slot * own
  const inverseShared = places.inverse + stride
  for (let j = 0; j < count; j++) {
    const w = words[from + j]
    const to = j * width
    const at = w * stride + slot * own
    for (let k = 0; k < own; k++) phi[to + k] = (params[at + k] + e) * params[inverse + k]
    const atShared = places.shared + w * shared
    for (let k = 0; k < shared; k++)
      phi[to + own + k] = (params[atShared + k] + e) * params[inverseShared + k]
  }
}

/**
 * g[at + k] ← α_k + n_k, step by step. Steps shrink by a nearly constant factor, so two of them tell where they lead; with `leaps`, that is where the third goes
 * (SQUAREM; Varadhan & Roland 2008): g ← g + 2a·r + a²·v, with r the first step, v the second minus the first, a = |r|/|v|, but not below α. A leap after which
 * steps are longer than before is taken back. On documents of ap (50 topics) a tolerance of 1e-6 takes 23 steps with leaps, and 72 without.
 */
function fold(
  phi: Float64Array,
  weighed: Float64Array,
  from: number,
  count: number,
  topics: number,
  width: number,
  params: Float64Array,
  alpha: number,
  g: Float64Array,
  at: number,
  { steps, tolerance, leaps }: Climb,
  length: number,
  scratch: Float64Array,
): void {
  const enough = tolerance * length
  // after the sums of a step: g after one step, and after two
  const one = width
  const two = 2 * width
  let leapt = false
  let before = 0
  for (let step = 0; step < steps; step++) {
    const change = improve(phi, weighed, from, count, topics, width, params, alpha, g, at, scratch, one)
    if (change < enough || !leaps) {
      for (let k = 0; k < topics; k++) g[at + k] = scratch[one + k]
      if (change < enough) return
      continue
    }
    if (leapt && change > before) {
      for (let k = 0; k < topics; k++) g[at + k] = scratch[two + k]
      leapt = false
      continue
    }
    step++
    before = improve(phi, weighed, from, count, topics, width, params, alpha, scratch, one, scratch, two)
    if (before < enough || step >= steps) {
      for (let k = 0; k < topics; k++) g[at + k] = scratch[two + k]
      return
    }
    let rr = 0
    let vv = 0
    for (let k = 0; k < topics; k++) {
      const r = scratch[one + k] - g[at + k]
      const v = scratch[two + k] - scratch[one + k] - r
      rr += r * r
      vv += v * v
    }
    const a = vv < rr ? Math.sqrt(rr / vv) : 1
    for (let k = 0; k < topics; k++) {
      const r = scratch[one + k] - g[at + k]
      const v = scratch[two + k] - scratch[one + k] - r
      const leap = g[at + k] + 2 * a * r + a * a * v
      g[at + k] = leap > params[alpha + k] ? leap : params[alpha + k]
    }
    leapt = true
  }
  if (leapt) for (let k = 0; k < topics; k++) g[at + k] = scratch[two + k]
}

/** to_k ← α_k + n_k of g, padding 0; returns Σ_k |change|. Sums are in the first places of the scratch. */
function improve(
  phi: Float64Array,
  weighed: Float64Array,
  from: number,
  count: number,
  topics: number,
  width: number,
  params: Float64Array,
  alpha: number,
  g: Float64Array,
  at: number,
  scratch: Float64Array,
  to: number,
): number {
  for (let k = 0; k < width; k++) scratch[k] = 0
  for (let j = 0, row = 0; j < count; j++, row += width) {
    const s = mixed(phi, row, g, at, width)
    const ratio = s > 0 ? weighed[from + j] / s : 0
    for (let k = 0; k < width; k++) scratch[k] += ratio * phi[row + k]
  }
  let change = 0
  for (let k = 0; k < topics; k++) {
    const before = g[at + k]
    const after = params[alpha + k] + before * scratch[k]
    change += Math.abs(after - before)
    scratch[to + k] = after
  }
  return change
}

/** Σ_k g_k φ_k of one word. */
function mixed(phi: Float64Array, row: number, g: Float64Array, at: number, width: number): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let k = 0
  for (; k + 4 <= width; k += 4) {
    a += g[at + k] * phi[row + k]
    b += g[at + k + 1] * phi[row + k + 1]
    c += g[at + k + 2] * phi[row + k + 2]
    d += g[at + k + 3] * phi[row + k + 3]
  }
  if (k < width) {
    a += g[at + k] * phi[row + k]
    b += g[at + k + 1] * phi[row + k + 1]
  }
  return a + c + (b + d)
}

/** Σ_j x_j ln(s_j / (N + α₀)) + Σ_k α_k ln(θ_k / m_k) */
function scoreOf(
  phi: Float64Array,
  weighed: Float64Array,
  from: number,
  count: number,
  topics: number,
  width: number,
  params: Float64Array,
  alpha: number,
  g: Float64Array,
  at: number,
  length: number,
): number {
  let total = 0
  for (let k = 0; k < topics; k++) total += params[alpha + k]
  const mass = length + total
  let score = 0
  for (let j = 0, row = 0; j < count; j++, row += width)
    score += weighed[from + j] * log(mixed(phi, row, g, at, width) / mass)
  for (let k = 0; k < topics; k++) {
    const own = params[alpha + k]
    score += own * log(((g[at + k] / mass) * total) / own)
  }
  return score
}

/** W (laid out as U) += Σ_p weight_p · x_j g_k φ_jk / s_j of one document; `weights` at p·stride. */
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
  const phi = phis(count * width)
  gatherTopics(words, from, count, params, shape, slot, phi)
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
    const moved = delta[at + k]
    if (moved === 0) continue
    const before = params[at + k]
    const after = Math.max(before + factor * moved, least)
    totals[first + k] += after - before
    params[at + k] = after
    delta[at + k] = 0
  }
}
