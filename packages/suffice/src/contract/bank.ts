/**
 * Neighbouring leaves of one family in a product, each with a column of its own, used as one: a wide table has thousands of them, and a call for each costs more than
 * what it computes. Their ranges stand side by side in every array, and they share their slots and the masses of those. The arithmetic is that of the leaves.
 */
import type { Block, SummedWeights } from "./block.ts"
import type { Leaf, Shape, SmallSteps } from "./leaf.ts"
import type { Part, Ranges } from "./part.ts"

/** What a bank computes, as its leaves do. Arrays are the ranges of all of them, one after the other; a mass is that of a slot in each. */
export interface Bank extends Pick<Leaf, "prior" | "moments"> {
  readonly shape: Pick<Shape, "slots" | "lengthGiven">
  readonly moving: Required<Pick<SmallSteps, "complete">>
  absorb(block: Block, weights: SummedWeights, stats: Float64Array): void
  solve(stats: Float64Array, strength: number, params: Float64Array, spread: Float64Array): number
  /** The first leaf from `from` on that has another mass in some slot, up to rounding, or is not `inside` there; −1: there is none. */
  firstAstray(
    stats: Float64Array,
    mass: Float64Array,
    rounding: number,
    spread: Float64Array,
    from: number,
  ): number
}

/** How a leaf stands in a bank. */
export interface Banking {
  /** The leaf itself: one that was changed after it was made is called by itself. */
  readonly leaf: Leaf
  /** May both stand in one bank? */
  goesWith(other: Banking): boolean
  /** The bank of these leaves, which go with this one. */
  bank(members: readonly Banking[]): Bank
}

/** A bank with its ranges in the arrays of the whole model. */
export interface BankedParts {
  readonly leaf: Bank
  readonly parts: readonly Part[]
  readonly ranges: Pick<Ranges, "statsOf" | "paramsOf" | "spreadOf">
}
