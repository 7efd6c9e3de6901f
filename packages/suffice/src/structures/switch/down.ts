/** Downward pass of a switch: body l receives w · r_l. For an observed label r is 1 for its value and 0 for the others. */
import type { Block, Weights } from "../../contract/block.ts"
import type { Dice } from "../../contract/dice.ts"
import type { Work } from "../../contract/leaf.ts"
import type { GuessingSink, Node, Sink, SwitchNode } from "../../contract/node.ts"
import { allOnes } from "../../kernels/all-ones.ts"
import { labelIn, type Switch, SwitchWork } from "./switch.ts"

/** For rows whose labels are all observed. */
const NO_WORK = /* @__PURE__ */ new SwitchWork()

export function down(
  variable: Switch,
  block: Block,
  params: Float64Array,
  weights: Weights,
  sink: Sink,
  work: Work,
): void {
  const { below, isGuessed, entropy } = spreadWeights(
    variable,
    block,
    weights,
    work as SwitchWork | undefined,
  )
  pass(variable, block, params, below, sink, isGuessed, work, entropy)
}

/** Delivers the weights of the slots below to the sink and to the bodies. */
export function pass(
  variable: Switch,
  block: Block,
  params: Float64Array,
  below: Weights,
  sink: Sink,
  isGuessed: boolean,
  work: Work,
  entropy?: number,
): void {
  const works = (work as SwitchWork | undefined)?.bodies
  sink.choice(variable.part, block, below, isGuessed, entropy)
  passDown(variable, block, below, (body, weights, b) => body.down(block, params, weights, sink, works?.[b]))
}

/** First guesses, drawn by the sink. */
export function start(
  variable: Switch,
  node: SwitchNode,
  block: Block,
  params: Float64Array,
  weights: Weights,
  dice: Dice,
  sink: GuessingSink,
): void {
  const guess = sink.guess({ node, block, weights, label: labelIn(variable, block), dice })
  const below: Weights = { form: "each", values: guess }
  sink.choice(variable.part, block, below, variable.isHidden)
  passDown(variable, block, below, (body, weights, b) =>
    body.start(block, params, weights, dice.fork(1000 + b), sink),
  )
}

/** Restarts one value in one context. */
export function seed(
  variable: Switch,
  block: Block,
  params: Float64Array,
  slot: number,
  level: number,
  weight: number,
  dice: Dice,
  sink: GuessingSink,
): void {
  const below: Weights = {
    form: "one",
    slot: Int32Array.of(level * variable.slots + slot),
    weight: Float64Array.of(weight),
  }
  sink.choice(variable.part, block, below, true)
  passDown(variable, block, below, (body, weights, b) =>
    body.start(block, params, weights, dice.fork(b), sink),
  )
}

interface Spread {
  readonly below: Weights
  readonly isGuessed: boolean
  readonly entropy?: number
}

/** The weights of the slots below: w · r_l. */
function spreadWeights(
  variable: Switch,
  block: Block,
  weights: Weights,
  work: SwitchWork | undefined,
): Spread {
  const { k, slots } = variable
  const { rows } = block
  // the only value has weight 1, with or without an upward pass
  if (k === 1) return { below: weights, isGuessed: false }
  const label = labelIn(variable, block)
  if (label && !label.includes(-1) && (weights.form === "one" || slots === 1))
    return { below: observedWeights(variable, rows, weights, label), isGuessed: false }
  const { scores, sums } = work ?? NO_WORK
  if (!label && slots === 1 && weights.form === "one" && allOnes(weights.weight, rows)) {
    // hidden, all weights 1: w · r = r
    let entropy = 0
    for (let i = 0; i < rows; i++) entropy += sums[rows + i]
    return { below: { form: "each", values: scores }, isGuessed: rows > 0, entropy }
  }
  return partialWeights(variable, rows, weights, label, scores, sums)
}

/** All labels observed: one slot per row, the label itself if there is one context. */
function observedWeights(variable: Switch, rows: number, weights: Weights, label: Int32Array): Weights {
  const { slots } = variable
  let slot = label
  if (weights.form === "one" && slots > 1) {
    slot = variable.slotScratch(rows)
    for (let i = 0; i < rows; i++) slot[i] = label[i] * slots + weights.slot[i]
  }
  return { form: "one", slot, weight: weights.form === "one" ? weights.weight : weights.values }
}

/** Some labels missing: w · r_l, or w for an observed label. */
function partialWeights(
  { k, slots, spread }: Switch,
  rows: number,
  weights: Weights,
  label: Int32Array | undefined,
  scores: Float64Array,
  sums: Float64Array,
): Spread {
  const size = slots * rows
  const isOneSlot = weights.form === "one"
  const values = spread(k * size)
  let isGuessed = false
  let entropy = 0
  for (let j = 0; j < (isOneSlot ? rows : size); j++) {
    const q = isOneSlot ? weights.slot[j] * rows + j : j
    const w = isOneSlot ? weights.weight[j] : weights.values[j]
    const known = label ? label[j % rows] : -1
    if (known >= 0) {
      values[known * size + q] = w
      continue
    }
    isGuessed = true
    if (w > 0) entropy += w * sums[size + q]
    for (let at = q; at < k * size; at += size) values[at] = w * scores[at]
  }
  return { below: { form: "each", values }, isGuessed, entropy }
}

/** Visits each body with its weights: all of them, or its rows of the matrix. */
function passDown(
  variable: Switch,
  block: Block,
  weights: Weights,
  visit: (body: Node, weights: Weights, index: number) => void,
): void {
  const { hasBodyPerValue, bodies, slots } = variable
  if (!hasBodyPerValue) {
    visit(bodies[0], weights, 0)
    return
  }
  const size = slots * block.rows
  bodies.forEach((body, b) => {
    if (weights.form === "each")
      visit(body, { form: "each", values: weights.values.subarray(b * size, (b + 1) * size) }, b)
    else visit(body, rowsOfBody(variable, block.rows, weights, b), b)
  })
}

function rowsOfBody(
  { slots, branchSlots, branchWeights }: Switch,
  rows: number,
  weights: Extract<Weights, { form: "one" }>,
  b: number,
): Weights {
  const slot = branchSlots[b](rows)
  const weight = branchWeights[b](rows)
  for (let i = 0; i < rows; i++) {
    if (Math.trunc(weights.slot[i] / slots) !== b) continue
    slot[i] = weights.slot[i] % slots
    weight[i] = weights.weight[i]
  }
  return { form: "one", slot, weight }
}
