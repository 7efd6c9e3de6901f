/** A leaf with its columns and its range in the arrays of the whole model: what learners, guards, transfer and saving go by. */
import type { Column } from "./columns.ts"
import type { Leaf } from "./leaf.ts"

/** A leaf node owns one part, a switch one for the probabilities of its values, a product none. */
export interface Part {
  readonly leaf: Leaf
  /** The name of the family. */
  readonly family: string
  /** The columns it models, and their names. For a switch, the column it switches on, which may not be in the data. */
  readonly columns: readonly Column[]
  readonly names: readonly string[]
  /** The columns it is modelled given: their names, and the columns. */
  readonly reads: readonly string[]
  readonly given: readonly Column[]
  /** The places of its own columns, then of those it reads, in the blocks it receives; −1: not in the block. */
  readonly places: readonly number[]
  /** The columns of steps that contain it, outermost first: its blocks are nested that deep. */
  readonly steps: readonly string[]
  /** Its values are chosen in the tree and arrive as weights (Sink.choice), not as cells: every row has one. */
  readonly isChoice: boolean
  /** The mass of each of its hidden values, at value·slots + p. Absent: it has none. */
  hidden?(stats: Float64Array): Float64Array
  /** The values of a hidden column, which is no switch: in so many contexts, each by itself, they can be renamed and nothing changes. */
  readonly renamable?: number

  /** The parents with levels of a column of a network: their configurations choose the slot. */
  readonly parents?: readonly string[]
  /** The place of its cell in the blocks it is delivered, if it stands in a network over steps: its column can be asked for step by step, hidden or not. */
  readonly follows?: number

  /** As in its leaf. */
  readonly slots: number
  readonly statistics: number
  readonly parameters: number
  readonly free: number

  /** Where its ranges begin in arrays of the whole model. */
  readonly statsAt: number
  readonly paramsAt: number
  readonly spreadAt: number
  /** Its range of an array of the whole model. */
  statsOf(stats: Float64Array): Float64Array
  paramsOf(params: Float64Array): Float64Array
  spreadOf(spread: Float64Array): Float64Array

  /** As in its leaf, on arrays of the whole model. */
  prior(stats: Float64Array, strength?: number, spread?: Float64Array, around?: Float64Array): void
  solve(stats: Float64Array, strength: number, params: Float64Array, spread?: Float64Array): number
  value(stats: Float64Array, params: Float64Array): number
  moments(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  mass(stats: Float64Array, slot: number): number
  /** value(α, θ), α around the means of θ. */
  logPrior(params: Float64Array, spread: Float64Array): number
}
