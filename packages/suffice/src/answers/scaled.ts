/**
 * One row under the model with all leaf scores multiplied by t, except those of the target itself:
 *
 *     F_l(t) = ln p_t(row, target = l)        dF_l/dt = Σ_slots r_p(t) · score_p
 *
 * F_l(1) is the model; F_l(0) sees only labels. These are ordinary upward and downward passes over a tree whose leaves are stand-ins that
 * hold the scores of this row.
 */
import { blockAt } from "../blocks/encoded.ts"
import type { Block } from "../contract/block.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Node, Sink } from "../contract/node.ts"
import type { Part } from "../contract/part.ts"
import { type Laid, planOf } from "../engine/lay.ts"
import { rootWeights } from "../engine/sweep.ts"
import { exp } from "../kernels/exp.ts"
import { logSumExp } from "../kernels/log-sum-exp.ts"
import type { Knowledge, SolvedModel } from "./knowledge.ts"

export interface ScaledLeaf {
  readonly part: Part
  /** The row, or the steps of it in which the leaf stands. */
  readonly block: Block
  readonly leaf: Leaf
  readonly params: Float64Array
  /** ln p(cells of row i | slot p) of the block, at p·rows + i. */
  readonly exact: Float64Array
  /** The same, with −∞ replaced by a number so low that at t = 1 the slot gets weight 0 if any other is possible. */
  readonly scores: Float64Array
  /** Where they begin among the weights. */
  readonly at: number
}

export interface ScaledRow {
  readonly leaves: readonly ScaledLeaf[]
  /** Slots of all leaves together, step by step. */
  readonly size: number
  /** Σ over leaves of the largest |score|. */
  readonly reach: number
  /** F_l(t); of `block` instead, if some labels are to be hidden. */
  logJoint(level: number, t: number, block?: Block): number
  /** out[at + p·rows + i] += weight · r_p(t) given target = level. True if r depended on the scores. */
  weigh(level: number, t: number, weight: number, out: Float64Array): boolean
}

/** Valid until the next call for the same model and target: they share a tree. */
export function scaledRow({ known, params }: SolvedModel, row: Block, target: string): ScaledRow {
  const { root, standIns, scale } = treeOf(known, target)
  const pin = pinner(root, params, known, target)

  const { leaves, size, reach } = leavesOf(root, standIns, params, ({ steps }) =>
    blockAt(known.schema.columns, row, steps),
  )

  function up(level: number, t: number, block: Block) {
    const pinned = pin(block, level)
    const out = new Float64Array(1)
    scale.t = t
    const work = root.up(pinned.block, pinned.params, out)
    return { ...pinned, total: out[0], work }
  }

  return {
    leaves: [...leaves.values()],
    size,
    reach,
    logJoint: (level, t, block = row) => up(level, t, block).total,

    weigh(level, t, weight, out) {
      const pinned = up(level, t, row)
      const sink = weighing(leaves, weight, out)
      root.down(pinned.block, pinned.params, rootWeights(row), sink, pinned.work)
      return sink.wavered
    },
  }
}

/**
 * The same of one step of a chain, given its state: F_l(t) = ln Σ_p v_p(l) p_t(step | state = l, context p). `contexts`: ln v_p(l) at l·P + p, of which there is more than one below
 * a switch.
 */
export function scaledStep(
  { known, params }: SolvedModel,
  step: Block,
  { column, steps }: { readonly column: string; readonly steps: string },
  contexts: Float64Array,
): ScaledRow {
  const { root, standIns, scale } = treeOf(known, column)
  const states = [...root.tree.switches()].find(
    node => node.column === column && node.part.steps[0] === steps,
  )
  const { body } = states!.walk!
  const { leaves, size, reach } = leavesOf(body, standIns, params, () => step)

  const { slots } = states!.part.leaf.shape

  function up(level: number, t: number, block: Block) {
    const out = new Float64Array(body.slots)
    scale.t = t
    const work = body.up(block, params, out)
    const own = Float64Array.from(
      { length: slots },
      (_, p) => contexts[level * slots + p] + out[level * slots + p],
    )
    return { own, total: logSumExp(own, 0, slots, 1), work }
  }

  return {
    leaves: [...leaves.values()],
    size,
    reach,
    logJoint: (level, t, block = step) => up(level, t, block).total,

    weigh(level, t, weight, out) {
      const { own, total, work } = up(level, t, step)
      const sink = weighing(leaves, weight, out)
      const values = new Float64Array(body.slots)
      for (let p = 0; p < slots; p++) values[level * slots + p] = exp(own[p] - total)
      const isOne = slots === 1
      const weights = isOne
        ? ({ form: "one", slot: Int32Array.of(level), weight: Float64Array.of(1) } as const)
        : ({ form: "each", values } as const)
      body.down(step, params, weights, sink, work)
      return sink.wavered || !isOne
    },
  }
}

/** The leaves below a node with their scores, and what these amount to. */
function leavesOf(
  node: Node,
  standIns: ScaledTree["standIns"],
  params: Float64Array,
  blockOf: (part: Part) => Block,
): { readonly leaves: ReadonlyMap<Part, ScaledLeaf>; readonly size: number; readonly reach: number } {
  const leaves = new Map<Part, ScaledLeaf>()
  let size = 0
  for (const part of node.tree.parts()) {
    const found = standIns.get(part.leaf)
    if (!found) continue
    const block = blockOf(part)
    const exact = new Float64Array(part.leaf.shape.slots * block.rows)
    if (block.rows > 0) found.leaf.score(block, part.ranges.paramsOf(params), exact)
    found.now.scores = new Float64Array(exact.length)
    leaves.set(part, {
      part,
      block,
      leaf: found.leaf,
      params: part.ranges.paramsOf(params),
      exact,
      scores: found.now.scores,
      at: size,
    })
    size += exact.length
  }
  return { leaves, size, reach: fillScores([...leaves.values()]) }
}

/** Adds the weights that come down to the leaves, and sees whether any was guessed. */
function weighing(
  leaves: ReadonlyMap<Part, ScaledLeaf>,
  weight: number,
  out: Float64Array,
): Sink & { wavered: boolean } {
  const sink = {
    whole: true,
    wavered: false,
    choice(...[, , , guessed]: Parameters<Sink["choice"]>): void {
      if (guessed) sink.wavered = true
    },
    leaf(...[part, { rows }, weights]: Parameters<Sink["leaf"]>): void {
      const found = leaves.get(part)
      if (!found) return
      const { at } = found
      if (weights.form === "one") {
        for (let i = 0; i < rows; i++) out[at + weights.slot[i] * rows + i] += weight * weights.weight[i]
      } else {
        for (let j = 0; j < part.leaf.shape.slots * rows; j++) out[at + j] += weight * weights.values[j]
      }
    },
  }
  return sink
}

interface StandIn {
  readonly leaf: Leaf
  readonly now: { scores: Float64Array }
}

interface ScaledTree {
  readonly root: Node
  /** By stand-in: the leaf it replaces, and the scores it adds now. */
  readonly standIns: ReadonlyMap<Leaf, StandIn>
  readonly scale: { t: number }
}

const trees = /* @__PURE__ */ new WeakMap<Laid, Map<string, ScaledTree>>()

/** Laid out once for each model and target. */
function treeOf(known: Knowledge, target: string): ScaledTree {
  const byTarget = trees.get(known.laid) ?? new Map<string, ScaledTree>()
  trees.set(known.laid, byTarget)
  const tree = byTarget.get(target) ?? layScaled(known, target)
  byTarget.set(target, tree)
  return tree
}

/** The model's tree, in which every leaf without the target adds t · scores, whatever the block. */
function layScaled({ model, schema }: Knowledge, target: string): ScaledTree {
  const scale = { t: 1 }
  const standIns = new Map<Leaf, StandIn>()
  let statistics = 0
  let parameters = 0
  const plan = planOf(schema.columns, {
    reserve(stats, params) {
      // nothing is solved here, so spreads are never read
      const at = { statsAt: statistics, paramsAt: parameters, spreadAt: 0 }
      statistics += stats
      parameters += params
      return at
    },
    standIn(leaf, names) {
      if (names.includes(target)) return leaf
      const now = { scores: new Float64Array(leaf.shape.slots) }
      const score: Leaf["score"] = (_block, _params, out) => {
        for (let j = 0; j < now.scores.length; j++) out[j] += scale.t * now.scores[j]
      }
      const standIn: Leaf = {
        ...leaf,
        score,
        ...(leaf.numbers && { numbers: { ...leaf.numbers, line: undefined } }),
      }
      standIns.set(standIn, { leaf, now })
      return standIn
    },
  })
  return { root: model.lay(plan, 1), standIns, scale }
}

/** Fills `scores` from `exact`; returns Σ of the largest |score|. */
function fillScores(leaves: readonly ScaledLeaf[]): number {
  const finite = leaves.reduce((sum, { exact }) => sum + farthest(exact), 0)
  // e^−1000 = 0, and no finite path lies 2·finite below another
  const lowest = -1000 - 2 * finite
  for (const { exact, scores } of leaves) {
    for (let p = 0; p < exact.length; p++) scores[p] = exact[p] === -Infinity ? lowest : exact[p]
  }
  return leaves.reduce((sum, { scores }) => sum + farthest(scores), 0)
}

/** The largest |value| that is finite. */
function farthest(values: Float64Array): number {
  let most = 0
  for (const value of values) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value))
  return most
}

/** Fixes target = level: in the block, or, if the target is hidden, by giving the other values weight 0. */
function pinner(
  root: Node,
  params: Float64Array,
  { schema }: Knowledge,
  target: string,
): (block: Block, level: number) => { readonly block: Block; readonly params: Float64Array } {
  const place = schema.columns.findIndex(column => column.name === target)
  const byLevel = new Map<number, Float64Array>()
  return (block, level) => {
    if (place >= 0) {
      const cells = block.cells.slice()
      cells[place] = Int32Array.of(level)
      return { block: { ...block, cells }, params }
    }
    let pinned = byLevel.get(level)
    if (!pinned) {
      pinned = params.slice()
      pinHidden(root, target, level, pinned)
      byLevel.set(level, pinned)
    }
    return { block, params: pinned }
  }
}

/** ln π = −∞ for every other value of the switch. Of nested mixtures with the same name, the outermost. */
function pinHidden(root: Node, target: string, level: number, params: Float64Array): void {
  const inner = new Set<unknown>()
  for (const node of root.tree.switches()) {
    if (node.column !== target || inner.has(node)) continue
    for (const below of node.tree.switches()) inner.add(below)
    const { part } = node
    for (let s = 0; s < part.leaf.shape.parameters; s++) {
      if (Math.trunc(s / part.leaf.shape.slots) !== level) params[part.ranges.paramsAt + s] = -Infinity
    }
  }
}
