/** The downward pass of a network: each node with the weights of the contexts, at the configuration of its parents. */
import type { Block, Encoded, Weights } from "../../../contract/block.ts"
import type { Work } from "../../../contract/leaf.ts"
import type { Sink } from "../../../contract/node.ts"
import { Points } from "../points.ts"
import type { Network } from "./network.ts"
import { weightAt } from "./weight-at.ts"

export function deliver(
  network: Network,
  block: Block,
  params: Float64Array,
  weights: Weights,
  sink: Sink,
  works: readonly Work[] | undefined,
): void {
  const { nodes, inference } = network
  const delivery = deliveryOf(network, block, weights, sink)
  nodes.forEach((_, v) => void fillObserved(delivery, v))
  const points = new Points(nodes, inference.numbers, params)
  if (delivery.isOpen.includes(true) || nodes.some((_, v) => inference.masks.isMasked(v)))
    addPosteriors(delivery, params, points)
  nodes.forEach((_, v) => {
    deliverNode(delivery, v, works?.[v])
    deliverGuesses(delivery, v)
  })
  points.deliver(sink)
}

/** One downward pass. */
interface Delivery {
  readonly network: Network
  readonly block: Block
  readonly weights: Weights
  readonly sink: Sink
  /** True by node if its level or a level of a parent is missing in a row. */
  readonly isOpen: readonly boolean[]
  readonly isGuessed: readonly boolean[]
  /** Weights of the slots by node. Undefined if each row has one slot. */
  readonly values: readonly (Float64Array | undefined)[]
  /** Weights of every level and slot, where the level is missing. */
  readonly guesses: readonly (Float64Array | undefined)[]
}

function deliveryOf(network: Network, block: Block, weights: Weights, sink: Sink): Delivery {
  const { nodes, levels, inference } = network
  const { rows } = block
  const { isOpen, isGuessed } = inference.observed.survey()
  const values = nodes.map(({ part, configurations }, v) => {
    if (isOpen[v] || inference.masks.isMasked(v) || (weights.form === "each" && configurations > 1))
      return network.weights[v](part.leaf.shape.slots * rows)
    return undefined
  })
  const guesses = nodes.map(({ part }, v) =>
    isGuessed[v] ? network.guesses[v](levels[v] * part.leaf.shape.slots * rows) : undefined,
  )
  return { network, block, weights, sink, isOpen, isGuessed, values, guesses }
}

/** Weights of a node in the rows where its level and its parents are observed. */
function fillObserved({ network, block, weights, isGuessed, values: all }: Delivery, v: number): void {
  const values = all[v]
  if (!values) return
  const { slots: P, inference } = network
  const { observed, masks } = inference
  const { rows } = block
  const configurations = observed.configurations(v)
  const isPlain = !isGuessed[v] && !masks.isMasked(v)
  for (let i = 0; i < rows; i++) {
    const c = configurations[i]
    if (c < 0 || !(isPlain || !(observed.isGuessed(v, i) || masks.isGrouped(v, i)))) continue
    for (let p = 0; p < P; p++) values[(c * P + p) * rows + i] = weightAt(weights, rows, p, i)
  }
}

/** Adds the posterior weights of missing levels and parents, and the rows of missing numbers. */
function addPosteriors(delivery: Delivery, params: Float64Array, points: Points): void {
  const { network, block, weights, sink, values, guesses } = delivery
  const { nodes, slots: P, inference } = network
  const { rows } = block
  inference.posteriors(
    params,
    (v, i, places, base, shares) => {
      const isGuessed = inference.observed.isGuessed(v, i)
      const to = isGuessed ? guesses[v]! : values[v]!
      const modulus = nodes[v].part.leaf.shape.slots
      for (let e = 0, j = 0; e < places.length; e++) {
        const at = isGuessed ? base + places[e] : (base + places[e]) % modulus
        for (let p = 0; p < P; p++, j++) to[(at + p) * rows + i] += weightAt(weights, rows, p, i) * shares[j]
      }
    },
    (group, i, shares) => {
      for (let s = 0; s < shares.length; s++) shares[s] *= weightAt(weights, rows, s % P, i)
      if (sink.normal) points.tell(group, i, shares, sink.normal.bind(sink))
      else points.add(group, i, shares, block)
    },
  )
}

function deliverNode(delivery: Delivery, v: number, work: Work): void {
  const { network, block, weights, sink, isOpen } = delivery
  const { nodes, slots: P, inference, slotScratch } = network
  const { part, configurations } = nodes[v]
  const { rows } = block
  const values = delivery.values[v]
  const seen = inference.masks.blockFor(v, block)
  if (values) sink.leaf(part, seen, { form: "each", values }, work, isOpen[v])
  else if (configurations === 1) sink.leaf(part, seen, weights, work)
  else if (weights.form === "one") {
    let slot = inference.observed.configurations(v)
    if (P > 1) slot = slotsIn(slot, weights.slot, P, rows, slotScratch[v](rows))
    sink.leaf(part, seen, { form: "one", slot, weight: weights.weight }, work)
  }
}

/** Delivers the rows once for each level of a node, with this level in place of a missing one. */
function deliverGuesses({ network, block, sink, guesses }: Delivery, v: number): void {
  const guess = guesses[v]
  if (!guess) return
  const { nodes, levels, trials } = network
  const { part, place } = nodes[v]
  const { rows } = block
  const size = part.leaf.shape.slots * rows
  for (let l = 0; l < levels[v]; l++) {
    const cells: Encoded[] = block.cells.slice()
    if (!(trials[l]?.length >= rows)) trials[l] = new Int32Array(rows).fill(l)
    cells[place] = trials[l].length === rows ? trials[l] : trials[l].subarray(0, rows)
    const values = guess.subarray(l * size, (l + 1) * size)
    sink.leaf(part, { ...block, cells }, { form: "each", values }, undefined, true)
  }
}

/** Configuration c and context p of each row make slot c·P + p. */
function slotsIn(
  configurations: Int32Array,
  contexts: Int32Array,
  P: number,
  rows: number,
  slot: Int32Array,
): Int32Array {
  for (let i = 0; i < rows; i++) slot[i] = configurations[i] * P + contexts[i]
  return slot
}
