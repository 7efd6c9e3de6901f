/** Leaves that can be scored together with their neighbours in a product, by one kernel call over all of their columns. */
import type { Leaf } from "../contract/leaf.ts"

/**
 * "numbers": the leaf of a gaussian, its parameters μ, 1/σ² and ln p(μ), slot by slot. "levels": the logarithms of probabilities, level by
 * level.
 */
export interface Fusion {
  readonly kind: "numbers" | "levels"
  /** The place of its column in a block. */
  readonly place: number
  /** The score that the kernel reproduces: a leaf whose `score` has been replaced is scored by itself. */
  readonly score: Leaf["score"]
  /** Do scores up to a constant differ from full scores for these cells? Then the leaf is scored by itself. */
  isFar?(cells: Float64Array, rows: number): boolean
}

export interface FusibleLeaf extends Leaf {
  readonly fusion: Fusion
}
