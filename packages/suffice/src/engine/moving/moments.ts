/** State of moving moments: η, θ(η), averages and scratch buffers. */
import type { Chunk } from "../../contract/block.ts"
import type { Course } from "../../contract/moving.ts"
import type { Part } from "../../contract/part.ts"
import type { SparseMoving } from "../../contract/sparse.ts"
import { Averages } from "../averages.ts"
import { stretchOf, unitsOf } from "../banks.ts"
import { gathering } from "../contrast.ts"
import { guarding } from "../guard.ts"
import { type Laid, spreadOf } from "../lay.ts"
import { meeting } from "../meeting.ts"
import { solvePart } from "../parts.ts"
import { pulling, walk } from "../pull.ts"
import { groupParts, inertiaOf, memoryFor, type PartGroups } from "./groups.ts"
import { countsIn, firstMoments, type Origin } from "./start.ts"

export interface MovingTable {
  readonly prior: Float64Array
  /** n; it grows with a stream. */
  readonly weight: number
  readonly inMemory?: readonly Chunk[] | undefined
}

/** A part that moves entry by entry. */
interface Entry {
  readonly part: Part
  readonly moving: SparseMoving
  readonly none: Float64Array
}

/** Dense parts or banks with their ranges, laid out once: each mini-batch solves all of them. */
interface Solver {
  readonly counts: Float64Array
  readonly units: readonly {
    readonly unit: ReturnType<typeof unitsOf>[number]
    readonly counts: Float64Array
    readonly params: Float64Array
    readonly spread: Float64Array | undefined
  }[]
}

export interface Moments {
  readonly laid: Laid
  readonly course: Course
  readonly table: MovingTable
  readonly groups: PartGroups
  /** n of the last step; n at the first one. */
  weight: number
  readonly begun: number
  /** Strength of the prior in θ(n·η + added·α). */
  readonly added: number
  /** Fixed spread of discriminative steps. Undefined: recomputed in each step. */
  readonly spread: Float64Array | undefined
  readonly eta: Float64Array
  readonly params: Float64Array
  readonly solver: Solver
  readonly entries: readonly Entry[]
  readonly averages: Averages
  readonly all: ReturnType<typeof meeting>
  readonly contrasted: ReturnType<typeof meeting>
  /** Of one step: η before it; Σ (E[s | +] − E[s | −]); Σ E[s]. */
  readonly before: Float64Array
  readonly delta: Float64Array
  readonly plain: Float64Array
  readonly gathered: ReturnType<typeof gathering>
  readonly gatheredPlain: ReturnType<typeof gathering> | undefined
  readonly pull: ReturnType<typeof pulling> | undefined
  readonly guard: ReturnType<typeof guarding> | undefined
  readonly stretches: readonly ReturnType<typeof stretchOf>[]
}

export function momentsFrom(laid: Laid, table: MovingTable, from: Origin, course: Course): Moments {
  const { generative, prior: strength } = course
  const { weight } = table
  const { statistics: size } = laid
  const groups = groupParts(laid, course)
  const begun = ("moments" in from ? from.begun : undefined) ?? weight
  const spread = course.spread ?? (generative < 1 ? spreadOf(laid, countsIn(from, weight)) : undefined)
  const memory = memoryFor(laid, groups.sparse, table.inMemory, course.isExact ?? false)
  const eta = memory.numbers(size)
  if ("moments" in from) eta.set(from.moments)
  else firstMoments(laid, groups, course, from, weight, spread, eta)
  const params = memory.numbers(laid.parameters)
  const added = generative === 1 ? strength : 0
  const solver = solverOf(laid, groups.dense, params, spread)
  // sparse parts compute their θ themselves
  if (from instanceof Float64Array) for (const part of groups.dense) solvePart(part, from, 0, params, spread)
  else solveDense({ laid, groups, eta, weight, added, spread, solver })
  const entries = entriesOf(groups.sparse, course, table, eta, params, begun, from instanceof Float64Array)
  const averaged = entries.flatMap(({ part: { leaf, ranges }, moving: { average } }) =>
    average ? [{ from: ranges.statsAt, to: ranges.statsAt + leaf.shape.statistics, begin: average }] : [],
  )
  const met = from instanceof Float64Array ? undefined : from.met
  const before = new Float64Array(size)
  const delta = new Float64Array(size)
  const plain = new Float64Array(generative > 0 ? size : 0)
  // sparse parts receive weights, dense parts statistics
  const apart = new Map(entries.map(({ part, moving }) => [part, moving]))
  const { prior } = table
  return {
    laid,
    course,
    table,
    groups,
    weight,
    begun,
    added,
    spread,
    eta,
    params,
    solver,
    entries,
    averages: new Averages(groups.ranges, "moments" in from ? from.averages : [], averaged),
    all: meeting(met?.all),
    contrasted: meeting(met?.contrasted),
    before,
    delta,
    plain,
    gathered: gathering(laid, params, delta, apart),
    gatheredPlain: generative > 0 ? gathering(laid, params, plain, apart) : undefined,
    pull:
      generative < 1 && strength > 0 ? pulling(laid, groups.dense, prior, spread!, params, eta) : undefined,
    guard: generative < 1 ? guarding(laid, groups.dense, before, eta, prior, spread!) : undefined,
    stretches: solver.units.map(({ unit }) => stretchOf(unit, eta)),
  }
}

function solverOf(
  laid: Laid,
  dense: readonly Part[],
  params: Float64Array,
  spread: Float64Array | undefined,
): Solver {
  const counts = new Float64Array(laid.statistics)
  const units = unitsOf(laid.banks, dense).map(unit => ({
    unit,
    counts: unit.ranges.statsOf(counts),
    params: unit.ranges.paramsOf(params),
    spread: spread && unit.ranges.spreadOf(spread),
  }))
  return { counts, units }
}

function entriesOf(
  sparse: readonly Part[],
  course: Course,
  { prior, weight }: MovingTable,
  eta: Float64Array,
  params: Float64Array,
  begun: number,
  holdsPrior: boolean,
): Entry[] {
  const { generative, prior: strength } = course
  return sparse.map(part => {
    const moving = part.leaf.moving!.sparse!.move({
      moments: part.ranges.statsOf(eta),
      params: part.ranges.paramsOf(params),
      prior: part.ranges.statsOf(prior),
      strength,
      added: generative === 1 ? strength : 0,
      weight,
      begun,
      holdsPrior,
      inertia: inertiaOf(course, part, part.leaf.shape.slots),
      shrinks: generative === 1,
      averaged: course.averagesWords ?? false,
    })
    return { part, moving, none: new Float64Array(part.leaf.shape.slots) }
  })
}

/** θ(n·η + added·α) of the dense parts. */
export function solveDense({
  laid,
  groups,
  eta,
  weight,
  added,
  spread,
  solver,
}: Pick<Moments, "laid" | "groups" | "eta" | "weight" | "added" | "spread" | "solver">): void {
  const { counts } = solver
  for (const [start, end] of groups.ranges) {
    for (let j = start; j < end; j++) counts[j] = eta[j] * weight
  }
  const wide = spread ? undefined : spreadOf(laid, counts)
  for (const { unit, counts, params, spread } of solver.units)
    unit.leaf.solve(counts, added, params, spread ?? unit.ranges.spreadOf(wide!))
}

/** η, with the pending updates of sparse parts. */
export function momentsNow({ eta, entries }: Moments): Float64Array {
  const now = eta.slice()
  for (const { part, moving } of entries)
    moving.write?.(now.subarray(part.ranges.statsAt, part.ranges.statsAt + part.leaf.shape.statistics))
  return now
}

/** Context masses of sparse parts by these statistics, with mass `total` at the root. */
export function massesOf(
  { laid, groups: { weighed } }: Moments,
  stats: Float64Array,
  total: number,
): Map<Part, Float64Array> {
  const masses = new Map<Part, Float64Array>()
  if (weighed.size > 0)
    walk(laid, weighed, stats, total, (part, mass) => void (mass && masses.set(part, mass.slice())))
  return masses
}
