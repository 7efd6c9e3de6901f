/**
 * Documents explained by topics: the φ of each are gathered side by side, since every step of its fold reads them again (topic-fold.ts).
 *
 * Twins: assembly/topic-rows.ts.
 */
import { type Climb, type DocumentKernels, PLAIN, scoreFolded } from "./topic-fold.ts"
import { documentOf, placesOf, type TopicShape, topicsOf, widthOf } from "./topic-shape.ts"
import type { GatheredRows, Weigh } from "./word-memory.ts"
import type { WordRows } from "./word-rows.ts"

/** The same in the memory that contains the topics; `counts` may be elsewhere. */
export interface TopicMemory {
  /** From now on φ of these topics are gathered once for every word of a mini-batch, and stay in this room of zeros until it moves; see gatheredOf. */
  gatherOnce(params: Float64Array, shape: TopicShape, room: Float64Array): void
  /** Returns the rows that it left out, for `scoreDocument`. */
  scoreTopics<Rows extends GatheredRows<Rows>>(
    bags: Rows,
    weigh: Weigh<Rows>,
    rows: number,
    params: Float64Array,
    shape: TopicShape,
    climb: Climb,
    out: Float64Array,
    g: Float64Array,
  ): readonly number[]
  deliverOne<Rows extends GatheredRows<Rows>>(
    bags: Rows,
    weigh: Weigh<Rows>,
    rows: number,
    slot: Int32Array,
    weight: Float64Array,
    params: Float64Array,
    shape: TopicShape,
    g: Float64Array,
    counts: Float64Array,
  ): void
  deliverEach<Rows extends GatheredRows<Rows>>(
    bags: Rows,
    weigh: Weigh<Rows>,
    rows: number,
    values: Float64Array,
    params: Float64Array,
    shape: TopicShape,
    g: Float64Array,
    counts: Float64Array,
  ): void
  moveTopics<Rows extends GatheredRows<Rows>>(
    bags: Rows,
    weigh: Weigh<Rows>,
    rows: number,
    shape: TopicShape,
    factor: number,
    least: number,
    params: Float64Array,
    delta: Float64Array,
    totals: Float64Array,
  ): void
}

/**
 * out[p·rows + i] += score of row i in slot p; g[(p·rows + i)·width + k] ← α_k + n_k, padded with zeros. Rows without words score 0, with g = α.
 */
export function scoreTopics(
  bags: WordRows,
  weighed: Float64Array,
  rows: number,
  params: Float64Array,
  shape: TopicShape,
  climb: Climb,
  out: Float64Array,
  g: Float64Array,
  kernels: DocumentKernels,
): void {
  for (let i = 0; i < rows; i++) scoreDocument(bags, weighed, i, rows, params, shape, climb, out, g, kernels)
}

/** The same of row i alone. */
export function scoreDocument(
  { offsets, words }: WordRows,
  weighed: Float64Array,
  i: number,
  rows: number,
  params: Float64Array,
  shape: TopicShape,
  climb: Climb,
  out: Float64Array,
  g: Float64Array,
  preferred: DocumentKernels,
): void {
  const { slots, own } = shape
  const topics = topicsOf(shape)
  const width = widthOf(shape)
  const places = placesOf(shape)
  const from = offsets[i]
  const count = offsets[i + 1] - from
  const { x, phi, end } = documentOf(width, count)
  const found = preferred.documentMemory(end)
  const kernels = found ? preferred : PLAIN
  const memory = found ?? PLAIN.documentMemory(end)
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
      // topics that are all shared are the same in every slot
      if (p === 0 || own > 0) gatherTopics(words, from, count, params, shape, p, memory, phi)
      const score = kernels.foldTopics(memory, topics, width, count, length, climb)
      out[p * rows + i] += Number.isNaN(score) ? scoreFolded(memory, topics, width, count, length) : score
    }
    for (let k = 0; k < width; k++) g[at + k] = memory[width + k]
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
