/** Makes a part: reserves its ranges of θ, of the statistics and of the spreads, and applies the leaf to them. */
import type { Column } from "../contract/columns.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Plan } from "../contract/model.ts"
import type { Part } from "../contract/part.ts"
import { view } from "../kernels/workspace.ts"

export interface PartOptions {
  readonly family: string
  readonly columns: readonly Column[]
  /** The columns it is modelled given. */
  readonly given?: readonly Column[]
  /** The places of both in a block. */
  readonly places: readonly number[]
  readonly isChoice?: boolean
  /** Its values are never seen; its statistics are their masses. */
  readonly isHidden?: boolean
  readonly renamable?: number | undefined
  readonly parents?: readonly string[] | undefined
  readonly follows?: number | undefined
}

export function layPart(plan: Plan, leaf: Leaf, options: PartOptions): Part {
  const { family, columns, given = [], places, isChoice, isHidden, renamable, parents, follows } = options
  const { slots, statistics, parameters, spreads = 0 } = leaf
  const { statsAt, paramsAt, spreadAt } = plan.reserve(statistics, parameters, spreads)
  const statsOf = view(statsAt, statistics)
  const paramsOf = view(paramsAt, parameters)
  const spreadOf = view(spreadAt, spreads)
  // a second view: `prior` has two arrays of statistics, and a view remembers one
  const ownStats = view(statsAt, statistics)
  return {
    leaf,
    family,
    columns,
    names: columns.map(({ name }) => name),
    reads: given.map(({ name }) => name),
    given,
    places,
    steps: plan.steps,
    isChoice: isChoice ?? false,
    ...(isHidden && { hidden: statsOf }),
    ...(renamable !== undefined && { renamable }),
    ...(parents && { parents }),
    ...(follows !== undefined && { follows }),
    ...(leaf.hidden && { hidden: (stats: Float64Array) => leaf.hidden!(statsOf(stats)) }),
    slots,
    statistics,
    parameters,
    // a column without levels would have −1
    free: Math.max(leaf.free, 0),
    statsAt,
    paramsAt,
    spreadAt,
    statsOf,
    paramsOf,
    spreadOf,
    prior: (stats, strength, spread, around) =>
      leaf.prior(ownStats(stats), strength, spread && spreadOf(spread), around && statsOf(around)),
    solve: (stats, strength, params, spread) =>
      leaf.solve(statsOf(stats), strength, paramsOf(params), spread && spreadOf(spread)),
    value: (stats, params) => leaf.value(statsOf(stats), paramsOf(params)),
    logPrior(params, spread) {
      const theta = paramsOf(params)
      if (leaf.logPrior) return leaf.logPrior(theta)
      const alpha = new Float64Array(statistics)
      leaf.prior(alpha, 1, spreadOf(spread), spreads > 0 ? meansOf(leaf, theta) : alpha)
      return leaf.value(alpha, theta)
    },
    moments: (params, mass, stats) => leaf.moments(paramsOf(params), mass, statsOf(stats)),
    mass: (stats, slot) => leaf.mass(statsOf(stats), slot),
  }
}

/** Statistics with the means of θ. */
function meansOf(leaf: Leaf, params: Float64Array): Float64Array {
  const means = new Float64Array(leaf.statistics)
  leaf.moments(params, new Float64Array(leaf.slots).fill(1), means)
  return means
}
