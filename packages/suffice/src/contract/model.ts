/**
 * The contract of Suffice: types, each member documented by the equation it computes.
 *
 *     p(row | θ) = h · exp( θ·s(row) − A(θ) )        η = E[s | θ]
 *
 * A family (family.ts, leaf.ts) says what s is, how a block of rows adds to it (`absorb`), and how θ follows from it (`solve`).
 * A structure (model.ts, node.ts) combines families: log-densities go up the tree, weights come down.
 * A learner (learner.ts, learnable.ts) chooses the weights, and knows nothing else of the model.
 */

import type { About, BeliefKind } from "./belief.ts"
import type { Block, Weights } from "./block.ts"
import type { Columns, Level, Row } from "./cells.ts"
import type { Column, Use } from "./columns.ts"
import type { Leaf, Work } from "./leaf.ts"
import type { Node, Sink } from "./node.ts"
import type { Notice } from "./notice.ts"
import type { Description } from "./report.ts"

/** A declared model. `Cells` maps column names to the types of their cells (a hidden column is optional), `Target` is the default target. */
export interface Model<Cells = unknown, Target extends string = string> {
  readonly kind: string
  readonly uses: readonly Use[]
  readonly target: string | undefined
  /** Saved form; structures/list.ts makes the model from it. */
  readonly spec: Description
  /** The tree of nodes for data of this schema, with `slots` contexts at its root. */
  lay(plan: Plan, slots: number): Node
  /** The model with these columns fixed and without parents. Undefined without arrows. */
  intervene?(held: Readonly<Record<string, Level>>): Model
  /** Finds a part of the model in rows, such as the arrows of a tree. Undefined if it is complete. */
  find?(
    data: readonly Row[] | Columns | AsyncIterable<readonly Row[] | Columns>,
    options: Finding,
  ): Promise<Model<Cells, Target>>
  /** The model as declared, and its kinds of beliefs. Undefined unless leaves were replaced by beliefs. */
  readonly declared?: Model<Cells, Target>
  readonly beliefs?: readonly BeliefKind[]
  /** Only for the compiler. */
  readonly types?: { readonly cells: Cells; readonly target: Target }
}

/** Options of `find`. */
export interface Finding {
  readonly seed?: number | undefined
  /** The column of row weights. */
  readonly weight?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Resources for laying a model out on a schema. */
export interface Plan {
  column(name: string): { readonly column: Column; readonly place: number }
  /** Columns of steps around the node, outermost first. */
  readonly steps: readonly string[]
  /** Plan for the body of a column of steps, over nested blocks. */
  within(column: string): Plan
  /** Reserves a range in each array of the whole model. Returns their offsets. */
  reserve(
    statistics: number,
    parameters: number,
    spreads?: number,
  ): { readonly statsAt: number; readonly paramsAt: number; readonly spreadAt: number }
  /** Adds a check to the fits of this model. Undefined if nothing is fitted. */
  notice?(notice: Notice): void
  /** Replaces a leaf by one of its belief (belief.ts). */
  believe?(leaf: Leaf, about: About): Leaf
  /** Replaces a leaf by another: explanations scale its scores. */
  standIn?(leaf: Leaf, names: readonly string[]): Leaf
  /** Faster passes over the nodes of a product. Undefined: one call per node. */
  fuse?(nodes: readonly Node[]): { readonly up: FusedUp | undefined; readonly down: FusedDown | undefined }
}

/** `up` of several nodes: out[p·rows + i] += Σ_nodes ln p(row i | context p). `works`: results of the nodes; on entry, earlier ones to reuse. */
export type FusedUp = (
  block: Block,
  params: Float64Array,
  out: Float64Array,
  works: Work[],
  upToConstant?: boolean,
) => void

/** `down` of several nodes that get the same weights. */
export type FusedDown = (
  block: Block,
  params: Float64Array,
  weights: Weights,
  sink: Sink,
  works: readonly Work[] | undefined,
) => void
