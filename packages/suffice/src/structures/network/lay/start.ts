/** First guesses of a network, and its expected statistics. */
import type { Block, Weights } from "../../../contract/block.ts"
import type { Dice } from "../../../contract/dice.ts"
import type { Leaf } from "../../../contract/leaf.ts"
import type { GuessingSink, Sink } from "../../../contract/node.ts"
import type { FusibleLeaf } from "../../../kernels/fusion.ts"
import { log } from "../../../kernels/log.ts"
import { sharesOf } from "../inference/shares.ts"
import type { LaidNode } from "../layout.ts"
import { deliver } from "./deliver.ts"
import type { Network } from "./network.ts"

/** Draws hidden values. Other missing levels are uniform, or follow drawn tables in a later restart. */
export function start(
  network: Network,
  block: Block,
  params: Float64Array,
  weights: Weights,
  dice: Dice,
  sink: GuessingSink,
): void {
  const { nodes, levels, inference } = network
  inference.read(block)
  nodes.forEach(({ isHidden }, v) => {
    if (!isHidden) return
    const codes = new Int32Array(block.rows)
    const rolls = dice.fork(v)
    for (let i = 0; i < codes.length; i++) codes[i] = rolls.integer(levels[v])
    inference.observed.codes[v] = codes
  })
  inference.resolve(true)
  const starting: Sink = {
    leaf: (part, rows, weights) =>
      sink.start(part, rows, weights, dice.fork(nodes.length + part.ranges.statsAt)),
    choice: (...delivered) => sink.choice(...delivered),
  }
  const guessed = sink.isAgain ? drawnTables(nodes, params, dice.fork(nodes.length)) : params
  deliver(network, block, guessed, weights, starting, undefined)
}

export function moments(
  { nodes, slots: P, inference }: Network,
  params: Float64Array,
  mass: Float64Array,
  stats: Float64Array,
): void {
  inference.nothing()
  sharesOf(inference, nodes, P, params).forEach((share, v) => {
    const { part } = nodes[v]
    const below = share.map((chance, s) => chance * mass[s % P])
    part.leaf.moments(part.ranges.paramsOf(params), below, part.ranges.statsOf(stats))
  })
}

/** The same parameters with other tables: in every slot all distributions over the levels are as probable. */
function drawnTables(nodes: readonly LaidNode[], params: Float64Array, dice: Dice): Float64Array {
  const drawn = params.slice()
  for (const { part, column } of nodes) {
    const { fusion, score } = part.leaf as Leaf & Partial<FusibleLeaf>
    if (column.kind !== "level" || fusion?.score !== score) continue
    const own = drawn.subarray(part.ranges.paramsAt, part.ranges.paramsAt + part.leaf.shape.parameters)
    for (let s = 0; s < part.leaf.shape.slots; s++) {
      let total = 0
      for (let j = s; j < own.length; j += part.leaf.shape.slots) {
        own[j] = -log(1 - dice.uniform())
        total += own[j]
      }
      for (let j = s; j < own.length; j += part.leaf.shape.slots) own[j] = log(own[j] / total)
    }
  }
  return drawn
}
