/** Random draws of the states and the missing cells of one row. */
import { rowsOf } from "../../blocks/encoded.ts"
import type { Block } from "../../contract/block.ts"
import type { Dice } from "../../contract/dice.ts"
import type { Chosen } from "../../contract/node.ts"
import { exp } from "../../kernels/exp.ts"
import { log } from "../../kernels/log.ts"
import { logSumExp } from "../../kernels/log-sum-exp.ts"
import type { Chain } from "./laid.ts"

export function sample(
  chain: Chain,
  block: Block,
  params: Float64Array,
  slot: number,
  dice: Dice,
  chosen: Chosen | undefined,
): void {
  const { layout, passes, scratch } = chain
  const { slots, column, states, body } = layout
  const { block: steps } = passes.stepsOf(block)
  const S = steps.rows
  if (S === 0) return
  passes.climb(block, params, new Float64Array(slots), scratch)
  const tags = passes.tagsOf(steps)
  const path = pathOf(chain, steps, slot, dice)
  for (let t = 0; t < S; t++) {
    if (tags) tags[t] = path[t]
    else chosen?.(column, states[path[t]])
    layout.carry(steps, t)
    body.sample(rowsOf(steps, t, t + 1), params, path[t] * slots + slot, dice, chosen)
  }
}

/** Draws z_T by α_T e, then backwards by α_t(i) a_ij. */
function pathOf({ passes, scratch }: Chain, steps: Block, slot: number, dice: Dice): Int32Array {
  const { k, K, impossible } = passes
  const { contexts, logs } = scratch.held
  const { alpha } = contexts[slot]
  const table = scratch.tables[slot]
  const chances = new Float64Array(k)
  const path = new Int32Array(steps.rows)
  let next = -1
  for (let t = steps.rows - 1; t >= 0; t--) {
    for (let l = 0; l < k; l++) {
      const reached = alpha[t * K + l]
      const onwards = next < 0 ? table.logEnds[l] : table.logTransitions[l * k + next]
      chances[l] = (logs[slot] ? reached : log(reached)) + onwards
    }
    const total = logSumExp(chances, 0, k, 1)
    if (total === -Infinity) throw impossible(steps, 0)
    for (let l = 0; l < k; l++) chances[l] = exp(chances[l] - total)
    next = dice.categorical(chances, 0, k)
    path[t] = next
  }
  return path
}
