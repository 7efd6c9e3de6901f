/**
 * The statistics of topics, one array after the other.
 *
 *     W   expected counts: of a slot's own topics at (w·P + p)·own + t, of the shared ones at w·shared + t
 *     n   weight of the documents of each slot
 *     T   Σ_d w_d α_k [ψ(α_k + n_dk) − ψ(α_k)] at p·topics + k,  S = Σ_d w_d [ψ(α₀ + N_d) − ψ(α₀)] of each slot:  α_k = T_k / S
 */
import type { Axis } from "../../contract/leaf.ts"
import { sizeOf, type TopicShape, topicsOf } from "../../kernels/topic-shape.ts"

export interface TopicLayout extends TopicShape {
  /** Topics of a slot. */
  readonly topics: number
  /** Where n, T and S begin, and where they end. */
  readonly n: number
  readonly tables: number
  readonly exposure: number
  readonly statistics: number
}

export function layoutOf(shape: TopicShape): TopicLayout {
  const topics = topicsOf(shape)
  const { slots } = shape
  const n = sizeOf(shape)
  const tables = n + slots
  const exposure = tables + slots * topics
  return { ...shape, topics, n, tables, exposure, statistics: exposure + slots }
}

export function axesOf({ own, shared, topics }: TopicLayout): Axis[][] {
  return [["entry", "slot", own], ["entry", shared], ["slot"], ["slot", topics], ["slot"]]
}

/** ΣW of every topic: own ones at p·own + t, then the shared ones. */
export function tokensOf(stats: Float64Array, { words, slots, own, shared }: TopicLayout): Float64Array {
  const stride = slots * own
  const totals = new Float64Array(stride + shared)
  for (let w = 0, at = 0; w < words; w++) for (let q = 0; q < stride; q++, at++) totals[q] += stats[at]
  for (let w = 0, at = words * stride; w < words; w++)
    for (let t = 0; t < shared; t++, at++) totals[stride + t] += stats[at]
  return totals
}

/** Which of all topics is topic k of a slot, in the order of `tokensOf`. */
export function topicAt({ slots, own }: TopicLayout, slot: number, k: number): number {
  return k < own ? slot * own + k : slots * own + (k - own)
}

/** Where W of word 0 and topic k of a slot stands, and how far apart words are. */
export function column(
  { words, slots, own, shared }: TopicLayout,
  slot: number,
  k: number,
): { readonly at: number; readonly stride: number } {
  return k < own
    ? { at: slot * own + k, stride: slots * own }
    : { at: words * slots * own + (k - own), stride: shared }
}
