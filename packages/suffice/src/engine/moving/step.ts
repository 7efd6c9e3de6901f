/** A step of moments: η ← η + ρ · (the mean direction of the rows of a block). */
import type { Block } from "../../contract/block.ts"
import { contrast } from "../contrast.ts"
import { HALVINGS } from "../guard.ts"
import { blockOf } from "./groups.ts"
import { type Moments, massesOf, solveDense } from "./moments.ts"

/**
 * Largest step, as a fraction of the weight at which a row takes a correlated normal out of its domain (Leaf.breadth). On
 * training rows of letter-recognition with full normals (d = 16, 26 classes; 12,000 rows, 4,000 held out) hinge gets 94.1 % with 1/16, and no step is
 * guarded; with 1/8 every second step is, the loss explodes on the way, and it ends at 92.5 %. Without a limit (4,500 rows, 1,900 held out) NCLL ends at a
 * log-loss of 0.46, with it at 0.35.
 */
const CAUTION = 1 / 16

/**
 * Rows per slot up to which the prior pulls with full strength; beyond, with ENOUGH·slots/n of it. A row that is predicted well no longer
 * counteracts it, and it pulls at every step: over Σρ ≈ 25 it is worth 25 pseudo-rows. That improves the log-loss for slots of up to
 * some 560 rows, hardly for 1,100, and blurs narrow slots of 7,500: bench/studies/pull.md.
 */
const ENOUGH = 1000

/** Sums over the rows of a block. */
interface RowSums {
  readonly loss: number
  /** Weight of the rows with a target, of as many average rows, and of as many average rows as the block has. */
  readonly counted: number
  readonly contributing: number
  readonly expected: number
  /** Weight of all rows; the same relative to as many average rows. */
  readonly seen: number
  readonly heft: number
}

/** Pull of the prior. */
interface Pull {
  readonly stats: Float64Array | undefined
  readonly firmness: number
}

export function step(
  moments: Moments,
  block: Block,
  rho: number,
  perDocument: number | undefined,
): { readonly loss: number; readonly weight: number; readonly guarded: number } {
  const { laid, table, groups, entries, course } = moments
  moments.weight = table.weight
  for (const { part, moving } of entries) moving.refresh?.(blockOf(laid, part, block))
  const sums = addRows(moments, block)
  const pull: Pull = {
    stats: moments.pull?.(),
    firmness: course.prior * Math.min(1, (ENOUGH * groups.slots) / moments.weight),
  }
  const pullMasses = pull.stats && massesOf(moments, pull.stats, 0)
  moveDense(moments, block, rho, perDocument, sums, pull)
  for (const [start, end] of groups.ranges) {
    moments.delta.fill(0, start, end)
    moments.plain.fill(0, start, end)
  }
  let guarded = moments.guard?.(moments.weight) ?? 0
  solveDense(moments)
  guarded += moveEntries(moments, block, rho, perDocument, sums, pull.firmness, pullMasses)
  return { loss: sums.loss, weight: Math.max(sums.counted, sums.seen), guarded }
}

/** delta, plain ← statistics of the rows. */
function addRows(moments: Moments, block: Block): RowSums {
  const { laid, params, course, contrasted, all } = moments
  const { generative, regime } = course
  let loss = 0
  let counted = 0
  let contributing = 0
  let expected = 0
  if (generative < 1) {
    const result = contrast(laid, block, params, regime, moments.delta, moments.gathered)
    loss += (1 - generative) * result.loss
    counted = result.weight
    contributing = contrasted.meet(result)
    // mean over all rows of the block: without a target they contribute 0
    expected = result.rows > 0 ? contributing * (block.rows / result.rows) : 0
  }
  let seen = 0
  let heft = 0
  if (generative > 0) {
    const result = contrast(laid, block, params, { against: "nothing" }, moments.plain, moments.gatheredPlain)
    loss += generative * result.loss
    seen = result.weight
    heft = seen > 0 ? seen / all.meet(result) : 0
    // both means per row with a target, so that λ weighs them
    if (generative < 1) heft *= contrasted.tally().rows / all.tally().rows
  }
  return { loss, counted, contributing, expected, seen, heft }
}

function moveDense(
  { stretches, course, weight, before, eta, delta, plain }: Moments,
  { rows }: Block,
  rho: number,
  perDocument: number | undefined,
  { expected, seen, heft }: RowSums,
  { stats: pulled, firmness }: Pull,
): void {
  const { generative } = course
  for (const { from, to, isSummed, breadth } of stretches) {
    const whole =
      isSummed && perDocument !== undefined ? (perDocument * Math.max(expected, seen)) / weight : rho
    const step = Math.min(whole, (CAUTION * rows) / breadth)
    // at most up to the mean of the rows
    const towards = Math.min(whole * heft, 1)
    for (let j = from; j < to; j++) {
      before[j] = eta[j]
      let direction = 0
      if (expected > 0) direction += ((1 - generative) * delta[j]) / expected
      if (pulled) direction += ((1 - generative) * firmness * pulled[j]) / weight
      eta[j] += step * direction
      if (seen > 0) eta[j] += generative * towards * (plain[j] / seen - before[j])
    }
  }
}

/** Returns the number of slots moved back into the domain. */
function moveEntries(
  moments: Moments,
  block: Block,
  rho: number,
  perDocument: number | undefined,
  { contributing, expected, seen, heft }: RowSums,
  firmness: number,
  pullMasses: ReturnType<typeof massesOf> | undefined,
): number {
  const { laid, entries, gathered, weight, course } = moments
  const isOnline = course.generative === 1
  const masses = massesOf(moments, moments.eta, 1)
  const towards = isOnline ? Math.min(rho * heft, 1) : 0
  const each = isOnline ? (seen > 0 ? towards / seen : 0) : (perDocument ?? rho) / weight
  let guarded = 0
  for (const { part, moving, none } of entries) {
    guarded += moving.step(blockOf(laid, part, block), {
      each,
      due: each * contributing,
      towards,
      weight,
      mean: expected > 0 ? rho / expected : 0,
      pull: pullMasses ? (rho * firmness) / weight : 0,
      delivered: gathered.masses.of(part) ?? none,
      pulledMass: pullMasses?.get(part) ?? none,
      mass: masses.get(part),
      halvings: HALVINGS,
    })
  }
  return guarded
}
