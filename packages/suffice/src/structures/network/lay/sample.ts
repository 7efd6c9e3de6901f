/** Random draws of the missing cells of row 0: levels jointly, then numbers, parents first. */
import type { Block } from "../../../contract/block.ts"
import type { Dice } from "../../../contract/dice.ts"
import type { Chosen } from "../../../contract/node.ts"
import type { Network } from "./network.ts"

export function sample(
  { nodes, names, levels, slots: P, inference }: Network,
  block: Block,
  params: Float64Array,
  slot: number,
  dice: Dice,
  chosen: Chosen | undefined,
): void {
  for (const { held, place } of nodes)
    if (held !== undefined) (block.cells[place] as Float64Array | Int32Array)[0] = held
  inference.read(block)
  const values = inference.draw(params, slot, dice, (v, x) => {
    ;(block.cells[nodes[v].place] as Float64Array)[0] = x
  })
  nodes.forEach(({ isHidden, place }, v) => {
    if (levels[v] === 0) return
    if (!isHidden) (block.cells[place] as Int32Array)[0] = values[v]
    else chosen?.(names[v], values[v])
  })
  for (const v of inference.order) {
    const { part, levelParents } = nodes[v]
    if (levels[v] > 0) continue
    let c = 0
    for (const u of levelParents) c = c * levels[u] + values[u]
    part.leaf.sample(part.ranges.paramsOf(params), c * P + slot, block, dice)
  }
}
