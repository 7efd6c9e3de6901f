/** Layout of a network: nodes, graph, and strides of their tables. */
import type { Column } from "../../contract/columns.ts"
import type { Part } from "../../contract/part.ts"
import { childrenOf, parentsFirst } from "./graph.ts"

/** A node with its part. */
export interface LaidNode {
  readonly name: string
  readonly part: Part
  readonly column: Column
  /** Index of its cell in a block; of a hidden node, after those of the data. */
  readonly place: number
  readonly family: string
  readonly isHidden: boolean
  /** Value of the column in every row. Undefined if not fixed. */
  readonly held?: number
  readonly levelParents: readonly number[]
  readonly numberParents: readonly number[]
  /** Q: number of configurations of the parents with levels. */
  readonly configurations: number
}

export interface NetworkLayout {
  readonly nodes: readonly LaidNode[]
  /** Number of levels of each node; 0 for a number. */
  readonly levels: readonly number[]
  /** P */
  readonly contexts: number
  /** Lists of columns with levels: see Inference. */
  readonly borders: readonly (readonly number[])[]
  readonly isBorder: Uint8Array
  readonly children: readonly (readonly number[])[]
  /** Parents first. */
  readonly order: readonly number[]
  /** Strides in the table of a node: of its own level, then of its parents. */
  readonly strides: readonly (readonly (readonly [column: number, stride: number])[])[]
}

export function networkLayout(
  nodes: readonly LaidNode[],
  levels: readonly number[],
  contexts: number,
  borders: readonly (readonly number[])[],
): NetworkLayout {
  const parents = nodes.map(node => [...node.levelParents, ...node.numberParents])
  return {
    nodes,
    levels,
    contexts,
    borders,
    isBorder: Uint8Array.from(nodes, (_, v) => (borders.some(border => border.includes(v)) ? 1 : 0)),
    children: childrenOf(parents),
    order: parentsFirst(parents)!,
    strides: nodes.map(({ levelParents, part }, v) => {
      const { strides } = stridesOf(levelParents, levels, contexts)
      const steps = levelParents.map((u, j): [number, number] => [u, strides[j]])
      return levels[v] > 0 ? [[v, part.leaf.shape.slots], ...steps] : steps
    }),
  }
}

/** Strides and size of a table over these columns; the last changes fastest, then the context. */
export function stridesOf(
  columns: readonly number[],
  levels: readonly number[],
  contexts: number,
): { readonly strides: number[]; readonly size: number } {
  const strides: number[] = []
  let size = contexts
  for (const u of [...columns].reverse()) {
    strides.unshift(size)
    size *= levels[u]
  }
  return { strides, size }
}
