/** A declared model laid out on a schema: every node's contexts, every part's place in θ and in the statistics. */

import type { BankedParts } from "../contract/bank.ts"
import type { Column } from "../contract/columns.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Model, Plan } from "../contract/model.ts"
import type { Node, SwitchNode } from "../contract/node.ts"
import type { Notice } from "../contract/notice.ts"
import type { Part } from "../contract/part.ts"
import { list, SufficeError, show } from "../errors.ts"
import { fusedDown, runsOf } from "./banks.ts"
import { fusedUp } from "./fuse.ts"
import { namesOf, solvePart } from "./parts.ts"

export interface Laid {
  readonly root: Node
  readonly columns: readonly Column[]
  readonly parts: readonly Part[]
  readonly switches: readonly SwitchNode[]
  /** The checks of its structures and families. */
  readonly notices: readonly Notice[]
  /** Neighbouring parts that can be used as one. */
  readonly banks: readonly BankedParts[]
  /** Lengths of the one statistics array and the one parameter array. */
  readonly statistics: number
  readonly parameters: number
  /** Length of the one array of spreads (Leaf.spread). */
  readonly spreads: number
  /** Free parameters: what AIC and BIC count. */
  readonly free: number
}

/** One GiB of statistics; EM holds a handful of such arrays. */
const MOST = 1 << 27

/** The model laid out; throws if it is too large. */
export function lay(model: Model, columns: readonly Column[]): Laid {
  const laid = layOut(model, columns)
  if (laid.switches.length === 0) for (const { leaf } of laid.parts) leaf.refusals?.alone?.()
  const numbers = Math.max(laid.statistics, laid.parameters)
  if (numbers > MOST) throw tooLarge(laid, numbers)
  return laid
}

/** The same without a limit. `onReserve` is told the number of statistics so far, before anything is allocated. */
export function layOut(
  model: Model,
  columns: readonly Column[],
  onReserve?: (statistics: number) => void,
): Laid {
  let statistics = 0
  let parameters = 0
  let allSpreads = 0
  const banks: BankedParts[] = []
  const notices = new Set<Notice>()
  const plan = planOf(columns, {
    fuse(nodes) {
      const runs = runsOf(nodes)
      const found = runs.flatMap(({ bank }) => bank ?? [])
      banks.push(...found)
      return { up: fusedUp(nodes), down: found.length > 0 ? fusedDown(runs) : undefined }
    },
    notice: notice => void notices.add(notice),
    reserve(stats, params, spreads = 0) {
      const at = { statsAt: statistics, paramsAt: parameters, spreadAt: allSpreads }
      statistics += stats
      parameters += params
      allSpreads += spreads
      onReserve?.(statistics)
      return at
    },
  })
  const root = model.lay(plan, 1)
  const parts = [...root.tree.parts()]
  let free = 0
  for (const part of parts) free += part.leaf.shape.free
  const switches = [...root.tree.switches()]
  const lengths = { statistics, parameters, spreads: allSpreads, free }
  return { root, columns, parts, switches, notices: [...notices], banks, ...lengths }
}

/** The plan for these columns and, by `within`, for those of their steps. */
export function planOf(
  columns: readonly Column[],
  how: Pick<Plan, "reserve" | "notice" | "standIn" | "believe" | "fuse">,
  steps: readonly string[] = [],
): Plan {
  const places = new Map(columns.map((column, place) => [column.name, { column, place }]))
  return {
    ...how,
    steps,
    column: name => places.get(name)!,
    within(name) {
      const column = places.get(name)?.column
      return planOf(column?.kind === "steps" ? column.columns : [], how, [...steps, name])
    },
  }
}

const FEWER = "Leave out a column that is an id, pool rare levels, or ask for fewer components"

/** Names the largest part, and what makes it large. */
function tooLarge({ parts, switches }: Laid, numbers: number): SufficeError {
  const numbersOf = (part: Part): number => Math.max(part.leaf.shape.statistics, part.leaf.shape.parameters)
  const largest = parts.reduce((most, part) => (numbersOf(part) > numbersOf(most) ? part : most))
  const names = namesOf(largest)
  const sizes = largest.columns.flatMap(column => {
    if (column.kind === "level") return [`${column.levels.length} levels`]
    return column.kind === "bag" ? [`${column.words.length} words`] : []
  })
  const what = sizes[0] ?? (names.length > 1 ? `${names.length} columns` : "its parameters")
  const others = switches.filter(({ part }) => part !== largest)
  const most = others.reduce((most, { levels }) => Math.max(most, levels.length), 0)
  const named = others.find(({ levels }) => levels.length === most)
  const widest = named ? `, as ${show(named.column)} has ${most} values` : ""
  const { topics } = largest.leaf
  const inside = topics ? ` in ${topics.count} topics` : ""
  const where =
    largest.leaf.shape.slots === 1 ? "" : ` in each of ${largest.leaf.shape.slots} contexts${widest}`
  const fewer = topics ? "Ask for fewer topics, or keep fewer words (minDocuments, maxWords)" : FEWER
  return new SufficeError(
    "size",
    `the model would hold ${numbers} numbers, more than the ${MOST} that fit in a GiB. ${numbersOf(largest)} of them are for ${list(names, 3)}: ${what}${inside}${where}. ${fewer}.`,
    { column: names[0], numbers },
  )
}

/** θ(stats + strength·α), by default with V(stats), and the number of slots clamped to the edge of the domain. */
export function solve(
  laid: Laid,
  stats: Float64Array,
  strength: number,
  spread?: Float64Array,
): { params: Float64Array; clamped: number } {
  const params = new Float64Array(laid.parameters)
  let clamped = 0
  for (const part of laid.parts) clamped += solvePart(part, stats, strength, params, spread)
  return { params, clamped }
}

/** Σ over parts of ⟨stats, θ⟩ − n A(θ). */
export function value(laid: Laid, stats: Float64Array, params: Float64Array): number {
  let total = 0
  for (const part of laid.parts)
    total += part.leaf.value(part.ranges.statsOf(stats), part.ranges.paramsOf(params))
  return total
}

/** Σ over parts of value(α, θ), α around the means of θ. */
export function logPrior({ parts }: Laid, params: Float64Array, spread: Float64Array): number {
  let total = 0
  for (const part of parts) total += logPriorOf(part, params, spread)
  return total
}

/** value(α, θ) of a part, α around the means of θ. */
function logPriorOf({ leaf, ranges }: Part, params: Float64Array, spread: Float64Array): number {
  const theta = ranges.paramsOf(params)
  if (leaf.logPrior) return leaf.logPrior(theta)
  const alpha = new Float64Array(leaf.shape.statistics)
  leaf.prior(alpha, 1, ranges.spreadOf(spread), leaf.spread ? meansOf(leaf, theta) : alpha)
  return leaf.value(alpha, theta)
}

/** Statistics with the means of θ. */
function meansOf(leaf: Leaf, params: Float64Array): Float64Array {
  const means = new Float64Array(leaf.shape.statistics)
  leaf.moments(params, new Float64Array(leaf.shape.slots).fill(1), means)
  return means
}

/** V(stats), stats in counts: the variation within slots, for the parts that have it. */
export function spreadOf(laid: Laid, stats: Float64Array): Float64Array {
  const spread = new Float64Array(laid.spreads)
  for (const part of laid.parts)
    part.leaf.spread?.estimate(part.ranges.statsOf(stats), part.ranges.spreadOf(spread))
  return spread
}

/** α of every part at strength 1, before any row is seen. */
export function priorOf(laid: Laid): Float64Array {
  return withPrior(laid, new Float64Array(laid.statistics), 1)
}

/** stats + strength·α, around the means of these statistics; by default with V(stats). */
export function withPrior(
  laid: Laid,
  stats: Float64Array,
  strength: number,
  spread?: Float64Array,
): Float64Array {
  if (strength === 0) return stats
  const both = stats.slice()
  for (const { leaf, ranges } of laid.parts)
    leaf.prior(
      ranges.statsOf(both),
      strength,
      spread && ranges.spreadOf(spread),
      stats.subarray(ranges.statsAt, ranges.statsAt + leaf.shape.statistics),
    )
  return both
}
