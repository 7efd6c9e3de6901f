/** A leaf with its columns and its place in the arrays of the whole model. */
import type { Column } from "./columns.ts"
import type { Leaf } from "./leaf.ts"

/**
 * A bound family with its place in the arrays of the whole model, and its columns: what learners, guards, transfer and saving go by. A leaf owns one, a switch
 * one for the probabilities of its values, a product none.
 */
export interface Part {
  readonly leaf: Leaf
  /** Of the family. */
  readonly family: string
  /** The columns it models. Of a switch the one it chooses by, which need not stand in the data. */
  readonly columns: readonly Column[]
  readonly names: readonly string[]
  /** Names of the columns it is modelled given, and these columns. */
  readonly reads: readonly string[]
  readonly given: readonly Column[]
  /** Where its columns, and then those it is given, stand in the blocks it gets; −1: nowhere. */
  readonly places: readonly number[]
  /** The columns of steps that it stands in, outermost first: its blocks are nested in those of the data. */
  readonly steps: readonly string[]
  /** Its values are chosen inside the tree and delivered as weights (Sink.choice), not read from cells: every row has one. */
  readonly isChoice: boolean
  /** How much of the rows each of its values holds that no cell shows: entry value·slots + p. Absent: it hides nothing. */
  hidden?(stats: Float64Array): Float64Array
  readonly slots: number
  readonly statistics: number
  readonly parameters: number
  readonly free: number
  readonly statsAt: number
  readonly paramsAt: number
  /** The part's own stretch of an array over the whole model. */
  statsOf(stats: Float64Array): Float64Array
  paramsOf(params: Float64Array): Float64Array
  spreadOf(spread: Float64Array): Float64Array
  /** As those of its leaf, over arrays of the whole model. */
  prior(stats: Float64Array, strength?: number, spread?: Float64Array, around?: Float64Array): void
  solve(stats: Float64Array, strength: number, params: Float64Array, spread?: Float64Array): number
  value(stats: Float64Array, params: Float64Array): number
  /** value(α, θ), α around the means of θ. */
  logPrior(params: Float64Array, spread: Float64Array): number
  moments(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  mass(stats: Float64Array, slot: number): number
}
