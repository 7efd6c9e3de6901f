/** Values of a switch in row 0: the most probable one, and random draws. */
import type { Block } from "../../contract/block.ts"
import type { Dice } from "../../contract/dice.ts"
import type { Chosen } from "../../contract/node.ts"
import { bestOf } from "../best.ts"
import { bodyOf, labelIn, type Switch, slotBelow } from "./switch.ts"
import { joints } from "./up.ts"

export function best(
  variable: Switch,
  block: Block,
  params: Float64Array,
  heights: Float64Array,
): (slot: number, chosen: Chosen) => void {
  const { k, slots, hasBodyPerValue, bodies, part, column, levels } = variable
  const joint = params.slice(part.ranges.paramsAt, part.ranges.paramsAt + k * slots)
  const visitors = bodies.map((body, b) =>
    bestOf(body, block, params, hasBodyPerValue ? joint.subarray(b * slots) : joint),
  )
  const known = labelIn(variable, block)?.[0] ?? -1
  const best = new Int32Array(slots)
  for (let p = 0; p < slots; p++) {
    best[p] = Math.max(known, 0)
    for (let l = 1; l < k && known < 0; l++)
      if (joint[l * slots + p] > joint[best[p] * slots + p]) best[p] = l
    heights[p] += joint[best[p] * slots + p]
  }
  return (slot, chosen) => {
    const value = best[slot]
    if (known < 0) chosen(column, levels[value])
    visitors[hasBodyPerValue ? value : 0](slotBelow(variable, value, slot), chosen)
  }
}

export function sample(
  variable: Switch,
  block: Block,
  params: Float64Array,
  slot: number,
  dice: Dice,
  chosen?: Chosen,
): void {
  const codes = labelIn(variable, block)
  let value = codes ? codes[0] : -1
  if (value < 0) {
    value = draw(variable, block, params, slot, dice)
    if (codes) codes[0] = value
    else chosen?.(variable.column, variable.levels[value])
  }
  bodyOf(variable, value).sample(block, params, slotBelow(variable, value, slot), dice, chosen)
}

function draw(variable: Switch, block: Block, params: Float64Array, slot: number, dice: Dice): number {
  const { k, slots, scratch, kernels } = variable
  joints(variable, block, params, scratch)
  const chances = new Float64Array(k)
  kernels.collapse(scratch.scores, k, slots, scratch.sums)
  for (let l = 0; l < k; l++) chances[l] = scratch.scores[l * slots + slot]
  return dice.categorical(chances, 0, k)
}
