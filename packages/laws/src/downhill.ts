/**
 * The direction of a stochastic learner, seen from outside: one small step of the moments shows it. And its loss by brute force, from nothing but
 * ln p of rows with the target seen, hidden, or replaced by each of its levels.
 */
import type { Block } from "suffice"
import type { Course, Encoded, Part, Regime } from "suffice/contract"
import type { Trial } from "./law.ts"
import { targetsFor } from "./learners.ts"
import { hidesInside } from "./models.ts"
import { log, logSumExp } from "./numbers.ts"
import { type Probe, probe, scoresOf, solved } from "./probe.ts"
import { dressed, type ModelSubject } from "./subjects.ts"
import type { Dressed } from "./variants.ts"

export interface Hill {
  readonly found: Probe
  readonly block: Block
  /** Something hides inside a leaf: its score is a maximum, which steps must find to the last digit here. */
  readonly isExact: boolean
  /** η, total mass 1, inside the domain. */
  readonly eta: Float64Array
}

/** The data alone: no prior, and words move without inertia. */
export function plainCourse(regime: Regime): Course {
  return { regime, generative: regime.against === "nothing" ? 1 : 0, prior: 0, inertia: 0 }
}

/** The model laid out on the subject's rows, and moments after a few EM steps. */
export async function hillOf(
  subject: ModelSubject,
  trial: Trial,
  { data, options }: Pick<Dressed, "data" | "options"> = dressed(subject, trial),
): Promise<Hill> {
  const { scaling } = subject.learner
  const found = await probe(subject.model, data, { ...options, ...(scaling && { scaling }) })
  const { problem } = found
  let stats = await problem.start.guess(found.dice)
  for (let step = 0; step < 2; step++) stats = (await problem.data.sweep(solved(found, stats, 1))).stats
  // two pseudo-rows: well inside the domain, so that no small step leaves it
  const counts = stats.map((value, j) => value + 2 * problem.theta.prior[j])
  if (found.parts.some(part => hasEmptyValue(part, counts))) shareOut(found, counts)
  const eta = problem.moments.moving(counts, plainCourse({ against: "nothing" })).state().moments
  return { found, block: found.blocks[0], isExact: hidesInside(subject.model), eta }
}

/** Classes have no pseudo-rows: one may have no row in some component, and then no step can move it. */
function hasEmptyValue(part: Part, counts: Float64Array): boolean {
  if (part.role === "leaf") return false
  return counts
    .subarray(part.ranges.statsAt, part.ranges.statsAt + part.leaf.shape.statistics)
    .some(count => count <= 0)
}

/** Adds a tenth as many rows, distributed as in the model, but with all values equally frequent. */
function shareOut({ root, parts, problem }: Probe, counts: Float64Array): void {
  const { params } = problem.theta.solve(counts, 0)
  for (const part of parts) {
    if (part.role !== "leaf") {
      params.fill(
        -log(part.leaf.shape.parameters / part.leaf.shape.slots),
        part.ranges.paramsAt,
        part.ranges.paramsAt + part.leaf.shape.parameters,
      )
    }
  }
  root.moments(params, Float64Array.of(0.1 * problem.data.weight), counts)
}

export function targetsAt({ model, learner }: ModelSubject): string[] {
  if (learner.regime?.("").against === "nothing") return [""]
  return targetsFor(model, learner.regime?.("").against === "rival" ? "hinge" : "ncll")
}

export function thetaAt({ found }: Pick<Hill, "found">, eta: Float64Array): Float64Array {
  return found.problem.theta.solve(
    eta.map(value => value * found.problem.data.weight),
    0,
  ).params
}

/** A step small enough to show a direction, and large enough to keep twelve digits of it. */
const SMALL = 1e-4

/** δ, the sum of E[s | +] − E[s | −] over the rows, as the step shows it, and how many moves were shortened. */
export function directionAt(
  { found, block, isExact, eta }: Hill,
  regime: Regime,
): { delta: Float64Array; loss: number; weight: number; guarded: number } {
  const moving = found.problem.moments.moving(
    { moments: eta, averages: [] },
    { ...plainCourse(regime), isExact },
  )
  const { loss, weight, guarded } = moving.step(block, SMALL, undefined)
  const after = moving.state().moments
  const delta = new Float64Array(eta.length)
  const seen = regime.against === "nothing" ? block.rows : rowsWith(found, block, regime.target)
  for (const part of found.parts) {
    // a document moves its words by ρ documents, whatever the size of the block; otherwise a step is the mean over all rows, with or without a target
    const rows =
      isWordwise(part) && regime.against !== "nothing"
        ? found.problem.data.weight
        : weight * (seen > 0 ? block.rows / seen : 0)
    for (let j = part.ranges.statsAt; j < part.ranges.statsAt + part.leaf.shape.statistics; j++) {
      delta[j] = (rows * (after[j] - eta[j])) / SMALL
      if (regime.against === "nothing") delta[j] += rows * eta[j]
    }
  }
  return { delta, loss, weight, guarded }
}

/** Rows of the block in which the column is seen. */
function rowsWith({ columns }: Probe, block: Block, column: string): number {
  const place = columns.findIndex(({ name }) => name === column)
  let count = 0
  for (const cell of block.cells[place] as Int32Array | Float64Array) {
    if (columns[place].kind === "level" ? cell >= 0 : cell === cell) count++
  }
  return count
}

/**
 * A direction of a curve through η. Of topics only the counts of words change along it: the loss depends on α too, but α is a function of statistics that
 * `value` does not contain, so value(δ, θ) knows no slope in it (families/topics/topics.test.ts has that slope).
 */
export function curveAt({ found, eta }: Hill, { dice }: Trial): Float64Array {
  const towards = eta.map(value => 0.05 * value * dice.normal())
  for (const { leaf, columns, ranges } of found.parts) {
    const { slots, statistics } = leaf.shape
    if (!leaf.topics || columns[0].kind !== "bag") continue
    const { count, shared } = leaf.topics
    const words = columns[0].words.length * (slots * (count - shared) + shared)
    towards.fill(0, ranges.statsAt + words, ranges.statsAt + statistics)
  }
  return towards
}

function isWordwise(part: Part): boolean {
  return part.leaf.shape.lengthGiven === true && part.role === "leaf"
}

/** Every row's loss, and how far it is from a kink: from the margin, and from a tie between two rivals. */
export function losses(
  found: Probe,
  block: Block,
  params: Float64Array,
  regime: Regime,
): { loss: Float64Array; kink: Float64Array } {
  const { rows } = block
  const kink = new Float64Array(rows).fill(Number.POSITIVE_INFINITY)
  if (regime.against === "nothing") return { loss: scoresOf(found, params, block).map(score => -score), kink }
  const place = found.columns.findIndex(({ name }) => name === regime.target)
  const column = found.columns[place]
  const held = block.cells[place] as Int32Array | Float64Array
  const isHole = (i: number): boolean => (column.kind === "level" ? held[i] < 0 : held[i] !== held[i])
  const withTarget = (cells: Encoded): Float64Array => {
    const all = block.cells.slice()
    all[place] = cells
    return scoresOf(found, params, { ...block, cells: all })
  }
  const loss = new Float64Array(rows)
  if (column.kind !== "level") {
    const seen = scoresOf(found, params, block)
    withTarget(new Float64Array(rows).fill(Number.NaN)).forEach((hidden, i) => {
      if (!isHole(i)) loss[i] = hidden - seen[i]
    })
    return { loss, kink }
  }
  const joint = column.levels.map((_, l) => withTarget(new Int32Array(rows).fill(l)))
  for (let i = 0; i < rows; i++) {
    if (isHole(i)) continue
    const own = joint[held[i]][i]
    if (regime.against === "hidden") {
      loss[i] = logSumExp(joint.map(scores => scores[i])) - own
      continue
    }
    const wrong = joint
      .filter((_, l) => l !== held[i])
      .map(scores => scores[i])
      .sort((a, b) => b - a)
    if (wrong.length === 0) continue
    loss[i] = Math.max(0, regime.margin - (own - wrong[0]))
    kink[i] = Math.min(
      Math.abs(regime.margin - (own - wrong[0])),
      wrong.length > 1 ? wrong[0] - wrong[1] : Number.POSITIVE_INFINITY,
    )
  }
  return { loss, kink }
}

export function totalLoss(found: Probe, block: Block, params: Float64Array, regime: Regime): number {
  const { loss } = losses(found, block, params, regime)
  return loss.reduce((sum, value, i) => (block.weight[i] > 0 ? sum + block.weight[i] * value : sum), 0)
}

/** The block, with weight 0 for rows close to a kink, where the loss has no gradient. */
export function smooth(hill: Hill, regime: Regime): Hill {
  const { kink } = losses(hill.found, hill.block, thetaAt(hill, hill.eta), regime)
  const weight = hill.block.weight.map((w, i) => (kink[i] < 1e-3 ? 0 : w))
  return { ...hill, block: { ...hill.block, weight } }
}
