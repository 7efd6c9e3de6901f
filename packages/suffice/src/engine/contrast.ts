/**
 * The statistics of one block under a regime: sdEM's direction (Masegosa 2014), for any model and any target.
 *
 *     conditional likelihood   E[s | row] − E[s | row without the target]          loss = ln p(rest) − ln p(row)
 *     hinge                    E[s | y] − E[s | ȳ], ȳ the best wrong value           loss = max(0, m − ln p(row, y)/p(row, ȳ))
 *     EM                       E[s | row]                                           loss = −ln p(row)
 *
 * Leaves with missing cells are completed: every slot gets the mass that was delivered to it, or counts would drift below 0.
 */

import type { Bank } from "../contract/bank.ts"
import type { Block } from "../contract/block.ts"
import type { Leaf, Work } from "../contract/leaf.ts"
import type { Regime } from "../contract/moving.ts"
import type { Node, Rival, Sink, SwitchNode } from "../contract/node.ts"
import type { Part } from "../contract/part.ts"
import type { SparseMoving } from "../contract/sparse.ts"
import { collapse } from "../kernels/responsibilities.ts"
import { fastKernels } from "../kernels/twins.ts"
import { grow, growCodes } from "../kernels/workspace.ts"
import { headOf, unitsOf } from "./banks.ts"
import { cellsOf, isSeen, targetIn } from "./contrast-target.ts"
import type { Laid } from "./lay.ts"
import { Masses } from "./masses.ts"
import { hinge, rivalAcross, rivalAmong } from "./rival.ts"
import { rootWeights, StatisticsSink } from "./sweep.ts"

export interface Contrast {
  /** The number of rows whose target is seen, and their weight. */
  readonly rows: number
  readonly weight: number
  readonly loss: number
}

/** stats (zeros on entry) ← the statistics of the block. `into`: a gathering for these params and stats, to reuse. */
export function contrast(
  laid: Laid,
  block: Block,
  params: Float64Array,
  regime: Regime,
  stats: Float64Array,
  into: Gathering = gathering(laid, params, stats),
): Contrast {
  into.masses.clear()
  const found = gather(laid, block, params, regime, into.sink)
  for (const own of into.completed) complete(own)
  return found
}

/** Turns the weights of both sides into statistics. */
export interface Gathering {
  readonly sink: Sink
  /** The mass delivered to each part whose cells may be missing. */
  readonly masses: Masses
  /** Parts that are lifted to the mass that was delivered. */
  readonly completed: readonly Completed[]
}

/** A part or a bank with its stretch of each array. */
interface Completed {
  readonly leaf: Leaf | Bank
  readonly params: Float64Array
  readonly stats: Float64Array
  /** What was delivered to its slots, and how much of it they lack. */
  readonly mass: Float64Array
  readonly gap: Float64Array
}

/**
 * The statistics of EM, plus the rows that a leaf skips because its own cell is missing, as far as the columns it reads predict it (absorbHoles). Parts
 * in `apart` receive the weights instead: nothing of them is gathered or completed.
 */
export function gathering(
  laid: Laid,
  params: Float64Array,
  stats: Float64Array,
  apart: ReadonlyMap<Part, Pick<SparseMoving, "take">> = new Map(),
): Gathering {
  const seen = new StatisticsSink(params, stats)
  const maybeMissing = unitsOf(laid.banks, laid.parts.filter(isCompleted))
  const masses = new Masses(maybeMissing.map(headOf))
  const isApart = apart.size > 0
  const sink: Sink = {
    choice(...delivered) {
      masses.next()
      seen.choice(...delivered)
    },
    bank(bank, block, weights) {
      masses.add(bank.parts[0], weights, block.rows)
      seen.bank(bank, block, weights)
    },
    leaf(part, block, weights, work) {
      masses.add(part, weights, block.rows)
      const own = isApart ? apart.get(part) : undefined
      if (own) {
        own.take(weights, block, work)
        return
      }
      seen.leaf(part, block, weights, work)
      part.leaf.moving?.absorbHoles?.(
        block,
        part.ranges.paramsOf(params),
        weights,
        part.ranges.statsOf(stats),
      )
    },
  }
  const completed = maybeMissing.flatMap((unit): Completed | [] => {
    const head = headOf(unit)
    if (apart.has(head)) return []
    const { leaf } = unit
    const mass = masses.of(head)!
    const gap = new Float64Array(leaf.shape.slots)
    return { leaf, params: unit.ranges.paramsOf(params), stats: unit.ranges.statsOf(stats), mass, gap }
  })
  return { sink, masses, completed }
}

/** Lift every slot to this mass by E[s | θ]: then the statistics are the moments of whole rows. */
function complete({ leaf, params, stats, mass, gap }: Completed): void {
  if (!("mass" in leaf) || leaf.moving?.complete) {
    leaf.moving!.complete!(params, mass, stats)
    return
  }
  for (let p = 0; p < gap.length; p++) gap[p] = mass[p] - leaf.mass(stats, p)
  leaf.moments(params, gap, stats)
}

/** A choice has a value in every row, and the length of a missing bag is unknown: neither is completed. */
function isCompleted({ role, leaf }: Part): boolean {
  return role === "leaf" && !leaf.shape.lengthGiven
}

function gather(laid: Laid, block: Block, params: Float64Array, regime: Regime, sink: Sink): Contrast {
  const descend = (rows: Block, weight: Float64Array, work: Work): void =>
    laid.root.down(rows, params, rootWeights({ ...rows, weight }), sink, work)
  /** One upward and one downward pass, with these weights; returns the scores. */
  const pass = (rows: Block, weight: Float64Array): Float64Array => {
    const scores = new Float64Array(rows.rows)
    descend(rows, weight, laid.root.up(rows, params, scores))
    return scores
  }
  if (regime.against === "nothing") {
    const scores = pass(block, block.weight)
    return { rows: block.rows, weight: total(block.weight), loss: -dot(block.weight, scores) }
  }
  const target = targetIn(laid, regime.target)
  const { column, top } = target
  const place = cellsOf(block, target)
  const { cells, offsets, within, blank } = place
  const { factors } = regime
  const weight = weights(block.rows)
  let labelled = 0
  for (let i = 0; i < block.rows; i++) {
    // rows whose target is missing say nothing about p(target | rest)
    if (!isSeen(column, place, i)) continue
    labelled++
    weight[i] = factors && !offsets ? block.weight[i] * factors[cells[i]] : block.weight[i]
  }
  const met = { rows: labelled, weight: total(weight) }
  if (top) return { ...met, loss: tilt(top, block, params, regime, weight, cells as Int32Array, sink) }
  if (regime.against === "hidden") {
    const seen = pass(block, weight)
    const without = pass(
      blank(),
      weight.map(w => -w),
    )
    return { ...met, loss: dot(weight, without) - dot(weight, seen) }
  }
  const rival =
    laid.root.joint?.rival?.(block, params, regime.target, regime.margin) ??
    (offsets
      ? rivalAcross(laid, block, params, regime, cells as Int32Array, offsets, within)
      : enumerated(regime.target, regime.margin))
  const { loss, active, against } = hinge(rival.shortfall, weight)
  const right = rival.right ? within(rival.right) : block
  const wrong = within(rival.cells)
  if (rival.work === undefined) {
    pass(right, active)
    pass(wrong, against)
  } else if (loss > 0) {
    descend(right, active, rival.work)
    descend(wrong, against, rival.work)
  }
  return { ...met, loss }

  function enumerated(target: string, margin: number): Rival {
    const levels = column.kind === "level" ? column.levels.length : 0
    const { scores } = joints(laid.root, levels, blank(), params, target)
    return rivalAmong(scores, levels, cells as Int32Array, margin)
  }
}

/**
 * The same statistics in one pass; returns the loss. Below the switch both sides differ only by the weights of its values,
 *
 *     conditional likelihood   1[l = y] − p(l | row)          hinge   1[l = y] − 1[l = ȳ]
 *
 * which sum to 0, so what is modelled beside the switch gets no weight.
 */
function tilt(
  top: SwitchNode,
  block: Block,
  params: Float64Array,
  regime: Exclude<Regime, { against: "nothing" }>,
  weight: Float64Array,
  truth: Int32Array,
  sink: Sink,
): number {
  const { rows } = block
  // factors beside the switch are the same for all of its values
  const joint = joints(top, top.levels.length, block, params, regime.target)
  if (regime.against === "rival") {
    const rival = rivalAmong(joint.scores, joint.levels, truth, regime.margin)
    const { loss, active, against } = hinge(rival.shortfall, weight)
    if (loss > 0) {
      const slot = known(truth, truths(rows))
      top.pass(block, params, { form: "one", slot, weight: active }, sink, joint.work)
      const wrong = known(rival.cells, rival.cells)
      top.pass(block, params, { form: "one", slot: wrong, weight: against }, sink, joint.work)
    }
    return loss
  }
  const slot = known(truth, truths(rows))
  const values = joint.scores
  const right = rights(rows)
  for (let i = 0; i < rows; i++) right[i] = values[slot[i] * rows + i]
  const sums = sumsOf(2 * rows)
  ;(fastKernels() ?? { collapse }).collapse(values, joint.levels, rows, sums)
  let loss = 0
  for (let i = 0; i < rows; i++) if (weight[i] !== 0) loss += weight[i] * (sums[i] - right[i])
  for (let at = 0; at < values.length; at += rows) {
    for (let i = 0; i < rows; i++) values[at + i] *= -weight[i]
  }
  for (let i = 0; i < rows; i++) values[slot[i] * rows + i] += weight[i]
  top.pass(block, params, { form: "each", values }, sink, joint.work)
  return loss
}

/** scores: ln p(row i, target = l) at l·rows + i */
interface Joints {
  readonly levels: number
  readonly scores: Float64Array
  readonly work: Work
}

function joints(node: Node, levels: number, block: Block, params: Float64Array, target: string): Joints {
  const scores = scoresOf(levels * block.rows)
  const work = node.open(block, params, target, scores)
  return { levels, scores, work }
}

/** Codes as slots; a missing one is slot 0, with weight 0. */
function known(codes: Int32Array, out: Int32Array): Int32Array {
  for (let i = 0; i < codes.length; i++) out[i] = Math.max(codes[i], 0)
  return out
}

// scratch: mini-batches are small and many
const weights = grow()
const rights = grow()
const scoresOf = grow()
const sumsOf = grow()
const truths = growCodes()

function total(weight: Float64Array): number {
  return weight.reduce((sum, w) => sum + w, 0)
}

/** Σ w·score over rows of weight ≠ 0: the score of the others may be −∞. */
function dot(weight: Float64Array, scores: Float64Array): number {
  let sum = 0
  for (let i = 0; i < weight.length; i++) if (weight[i] !== 0) sum += weight[i] * scores[i]
  return sum
}
