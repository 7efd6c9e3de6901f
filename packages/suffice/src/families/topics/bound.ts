/** Topics bound to a column: layout, options, kernels, and reading φ and α. */
import type { Bags, Block, Weights } from "../../contract/block.ts"
import { KeptTopics } from "../../kernels/kept-topics.ts"
import { log } from "../../kernels/log.ts"
import { type DocumentKernels, PLAIN } from "../../kernels/topic-fold.ts"
import { placesOf, widthOf } from "../../kernels/topic-shape.ts"
import { fastKernels } from "../../kernels/twins.ts"
import { isNormed, scaler } from "../../text/scaling.ts"
import type { BagColumn } from "../bag.ts"
import { column as columnOf, layoutOf, type TopicLayout, topicAt } from "./layout.ts"

const PRIOR = 0.01
/** For normalised documents, divided by the topics of a slot; chosen on training rows (bench/studies/defaults.md). */
const NORMED_PRIOR = 0.05

export interface TopicSize {
  readonly slots: number
  readonly own: number
  readonly shared: number
}

export interface TopicPrior {
  /** α of the topics. Undefined if learned. */
  readonly alpha: Float64Array | undefined
  readonly prior: number | undefined
}

export interface BoundTopics {
  readonly column: BagColumn
  readonly place: number
  readonly shape: TopicLayout
  /** Offsets into the parameters. */
  readonly at: ReturnType<typeof placesOf>
  readonly width: number
  readonly kernels: DocumentKernels
  readonly kept: KeptTopics
  readonly countsOf: (bags: Bags) => Float64Array
  readonly isNormed: boolean
  readonly isScaled: boolean
  readonly fixed: Float64Array | undefined
  /** η */
  readonly eta: number
}

export function bindTopics(
  column: BagColumn,
  place: number,
  size: TopicSize,
  { alpha, prior }: TopicPrior,
): BoundTopics {
  const { scaling } = column.text
  const shape = layoutOf({ ...size, words: column.words.length })
  return {
    column,
    place,
    shape,
    at: placesOf(shape),
    width: widthOf(shape),
    kernels: fastKernels() ?? PLAIN,
    kept: new KeptTopics(shape),
    countsOf: scaler(column.text),
    isNormed: isNormed(scaling),
    isScaled: scaling !== undefined && scaling !== "raw",
    fixed: alpha,
    eta: prior ?? (isNormed(scaling) ? NORMED_PRIOR / shape.topics : PRIOR),
  }
}

export function bagsIn({ place }: BoundTopics, block: Block): Bags {
  return block.cells[place] as Bags
}

/** φ of word w in topic k of a slot. */
export function phiOf(
  { shape, at }: BoundTopics,
  params: Float64Array,
  slot: number,
  k: number,
  w: number,
): number {
  const { at: from, stride } = columnOf(shape, slot, k)
  return (params[from + w * stride] + params[at.e]) * params[at.inverse + topicAt(shape, slot, k)]
}

/** ln φ */
export function logChance(
  leaf: BoundTopics,
  params: Float64Array,
  slot: number,
  k: number,
  w: number,
): number {
  return log(phiOf(leaf, params, slot, k, w))
}

/** out[w] ← φ_kw */
export function wordsOf(
  { shape, at }: BoundTopics,
  params: Float64Array,
  slot: number,
  k: number,
  out: Float64Array,
): Float64Array {
  const { at: from, stride } = columnOf(shape, slot, k)
  const inverse = params[at.inverse + topicAt(shape, slot, k)]
  for (let w = 0; w < shape.words; w++) out[w] = (params[from + w * stride] + params[at.e]) * inverse
  return out
}

export function alphasOf({ shape, at }: BoundTopics, params: Float64Array, slot: number): Float64Array {
  return params.slice(at.alpha + slot * shape.topics, at.alpha + (slot + 1) * shape.topics)
}

/** Visits non-empty documents with their non-zero weights. */
export function documents(
  leaf: BoundTopics,
  block: Block,
  weights: Weights,
  visit: (i: number, p: number, w: number) => void,
): void {
  const { offsets } = bagsIn(leaf, block)
  const { slots } = leaf.shape
  for (let i = 0; i < block.rows; i++) {
    if (offsets[i] === offsets[i + 1]) continue
    if (weights.form === "one") {
      if (weights.weight[i] !== 0) visit(i, weights.slot[i], weights.weight[i])
    } else {
      for (let p = 0; p < slots; p++) {
        const w = weights.values[p * block.rows + i]
        if (w !== 0) visit(i, p, w)
      }
    }
  }
}

/** n += w, S += w·σ, T_k += w·σ·α_k, which leaves α unchanged. */
export function addKeepingAlpha(
  { topics, n, tables, exposure }: TopicLayout,
  stats: Float64Array,
  p: number,
  w: number,
  sigma: number,
  alphas: Float64Array,
  from: number,
): void {
  stats[n + p] += w
  stats[exposure + p] += w * sigma
  for (let k = 0; k < topics; k++) stats[tables + p * topics + k] += w * sigma * alphas[from + k]
}

export function sumOf(values: Float64Array): number {
  return sumFrom(values, 0, values.length)
}

export function sumFrom(values: Float64Array, from: number, to: number): number {
  let sum = 0
  for (let j = from; j < to; j++) sum += values[j]
  return sum
}
