/** A leaf with its columns and its ranges in the arrays of the whole model. */
import type { Column } from "./columns.ts"
import type { Leaf } from "./leaf.ts"

/** Leaf: one part. Switch: one, for its probabilities. Product: none. */
export interface Part {
  readonly leaf: Leaf
  /** Name of the family. */
  readonly family: string
  /** The modelled columns. Of a switch, its variable, which may not be in the data. */
  readonly columns: readonly Column[]
  /** The columns it conditions on. */
  readonly given: readonly Column[]
  /** Indices of both in the blocks it receives; −1: not in the block. */
  readonly places: readonly number[]
  /** Columns of steps that contain it, outermost first: the nesting of its blocks. */
  readonly steps: readonly string[]
  readonly ranges: Ranges
  readonly role: Role
  /** Undefined outside networks. */
  readonly network?: NetworkPart
}

/**
 * "leaf": values are cells. "choice": values are chosen in the tree and arrive as weights (Sink.choice); every row has one. "hidden": a choice that is
 * never observed, whose statistics are the masses of its values.
 */
export type Role = "leaf" | "choice" | "hidden"

/** Its ranges of the arrays of the whole model. */
export interface Ranges {
  readonly statsAt: number
  readonly paramsAt: number
  readonly spreadAt: number
  statsOf(stats: Float64Array): Float64Array
  paramsOf(params: Float64Array): Float64Array
  spreadOf(spread: Float64Array): Float64Array
}

/** Properties of a node of a network. */
export interface NetworkPart {
  /** Parents with levels: their configuration chooses the slot. Undefined if none. */
  readonly parents?: readonly string[]
  /** Column index in the step block. Undefined outside dynamic networks. */
  readonly stepPlace?: number
  /** Number of contexts with label-switching symmetry. Undefined unless the column is hidden. */
  readonly symmetricContexts?: number
}
