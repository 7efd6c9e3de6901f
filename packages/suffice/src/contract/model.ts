/**
 * The contract of Suffice begins here: types, and nothing else, each member documented by the equation it computes.
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
import type { Description } from "./report.ts"

/** A declared model. `Cells` maps column names to the types of their cells (a hidden column is optional), `Target` is the default target. */
export interface Model<Cells = unknown, Target extends string = string> {
  readonly kind: string
  readonly uses: readonly Use[]
  readonly target: string | undefined
  /** What saving writes; structures/list.ts makes the model from it again. */
  readonly spec: Description
  /** The tree of nodes for data of this schema, with `slots` contexts at its root. */
  lay(plan: Plan, slots: number): Node
  /** The same model in which these columns lost their parents and hold a value; absent: none of its columns has arrows to lose. */
  intervene?(held: Readonly<Record<string, Level>>): Model
  /** Present if a part of it is found in rows, such as the arrows of a tree: the model that is learned from them. `fit` asks for it first. */
  find?(
    data: readonly Row[] | Columns | AsyncIterable<readonly Row[] | Columns>,
    options: Finding,
  ): Promise<Model<Cells, Target>>
  /** Present if its leaves are replaced by those of a belief: the model as it was declared, and the kinds of beliefs. */
  readonly declared?: Model<Cells, Target>
  readonly beliefs?: readonly BeliefKind[]
  /** Only for the compiler. */
  readonly types?: { readonly cells: Cells; readonly target: Target }
}

/** How a model is found in rows: options of `fit`. */
export interface Finding {
  readonly seed?: number | undefined
  /** The column of row weights. */
  readonly weight?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** What a model uses to lay itself out on a schema. */
export interface Plan {
  column(name: string): { readonly column: Column; readonly place: number }
  /** The columns of steps that contain the node being laid out, outermost first; empty for rows of the data. */
  readonly steps: readonly string[]
  /** The plan for the body of a column of steps: its columns and places are those of the nested blocks. */
  within(column: string): Plan
  /** Reserve a range in each array of the whole model: statistics, parameters, spreads. Returns where the ranges begin. */
  reserve(
    statistics: number,
    parameters: number,
    spreads?: number,
  ): { readonly statsAt: number; readonly paramsAt: number; readonly spreadAt: number }
  /** Replaces a leaf, or the probabilities of a switch, by one that knows what is believed of its parameters (contract/belief.ts). */
  believe?(leaf: Leaf, about: About): Leaf
  /** Replaces a leaf of the tree by another: an explanation scales its scores. */
  standIn?(leaf: Leaf, names: readonly string[]): Leaf
  /** Faster passes over the nodes of a product; undefined or absent: each is called by itself. */
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
