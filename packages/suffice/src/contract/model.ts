/** A declared model, and the plan by which it is laid out on a schema. */
import type { Block } from "./block.ts"
import type { Column, Use } from "./columns.ts"
import type { Leaf, Work } from "./leaf.ts"
import type { Node } from "./node.ts"
import type { Description } from "./report.ts"

/**
 * A declared model. `Cells` maps column names to the type of their cells (a hidden column is optional), `Target` is the
 * default target.
 * The last member exists only for the compiler.
 */
export interface Model<Cells = unknown, Target extends string = string> {
  readonly kind: string
  readonly uses: readonly Use[]
  readonly target: string | undefined
  /** What saving writes down; structures/list.ts revives it. */
  readonly spec: Description
  /** Fix the tree for data of this schema: `slots` contexts at this node. */
  lay(plan: Plan, slots: number): Node
  readonly types?: { readonly cells: Cells; readonly target: Target }
}

/** What a node needs to know while the tree is laid out. */
export interface Plan {
  column(name: string): { readonly column: Column; readonly place: number }
  /** The columns of steps that are being laid out, outermost first: none for rows of the data. */
  readonly steps: readonly string[]
  /** The plan of what models the steps in this column: columns and places are those of its nested blocks. */
  within(column: string): Plan
  /** Reserve room in the arrays of the whole model: statistics, parameters, spreads. Returns where it begins. */
  reserve(
    statistics: number,
    parameters: number,
    spreads?: number,
  ): { readonly statsAt: number; readonly paramsAt: number; readonly spreadAt: number }
  /** What takes a leaf's place in the tree: an explanation scales its scores. */
  standIn?(leaf: Leaf, names: readonly string[]): Leaf
  /** What scores the nodes of a product in fewer calls than one each; undefined or absent: nothing does. */
  fuse?(nodes: readonly Node[]): FusedUp | undefined
}

/** `up` of several nodes: out[p·rows + i] += Σ_nodes ln p(row i | context p). `works`: those of the nodes, the spent ones to begin with. */
export type FusedUp = (
  block: Block,
  params: Float64Array,
  out: Float64Array,
  works: Work[],
  upToConstant?: boolean,
) => void
