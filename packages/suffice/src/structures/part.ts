/** A bound family in its place: the stretches of θ, of the statistics and of the spreads that are its own. */
import type { Column, Leaf, Part, Plan } from "../contract.ts"
import { NOTHING } from "../kernels/workspace.ts"

export interface PartOptions {
  readonly family: string
  readonly columns: readonly Column[]
  /** Those it is modelled given. */
  readonly given?: readonly Column[]
  /** Where both stand. */
  readonly places: readonly number[]
  readonly isChoice?: boolean
}

export function layPart(
  plan: Plan,
  leaf: Leaf,
  { family, columns, given = [], places, isChoice }: PartOptions,
): Part {
  const { slots, statistics, parameters, spreads = 0 } = leaf
  const { statsAt, paramsAt, spreadAt } = plan.reserve(statistics, parameters, spreads)
  const statsOf = view(statsAt, statistics)
  const paramsOf = view(paramsAt, parameters)
  const spreadOf = view(spreadAt, spreads)
  // beside the statistics that a prior is around
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
    slots,
    statistics,
    parameters,
    // a column without levels has nothing to choose
    free: Math.max(leaf.free, 0),
    statsAt,
    paramsAt,
    statsOf,
    paramsOf,
    spreadOf,
    prior: (stats, strength, spread, around) =>
      leaf.prior(ownStats(stats), strength, spread && spreadOf(spread), around && statsOf(around)),
    solve: (stats, params, spread) =>
      leaf.solve(statsOf(stats), paramsOf(params), spread && spreadOf(spread)),
    value: (stats, params) => leaf.value(statsOf(stats), paramsOf(params)),
    moments: (params, mass, stats) => leaf.moments(paramsOf(params), mass, statsOf(stats)),
    mass: (stats, slot) => leaf.mass(statsOf(stats), slot),
  }
}

/** The part [at, at + length) of an array over the whole model; remembers the last one, since blocks come by the thousand. */
export function view(at: number, length: number): (whole: Float64Array) => Float64Array {
  let last: Float64Array | undefined
  let part = NOTHING
  return whole => {
    if (whole !== last) {
      last = whole
      part = whole.subarray(at, at + length)
    }
    return part
  }
}
