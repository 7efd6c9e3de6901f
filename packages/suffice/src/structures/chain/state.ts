/** The state of a single step as a switch, without the steps around it. */
import type { Block, Weights } from "../../contract/block.ts"
import type { Dice } from "../../contract/dice.ts"
import type { Work } from "../../contract/leaf.ts"
import type { GuessingSink, Node, SwitchNode } from "../../contract/node.ts"
import { manyInRow } from "../../errors.ts"
import { log } from "../../kernels/log.ts"
import { logSumExp } from "../../kernels/log-sum-exp.ts"
import type { Chain } from "./laid.ts"

export function stateOf(chain: Chain, node: Node, walk: SwitchNode["walk"]): SwitchNode {
  const { name, column, label, states, visits } = chain.layout
  return {
    ...node,
    part: visits,
    column,
    hidden: label < 0,
    levels: states,
    walk,
    up: (steps, params, out) => up(chain, steps, params, out),

    pass() {
      throw manyInRow(column, name)
    },
    seed: (steps, params, slot, level, weight, dice, sink) =>
      seed(chain, steps, params, slot, level, weight, dice, sink),
  }
}

function up({ layout, passes }: Chain, steps: Block, params: Float64Array, out: Float64Array): Work {
  const { slots, body } = layout
  const { k, width } = passes
  const S = steps.rows
  const scores = new Float64Array(width * S)
  const work = body.up(steps, params, scores)
  for (let q = 0; q < slots * S; q++) out[q] += logSumExp(scores, q, k, slots * S) - log(k)
  return work
}

/** Restarts a starved state at one step, with transitions from and to all states. */
function seed(
  { layout, passes: { k, width }, counts }: Chain,
  steps: Block,
  params: Float64Array,
  slot: number,
  level: number,
  weight: number,
  dice: Dice,
  sink: GuessingSink,
): void {
  const { slots, body } = layout
  const { firsts, moves } = counts
  const below: Weights = {
    form: "one",
    slot: Int32Array.of(level * slots + slot),
    weight: Float64Array.of(weight),
  }
  firsts.fill(0)
  moves.fill(0)
  firsts[level * slots + slot] = weight / k
  for (let l = 0; l < k; l++) {
    moves[level * width + l * slots + slot] += weight / k
    moves[l * width + level * slots + slot] += weight / k
  }
  counts.count(steps, below, sink, 0)
  body.start(steps, params, below, dice, sink)
}
