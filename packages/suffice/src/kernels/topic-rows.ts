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

/** The kernels that have twins. */
export interface TopicKernels {
  readonly foldTopics: typeof foldTopics
  readonly documentMemory: typeof documentMemory
}

let scratch = /* @__PURE__ */ new Float64Array(0)

/** Scratch for one document: at least so many numbers, of any value. */
export function documentMemory(length: number): Float64Array {
  if (scratch.length < length) scratch = new Float64Array(2 * length)
  return scratch
}

export const PLAIN: TopicKernels = { foldTopics, documentMemory }

/** Where a document of so many words has what it weighs and φ, after α, g and three rows of scratch: each row has `width` numbers. */
function documentOf(
  width: number,
  count: number,
): { readonly x: number; readonly phi: number; readonly end: number } {
  const x = 5 * width
  const phi = x + ((count + 1) & ~1)
  return { x, phi, end: phi + count * width }
}

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
  kernels: TopicKernels,
): void {
  const { slots } = shape
  const topics = topicsOf(shape)
  const width = widthOf(shape)
  const places = placesOf(shape)
  for (let i = 0; i < rows; i++) {
    const from = offsets[i]
    const count = offsets[i + 1] - from
    const { x, phi, end } = documentOf(width, count)
    const memory = kernels.documentMemory(end)
    let length = 0
    for (let j = 0; j < count; j++) {
      memory[x + j] = weighed[from + j]
      length += weighed[from + j]
    }
    const each = count > 0 ? length / topics : 0
    for (let p = 0; p < slots; p++) {
      const at = (p * rows + i) * width
      const alpha = places.alpha + p * topics
      for (let k = 0; k < width; k++) {
        memory[k] = k < topics ? params[alpha + k] : 0
        memory[width + k] = k < topics ? params[alpha + k] + each : 0
      }
      if (count > 0) {
        gatherTopics(words, from, count, params, shape, p, memory, phi)
        kernels.foldTopics(memory, topics, width, count, length, climb)
        out[p * rows + i] += scoreOf(memory, topics, width, count, length)
      }
      for (let k = 0; k < width; k++) g[at + k] = memory[width + k]
    }
  }
}

/** phi[at + j·width + k] ← φ of the document's word j in topic k of the slot, padded with zeros. */
export function gatherTopics(
  words: Int32Array,
  from: number,
  count: number,
  params: Float64Array,
  shape: TopicShape,
  slot: number,
  phi: Float64Array,
  at: number,
): void {
  const { slots, own, shared } = shape
  const topics = own + shared
  const width = widthOf(shape)
  const places = placesOf(shape)
  const e = params[places.e]
  const stride = slots * own
  const inverse = places.inverse + slot * own
  const inverseShared = places.inverse + stride
  for (let j = 0, to = at; j < count; j++, to += width) {
    const w = words[from + j]
    const row = w * stride + slot * own
    for (let k = 0; k < own; k++) phi[to + k] = (params[row + k] + e) * params[inverse + k]
    const rowShared = places.shared + w * shared
    for (let k = 0; k < shared; k++)
      phi[to + own + k] = (params[rowShared + k] + e) * params[inverseShared + k]
    if (topics < width) phi[to + topics] = 0
  }
}

/**
 * g_k ← α_k + n_k, step by step, of the document in this memory. Steps shrink by a nearly constant factor, so two of them tell where they lead; with `leaps`,
 * that is where the third goes (SQUAREM; Varadhan & Roland 2008): g ← g + 2a·r + a²·v, with r the first step, v the second minus the first, a = |r|/|v|, but
 * not below α. A leap after which steps are longer than before is taken back. On documents of ap (50 topics) a tolerance of 1e-6 takes 23 steps with leaps,
 * and 72 without.
 */
export function foldTopics(
  memory: Float64Array,
  topics: number,
  width: number,
  count: number,
  length: number,
  { steps, tolerance, leaps }: Climb,
): void {
  const g = width
  const one = 3 * width
  const two = 4 * width
  const enough = tolerance * length
  let leapt = false
  let before = 0
  for (let step = 0; step < steps; step++) {
    const change = improve(memory, topics, width, count, g, one)
    if (change < enough || !leaps) {
      memory.copyWithin(g, one, one + topics)
      if (change < enough) return
      continue
    }
    if (leapt && change > before) {
      memory.copyWithin(g, two, two + topics)
      leapt = false
      continue
    }
    step++
    before = improve(memory, topics, width, count, one, two)
    if (before < enough || step >= steps) {
      memory.copyWithin(g, two, two + topics)
      return
    }
    let rr = 0
    let vv = 0
    for (let k = 0; k < topics; k++) {
      const r = memory[one + k] - memory[g + k]
      const v = memory[two + k] - memory[one + k] - r
      rr += r * r
      vv += v * v
    }
    const a = vv < rr ? Math.sqrt(rr / vv) : 1
    for (let k = 0; k < topics; k++) {
      const r = memory[one + k] - memory[g + k]
      const v = memory[two + k] - memory[one + k] - r
      const leap = memory[g + k] + 2 * a * r + a * a * v
      memory[g + k] = leap > memory[k] ? leap : memory[k]
    }
    leapt = true
  }
  if (leapt) memory.copyWithin(g, two, two + topics)
}

/** memory[to + k] ← α_k + n_k of g, which begins at `g`; returns Σ_k |change|. */
function improve(
  memory: Float64Array,
  topics: number,
  width: number,
  count: number,
  g: number,
  to: number,
): number {
  const sums = 2 * width
  const { x, phi } = documentOf(width, count)
  // padding takes part in registers
  if (topics < width) memory[g + topics] = 0
  for (let k = 0; k < width; k++) memory[sums + k] = 0
  for (let j = 0, row = phi; j < count; j++, row += width) {
    const s = mixed(memory, row, memory, g, width)
    const ratio = s > 0 ? memory[x + j] / s : 0
    for (let k = 0; k < width; k++) memory[sums + k] += ratio * memory[row + k]
  }
  let change = 0
  for (let k = 0; k < topics; k++) {
    const before = memory[g + k]
    const after = memory[k] + before * memory[sums + k]
    change += Math.abs(after - before)
    memory[to + k] = after
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

/** Σ_j x_j ln(s_j / (N + α₀)) + Σ_k α_k ln(θ_k / m_k) of the document in this memory. */
function scoreOf(memory: Float64Array, topics: number, width: number, count: number, length: number): number {
  const { x, phi } = documentOf(width, count)
  let total = 0
  for (let k = 0; k < topics; k++) total += memory[k]
  const mass = length + total
  let score = 0
  for (let j = 0, row = phi; j < count; j++, row += width)
    score += memory[x + j] * log(mixed(memory, row, memory, width, width) / mass)
  for (let k = 0; k < topics; k++) {
    const own = memory[k]
    score += own * log(((memory[width + k] / mass) * total) / own)
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
  const phi = documentMemory(count * width)
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
    const moved = delta[at + k]
    if (moved === 0) continue
    const before = params[at + k]
    const after = Math.max(before + factor * moved, least)
    totals[first + k] += after - before
    params[at + k] = after
    delta[at + k] = 0
  }
}
