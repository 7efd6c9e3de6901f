/** Passes of a chain over the rows of a block: up, down, and first guesses. */
import type { Block, Weights } from "../../contract/block.ts"
import type { Dice } from "../../contract/dice.ts"
import type { Work } from "../../contract/leaf.ts"
import type { GuessingSink, Sink, SwitchNode } from "../../contract/node.ts"
import { inOrder, weightsOfRows } from "./first-guesses.ts"
import type { Chain } from "./laid.ts"
import { ChainWork } from "./work.ts"

export function up(
  { passes, segments }: Chain,
  block: Block,
  params: Float64Array,
  out: Float64Array,
  reuse: Work,
): Work {
  const work = (reuse as ChainWork | undefined) ?? new ChainWork()
  if (segments.isLong(block)) segments.climbLong(block, params, out, work)
  else passes.climb(block, params, out, work)
  return work
}

export function down(
  { layout, passes, counts, segments }: Chain,
  block: Block,
  params: Float64Array,
  weights: Weights,
  sink: Sink,
  work: Work,
): void {
  const { block: steps } = passes.stepsOf(block)
  const passed = work as ChainWork | undefined
  const isCut = !sink.waits && passed?.borders && segments.isLong(block)
  if (isCut && !counts.isSeen(passes.tagsOf(steps), 0, steps.rows)) {
    segments.downLong(block, params, weights, sink, passed)
    return
  }
  const { own: below, entropy } = counts.below(block, weights, passed, false, sink.waits)
  counts.count(steps, below, sink, entropy)
  layout.body.down(steps, params, below, sink, passed?.body)
}

/** `state`: the switch that is guessed. */
export function start(
  chain: Chain,
  state: SwitchNode,
  block: Block,
  params: Float64Array,
  weights: Weights,
  dice: Dice,
  sink: GuessingSink,
): void {
  const { layout, passes, counts } = chain
  const { slots, isOrdered, body } = layout
  const isHidden = layout.label < 0
  const nested = passes.stepsOf(block)
  const { block: steps } = nested
  const tags = passes.tagsOf(steps)
  const label = tags && passes.soft.heaviest(tags)
  const ofRows = weightsOfRows(slots, block, nested, weights)
  const { values: shares } = ofRows as Extract<Weights, { form: "each" }>
  const values =
    isHidden && isOrdered
      ? inOrder(passes.k, slots, nested, shares)
      : sink.guess({ node: state, block: steps, weights: ofRows, label, dice })
  giveShares(chain, steps, shares, values)
  counts.countGuesses(nested, values)
  const below: Weights = { form: "each", values }
  counts.count(steps, below, sink, isHidden ? 0 : undefined)
  body.start(steps, params, below, dice.fork(1000), sink)
}

/** Replaces the guesses of steps with soft tags by the shares of the tags. */
function giveShares(
  { layout: { slots, beliefs }, passes: { k, tagsOf, soft } }: Chain,
  steps: Block,
  weights: Float64Array,
  values: Float64Array,
): void {
  const tags = tagsOf(steps)
  const S = steps.rows
  for (let t = 0; beliefs && tags && t < S; t++) {
    if (tags[t] > -2) continue
    for (let l = 0; l < k; l++)
      for (let p = 0; p < slots; p++)
        values[(l * slots + p) * S + t] = weights[p * S + t] * soft.share(tags[t], l)
  }
}
