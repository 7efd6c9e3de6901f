/** How much of each row belongs to each context of a chain below a switch. */
import type { Block } from "../contract/block.ts"
import type { Sink } from "../contract/node.ts"
import { rootWeights } from "../engine/sweep.ts"
import type { SolvedModel } from "./knowledge.ts"
import { weightsOf } from "./numeric.ts"
import { type StepTarget, stepsOf } from "./target.ts"

/** p(context p | row i) times the row's weight, at i·P + p; 0 for a row without steps, unless there is one context alone. */
export function contextWeights(
  { known, params }: SolvedModel,
  block: Block,
  target: StepTarget,
): Float64Array {
  const [node] = target.states
  const { slots } = node.part.leaf.shape
  const shares = new Float64Array(block.rows * slots)
  if (slots === 1) return shares.fill(1)
  const { root } = known.laid
  const work = root.up(block, params, new Float64Array(block.rows))
  const { offsets } = stepsOf(block, target)
  const sink: Sink = {
    whole: true,
    leaf: () => undefined,
    choice(part, steps, weights): void {
      if (part !== node.part) return
      const k = part.leaf.shape.statistics / slots
      for (let s = 0; s < k * slots; s++) {
        const own = weightsOf(weights, s, steps)
        // a row's weight in a context is that of the states of its first step
        for (let i = 0; i < block.rows; i++) shares[i * slots + (s % slots)] += own[offsets[i]] ?? 0
      }
    },
  }
  root.down(block, params, rootWeights(block), sink, work)
  return shares
}
