/** Neighbouring leaves of one family in a product, computed as one: wide tables have thousands. Same arithmetic, adjacent ranges, shared slots. */
import type { Block, SummedWeights } from "./block.ts"
import type { Leaf, Shape, SmallSteps } from "./leaf.ts"
import type { Part, Ranges } from "./part.ts"

/** Functions of all leaves of a bank, over their adjacent ranges. */
export interface Bank extends Pick<Leaf, "prior" | "moments"> {
  readonly shape: Pick<Shape, "slots" | "lengthGiven">
  readonly moving: Required<Pick<SmallSteps, "complete">>
  absorb(block: Block, weights: SummedWeights, stats: Float64Array): void
  solve(stats: Float64Array, strength: number, params: Float64Array, spread: Float64Array): number
  /** First leaf from `from` on with another mass, up to rounding, or outside its domain; −1 if none. */
  firstAstray(
    stats: Float64Array,
    mass: Float64Array,
    rounding: number,
    spread: Float64Array,
    from: number,
  ): number
}

/** Membership of a leaf in banks. */
export interface Banking {
  /** The leaf as made: a changed copy is not banked. */
  readonly leaf: Leaf
  /** True if both fit into one bank. */
  goesWith(other: Banking): boolean
  /** The bank of these leaves. */
  bank(members: readonly Banking[]): Bank
}

/** A bank with its ranges in the arrays of the whole model. */
export interface BankedParts {
  readonly leaf: Bank
  readonly parts: readonly Part[]
  readonly ranges: Pick<Ranges, "statsOf" | "paramsOf" | "spreadOf">
}
