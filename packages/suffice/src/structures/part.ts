/** Makes a part: reserves its ranges of θ, of the statistics and of the spreads. */
import type { Column } from "../contract/columns.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Plan } from "../contract/model.ts"
import type { NetworkPart, Part, Role } from "../contract/part.ts"
import { view } from "../kernels/workspace.ts"

export interface PartOptions {
  readonly family: string
  readonly columns: readonly Column[]
  /** The columns it conditions on. */
  readonly given?: readonly Column[]
  /** Indices of both in a block. */
  readonly places: readonly number[]
  readonly role?: Role
  readonly network?: NetworkPart
}

export function layPart(plan: Plan, leaf: Leaf, options: PartOptions): Part {
  const { family, columns, given = [], places, role = "leaf", network } = options
  const { statistics, parameters } = leaf.shape
  const spreads = leaf.spread?.length ?? 0
  const { statsAt, paramsAt, spreadAt } = plan.reserve(statistics, parameters, spreads)
  return {
    leaf,
    family,
    columns,
    given,
    places,
    steps: plan.steps,
    ranges: {
      statsAt,
      paramsAt,
      spreadAt,
      statsOf: view(statsAt, statistics),
      paramsOf: view(paramsAt, parameters),
      spreadOf: view(spreadAt, spreads),
    },
    role,
    ...(network && { network }),
  }
}
