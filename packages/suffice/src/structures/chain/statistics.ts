/** Statistics of a chain: expected ones, and the ones of a description. */
import type { Description } from "../../contract/report.ts"
import { adoptChain, describeChain } from "./describe.ts"
import type { ChainLayout } from "./work.ts"

/** Expected statistics of one visit to each state; the length of a row is not modelled. */
export function moments(
  { states, slots, initial, transitions, visits, body }: ChainLayout,
  params: Float64Array,
  mass: Float64Array,
  stats: Float64Array,
): void {
  const width = states.length * slots
  const each = new Float64Array(width)
  for (let l = 0; l < states.length; l++) each.set(mass, l * slots)
  initial.leaf.moments(initial.ranges.paramsOf(params), mass, initial.ranges.statsOf(stats))
  transitions.leaf.moments(transitions.ranges.paramsOf(params), each, transitions.ranges.statsOf(stats))
  const counts = visits.ranges.statsOf(stats)
  for (let s = 0; s < width; s++) counts[s] += each[s]
  body.moments(params, each, stats)
}

export function describe(layout: ChainLayout, params: Float64Array, slot: number): Description {
  const { name, states, slots, body } = layout
  return {
    [name]: {
      ...describeChain(layout, params, slot),
      given: Object.fromEntries(
        states.map((state, l) => [String(state), body.describe(params, l * slots + slot)]),
      ),
    },
  }
}

export function adopt(
  layout: ChainLayout,
  description: Description,
  slot: number,
  mass: number,
  stats: Float64Array,
): void {
  const { name, states, slots, body } = layout
  const described = description?.[name] as Description
  adoptChain(layout, described, slot, mass, stats)
  const given = described?.given as Readonly<Record<string, Description>> | undefined
  states.forEach((state, l) => {
    body.adopt(given?.[String(state)] as Description, l * slots + slot, mass, stats)
  })
}
