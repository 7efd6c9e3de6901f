/** A body for each state, as one node: context l·P + p of it is context p of body l. */
import type { Block, Weights } from "../../contract/block.ts"
import type { Work } from "../../contract/leaf.ts"
import type { Node } from "../../contract/node.ts"
import { grow, growCodes } from "../../kernels/workspace.ts"

export function sideBySide(bodies: readonly Node[]): Node {
  const { slots } = bodies[0]
  const k = bodies.length
  const branchSlots = bodies.map(growCodes)
  const branchWeights = bodies.map(grow)
  const bodyOf = (slot: number): Node => bodies[Math.trunc(slot / slots)]

  /** Visits each body with its own weights. */
  function each(
    { rows }: Block,
    weights: Weights,
    visit: (body: Node, own: Weights, b: number) => void,
  ): void {
    const size = slots * rows
    bodies.forEach((body, b) => {
      if (weights.form === "each") {
        visit(body, { form: "each", values: weights.values.subarray(b * size, (b + 1) * size) }, b)
        return
      }
      const slot = branchSlots[b](rows).fill(0)
      const weight = branchWeights[b](rows)
      for (let i = 0; i < rows; i++) {
        if (Math.trunc(weights.slot[i] / slots) !== b) continue
        slot[i] = weights.slot[i] % slots
        weight[i] = weights.weight[i]
      }
      visit(body, { form: "one", slot, weight }, b)
    })
  }

  return {
    slots: k * slots,
    tree: {
      columns: new Set(bodies.flatMap(body => [...body.tree.columns])),
      parts: () => bodies.flatMap(body => [...body.tree.parts()]),
      switches: () => bodies.flatMap(body => [...body.tree.switches()]),
      contexts: names =>
        bodies.flatMap((body, b) => [...body.tree.contexts(names.slice(b * slots, (b + 1) * slots))]),
    },

    up(block, params, out, _upToConstant, reuse) {
      const works = (reuse as Work[] | undefined) ?? new Array<Work>(k)
      const size = slots * block.rows
      // a constant of one body is not that of another
      for (let b = 0; b < k; b++)
        works[b] = bodies[b].up(block, params, out.subarray(b * size, (b + 1) * size), false, works[b])
      return works
    },

    down(block, params, weights, sink, work) {
      const works = work as readonly Work[] | undefined
      each(block, weights, (body, own, b) => body.down(block, params, own, sink, works?.[b]))
    },

    open(block, params, column, out) {
      const size = slots * block.rows
      const count = out.length / (k * size)
      bodies.forEach((body, b) => {
        const alone = new Float64Array(count * size)
        body.open(block, params, column, alone)
        for (let l = 0; l < count; l++) out.set(alone.subarray(l * size, (l + 1) * size), (l * k + b) * size)
      })
      return undefined
    },

    start(block, params, weights, dice, sink) {
      each(block, weights, (body, own, b) => body.start(block, params, own, dice.fork(b), sink))
    },

    moments(params, mass, stats) {
      bodies.forEach((body, b) => {
        body.moments(params, mass.subarray(b * slots, (b + 1) * slots), stats)
      })
    },

    descend(stats, mass, visit) {
      bodies.forEach((body, b) => {
        body.descend(stats, mass?.subarray(b * slots, (b + 1) * slots), visit)
      })
    },
    describe: (params, slot) => bodyOf(slot).describe(params, slot % slots),

    adopt(description, slot, mass, stats) {
      bodyOf(slot).adopt(description, slot % slots, mass, stats)
    },

    sample(block, params, slot, dice, chosen) {
      bodyOf(slot).sample(block, params, slot % slots, dice, chosen)
    },
  }
}
