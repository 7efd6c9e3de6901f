/**
 * The downward pass: every node with the weights of the steps, at the configuration of its parents. As in a network of rows, a level that is missing is delivered once for
 * each value. Both slices deliver in the frame of all steps, so that a sink may tell steps by their place.
 */
import type { Weights } from "../../../contract/block.ts"
import type { Sink } from "../../../contract/node.ts"
import { grow } from "../../../kernels/workspace.ts"
import { weightAt } from "../lay/weight-at.ts"
import { Points } from "../points.ts"
import { blockFor } from "./delivery/block.ts"
import { type Delivery, deliveryOf, sidesOf } from "./delivery/delivery.ts"
import type { Passes } from "./passes.ts"
import type { Alphas, Codes, Owned, Reading, TemplateLayout } from "./slices.ts"

export type Deliver = (
  reading: Reading,
  params: Float64Array,
  weights: Weights,
  sink: Sink,
  passes: Passes,
  alphas: Alphas | undefined,
  hidden?: Codes,
) => void

export function deliverer(layout: TemplateLayout, owned: readonly Owned[]): Deliver {
  const buffers = { values: owned.map(() => grow()), guesses: owned.map(() => grow()) }
  return (reading, params, weights, sink, passes, alphas, hidden) => {
    const delivery = deliveryOf(layout, owned, buffers, reading, weights, sink, hidden)
    const { isOpen, isMasked } = delivery
    owned.forEach((_, o) => void fillObserved(delivery, o))
    const slices = [reading.first, reading.later]
    const points = slices.map(side => new Points(side.nodes, side.inference.numbers, params))
    if (isOpen.includes(true) || isMasked.includes(true))
      addPosteriors(delivery, params, passes, alphas, points)
    owned.forEach((_, o) => {
      deliverNode(delivery, o)
      deliverGuesses(delivery, o)
    })
    for (const side of points) side.deliver(sink)
  }
}

/** Weights of a node in the steps where its level and its parents are observed. */
function fillObserved(delivery: Delivery, o: number): void {
  const { layout, owned, weights, steps, values: all } = delivery
  const values = all[o]
  if (!values) return
  const { v } = owned[o]
  const S = steps.rows
  for (const { inference, steps: places } of sidesOf(delivery, owned[o])) {
    for (let r = 0; r < places.length; r++) {
      const c = inference.observed.configurations(v)[r]
      if (c < 0 || inference.observed.isGuessed(v, r) || inference.masks.isGrouped(v, r)) continue
      for (let p = 0; p < layout.slots; p++)
        values[(c * layout.slots + p) * S + places[r]] = weightAt(weights, S, p, places[r])
    }
  }
}

/** Adds the posterior weights of missing levels and parents, and the rows of missing numbers. */
function addPosteriors(
  delivery: Delivery,
  params: Float64Array,
  passes: Passes,
  alphas: Alphas | undefined,
  points: readonly Points[],
): void {
  const { layout, owned, reading, weights, sink, steps, values, guesses } = delivery
  const { first, later } = reading
  const P = layout.slots
  const S = steps.rows
  const indexOf = [first, later].map(side => side.nodes.map(laid => owned.findIndex(e => e.laid === laid)))
  passes.down(reading, params, alphas, (t, p) => weightAt(weights, S, p, t) !== 0, {
    entries(side, v, r, places, base, shares) {
      const o = indexOf[side === first ? 0 : 1][v]
      if (o < 0) return
      const t = side.steps[r]
      const isGuessed = side.inference.observed.isGuessed(v, r)
      const to = isGuessed ? guesses[o]! : values[o]!
      const modulus = owned[o].laid.part.leaf.shape.slots
      for (let e = 0, j = 0; e < places.length; e++) {
        const at = isGuessed ? base + places[e] : (base + places[e]) % modulus
        for (let p = 0; p < P; p++, j++) to[(at + p) * S + t] += weightAt(weights, S, p, t) * shares[j]
      }
    },
    group(side, group, r, shares) {
      const t = side.steps[r]
      const rows = points[side === first ? 0 : 1]
      for (let s = 0; s < shares.length; s++) shares[s] *= weightAt(weights, S, s % P, t)
      if (!sink.normal) rows.add(group, r, shares, side.block)
      else rows.tell(group, r, shares, (part, row, ...known) => sink.normal!(part, side.steps[row], ...known))
    },
  })
}

function deliverNode(delivery: Delivery, o: number): void {
  const { layout, owned, weights, sink, steps, isOpen, isSplit } = delivery
  const { v, laid } = owned[o]
  const { part, configurations } = laid
  const S = steps.rows
  const values = delivery.values[o]
  const seen = blockFor(delivery, o)
  if (values) sink.leaf(part, seen, { form: "each", values }, undefined, isOpen[o])
  else if (weights.form === "one" && (configurations > 1 || isSplit[o])) {
    const slot = new Int32Array(S)
    const weight = isSplit[o] ? new Float64Array(S) : weights.weight
    for (const { inference, steps: places } of sidesOf(delivery, owned[o])) {
      for (let r = 0; r < places.length; r++) {
        const t = places[r]
        slot[t] = Math.max(inference.observed.configurations(v)[r], 0) * layout.slots + weights.slot[t]
        if (isSplit[o]) weight[t] = weights.weight[t]
      }
    }
    sink.leaf(part, seen, { form: "one", slot, weight })
  } else sink.leaf(part, seen, weights)
}

/** Delivers the steps once for each level of a node, with this level in place of a missing one. */
function deliverGuesses({ layout, owned, sink, steps, guesses }: Delivery, o: number): void {
  const guess = guesses[o]
  if (!guess) return
  const { v, laid } = owned[o]
  const { part, place } = laid
  const size = part.leaf.shape.slots * steps.rows
  for (let l = 0; l < layout.levels[v]; l++) {
    const cells = steps.cells.slice()
    cells[place] = new Int32Array(steps.rows).fill(l)
    const values = guess.subarray(l * size, (l + 1) * size)
    sink.leaf(part, { ...steps, cells }, { form: "each", values }, undefined, true)
  }
}
