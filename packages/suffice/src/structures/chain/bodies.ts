/** A body for each state, as one node: context l·P + p of it is context p of body l. */
import type { Block, Weights } from "../../contract/block.ts"
import type { Work } from "../../contract/leaf.ts"
import type { Node } from "../../contract/node.ts"
import { grow, growCodes } from "../../kernels/workspace.ts"

/** Bodies of the states, with scratch buffers. */
interface Bodies {
  /** Contexts of each body. */
  readonly slots: number
  readonly bodies: readonly Node[]
  readonly branchSlots: readonly ((length: number) => Int32Array)[]
  readonly branchWeights: readonly ((length: number) => Float64Array)[]
}

export function sideBySide(bodies: readonly Node[]): Node {
  const { slots } = bodies[0]
  const layout: Bodies = {
    slots,
    bodies,
    branchSlots: bodies.map(growCodes),
    branchWeights: bodies.map(grow),
  }
  const bodyOf = (slot: number): Node => bodies[Math.trunc(slot / slots)]
  const massOf = (mass: Float64Array, b: number): Float64Array => mass.subarray(b * slots, (b + 1) * slots)
  return {
    slots: bodies.length * slots,
    tree: {
      columns: new Set(bodies.flatMap(body => [...body.tree.columns])),
      parts: () => bodies.flatMap(body => [...body.tree.parts()]),
      switches: () => bodies.flatMap(body => [...body.tree.switches()]),
      contexts: names =>
        bodies.flatMap((body, b) => [...body.tree.contexts(names.slice(b * slots, (b + 1) * slots))]),
    },
    up: (block, params, out, _upToConstant, reuse) => up(layout, block, params, out, reuse),

    down(block, params, weights, sink, work) {
      const works = work as readonly Work[] | undefined
      shareOut(layout, block, weights, (body, own, b) => body.down(block, params, own, sink, works?.[b]))
    },
    open: (block, params, column, out) => open(layout, block, params, column, out),

    start(block, params, weights, dice, sink) {
      shareOut(layout, block, weights, (body, own, b) => body.start(block, params, own, dice.fork(b), sink))
    },

    moments: (params, mass, stats) =>
      bodies.forEach((body, b) => void body.moments(params, massOf(mass, b), stats)),
    descend: (stats, mass, visit) =>
      bodies.forEach((body, b) => void body.descend(stats, mass && massOf(mass, b), visit)),
    describe: (params, slot) => bodyOf(slot).describe(params, slot % slots),
    adopt: (description, slot, mass, stats) => bodyOf(slot).adopt(description, slot % slots, mass, stats),
    sample: (block, params, slot, dice, chosen) =>
      bodyOf(slot).sample(block, params, slot % slots, dice, chosen),
  }
}

function up(
  { slots, bodies }: Bodies,
  block: Block,
  params: Float64Array,
  out: Float64Array,
  reuse: Work,
): Work {
  const works = (reuse as Work[] | undefined) ?? new Array<Work>(bodies.length)
  const size = slots * block.rows
  // bodies omit different constants
  for (let b = 0; b < bodies.length; b++)
    works[b] = bodies[b].up(block, params, out.subarray(b * size, (b + 1) * size), false, works[b])
  return works
}

function open(
  { slots, bodies }: Bodies,
  block: Block,
  params: Float64Array,
  column: string,
  out: Float64Array,
): undefined {
  const k = bodies.length
  const size = slots * block.rows
  const count = out.length / (k * size)
  bodies.forEach((body, b) => {
    const alone = new Float64Array(count * size)
    body.open(block, params, column, alone)
    for (let l = 0; l < count; l++) out.set(alone.subarray(l * size, (l + 1) * size), (l * k + b) * size)
  })
}

/** Visits each body with its own weights. */
function shareOut(
  { slots, bodies, branchSlots, branchWeights }: Bodies,
  { rows }: Block,
  weights: Weights,
  visit: (body: Node, weights: Weights, b: number) => void,
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
