import type { Block, Encoded } from "../../../../contract/block.ts"
import { scattered } from "../slices.ts"
import { type Delivery, sidesOf } from "./delivery.ts"

/** The steps with the codes of a hidden node in place, or without the missing numbers of a group. */
export function blockFor(delivery: Delivery, o: number): Block {
  const { owned, reading, steps, hidden, isMasked, isSplit } = delivery
  const { first, later } = reading
  const { laid, v, inFirst, inLater } = owned[o]
  const { place, isHidden, numberParents } = laid
  if (isHidden) {
    const cells = steps.cells.slice()
    cells[place] = hidden?.get(v) ?? new Int32Array(steps.rows).fill(-1)
    return { ...steps, cells }
  }
  if (!isMasked[o] && (!isSplit[o] || numberParents.length === 0)) return steps
  const nodes = inLater ? later.nodes : first.nodes
  const cells: Encoded[] = steps.cells.slice()
  const changed = [place, ...numberParents.map(u => nodes[u].place)]
  for (const at of changed) cells[at] = (cells[at] as Float64Array).slice()
  for (const side of sidesOf(delivery, owned[o])) {
    if (!side.inference.masks.isMasked(v)) continue
    const masked = side.inference.masks.blockFor(v, side.block)
    for (const at of changed) scattered(cells[at], masked.cells[at], side.steps)
  }
  // steps of the other slice have weight 0 and neutral cells
  for (const t of isSplit[o] ? (inFirst ? later : first).steps : []) {
    ;(cells[place] as Float64Array)[t] = NaN
    for (const u of numberParents) (cells[nodes[u].place] as Float64Array)[t] = 0
  }
  return { ...steps, cells }
}
