/**
 * The statistics of one block under a regime: sdEM's direction (Masegosa 2014), for any model and any target.
 *
 *     conditional likelihood   E[s | row] − E[s | row without the target]          loss = ln p(rest) − ln p(row)
 *     hinge                    E[s | y] − E[s | ȳ], ȳ the best wrong value           loss = max(0, m − ln p(row, y)/p(row, ȳ))
 *     EM                       E[s | row]                                           loss = −ln p(row)
 *
 * Leaves with missing cells are completed, so that every slot has the mass of its context: without it counts drift below 0.
 */
import type { Block, Held, Regime, Sink } from "../contract.ts"
import type { Laid } from "./lay.ts"
import { rootWeights, StatisticsSink } from "./sweep.ts"

interface Contrast {
  readonly weight: number
  readonly loss: number
}

export function contrast(
  laid: Laid,
  block: Block,
  params: Float64Array,
  regime: Regime,
  stats: Float64Array,
): Contrast {
  const part = new Float64Array(stats.length)
  const found = gather(laid, block, params, regime, part)
  complete(laid, part, params, regime.against === "nothing" ? found.weight : 0)
  for (let j = 0; j < part.length; j++) stats[j] += part[j]
  return found
}

/** Lift every leaf slot to the mass of its context by E[s | θ]: then the statistics are the moments of whole rows. */
function complete(laid: Laid, stats: Float64Array, params: Float64Array, total: number): void {
  laid.root.descend(stats, Float64Array.of(total), (part, mass) => {
    if (part.part === "switch" || part.leaf.lengthGiven) return
    const own = part.statsOf(stats)
    if (part.leaf.complete) {
      part.leaf.complete(part.paramsOf(params), mass, own)
      return
    }
    const gap = mass.map((weight, p) => weight - part.leaf.mass(own, p))
    part.leaf.moments(part.paramsOf(params), gap, own)
  })
}

function gather(
  laid: Laid,
  block: Block,
  params: Float64Array,
  regime: Regime,
  stats: Float64Array,
): Contrast {
  const seen = new StatisticsSink(params, stats)
  /** A leaf that reads other columns knows more of its own missing cell than θ alone. */
  const sink: Sink = {
    choice: seen.choice,
    leaf(node, rows, weights) {
      seen.leaf(node, rows, weights)
      node.leaf.absorbHoles?.(rows, node.paramsOf(params), weights, node.statsOf(stats))
    },
  }
  /** One pass up and one down, with these weights; returns the scores. */
  const pass = (rows: Block, weight: Float64Array): Float64Array => {
    const scores = new Float64Array(rows.rows)
    laid.root.up(rows, params, scores)
    laid.root.down(rows, params, rootWeights({ ...rows, weight }), sink)
    return scores
  }
  if (regime.against === "nothing") {
    const scores = pass(block, block.weight)
    return { weight: total(block.weight), loss: -dot(block.weight, scores) }
  }
  const place = laid.columns.findIndex(column => column.name === regime.target)
  const column = laid.columns[place]
  const cells = block.cells[place] as Float64Array | Int32Array
  // Rows whose target is missing say nothing about p(target | rest).
  const missing = (i: number): boolean => (column.kind === "level" ? cells[i] < 0 : cells[i] !== cells[i])
  const weight = block.weight.map((w, i) => (missing(i) ? 0 : w))
  const hole =
    column.kind === "level"
      ? new Int32Array(block.rows).fill(-1)
      : new Float64Array(block.rows).fill(Number.NaN)
  const hidden = replaced(block, place, hole)
  if (regime.against === "hidden") {
    const seen = pass(block, weight)
    const without = pass(
      hidden,
      weight.map(w => -w),
    )
    return { weight: total(weight), loss: dot(weight, without) - dot(weight, seen) }
  }
  const { rival, gap } = rivals(laid, hidden, params, regime.target, cells as Int32Array)
  const active = weight.map((w, i) => (gap[i] < regime.margin ? w : 0))
  pass(block, active)
  pass(
    replaced(block, place, rival),
    active.map(w => -w),
  )
  let loss = 0
  for (let i = 0; i < block.rows; i++) if (active[i] > 0) loss += active[i] * (regime.margin - gap[i])
  return { weight: total(weight), loss }
}

/** The best wrong level of each row, and by how much the right one beats it. */
function rivals(
  laid: Laid,
  hidden: Block,
  params: Float64Array,
  target: string,
  truth: Int32Array,
): { rival: Int32Array; gap: Float64Array } {
  const { rows } = hidden
  const column = laid.columns.find(({ name }) => name === target)
  const levels = column?.kind === "level" ? column.levels.length : 0
  const joint = new Float64Array(levels * rows)
  laid.root.open(hidden, params, target, joint)
  const rival = new Int32Array(rows).fill(-1)
  const gap = new Float64Array(rows).fill(Number.POSITIVE_INFINITY)
  for (let i = 0; i < rows; i++) {
    if (truth[i] < 0) continue
    for (let l = 0; l < levels; l++) {
      if (l !== truth[i] && (rival[i] < 0 || joint[l * rows + i] > joint[rival[i] * rows + i])) rival[i] = l
    }
    if (rival[i] >= 0) gap[i] = joint[truth[i] * rows + i] - joint[rival[i] * rows + i]
  }
  return { rival, gap }
}

function replaced(block: Block, place: number, held: Held): Block {
  const cells = block.cells.slice()
  cells[place] = held
  return { ...block, cells }
}

function total(weight: Float64Array): number {
  return weight.reduce((sum, w) => sum + w, 0)
}

/** Σ w·score, rows of weight 0 left out: their score may be −∞ */
function dot(weight: Float64Array, scores: Float64Array): number {
  let sum = 0
  for (let i = 0; i < weight.length; i++) if (weight[i] !== 0) sum += weight[i] * scores[i]
  return sum
}
