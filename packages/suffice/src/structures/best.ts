/** The most probable values of what is missing in a row, all together: each node adds its own (Node.best). */
import type { Block } from "../contract/block.ts"
import type { Chosen, Node } from "../contract/node.ts"

/** What tells the chosen values in a context. */
export type Telling = (slot: number, chosen: Chosen) => void

/** heights[p] += ln p(row 0, its most probable values | context p); of nodes that choose nothing, ln p(row 0 | context p). */
export function bestOf(node: Node, block: Block, params: Float64Array, heights: Float64Array): Telling {
  if (node.joint?.best) return node.joint?.best(block, params, heights)
  node.up(block, params, heights)
  return () => undefined
}
