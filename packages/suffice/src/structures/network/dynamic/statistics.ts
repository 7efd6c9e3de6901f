/** Statistics of a network over steps: expected ones, and the ones of a description. */
import type { Description } from "../../../contract/report.ts"
import { partOf } from "../../kind.ts"
import { adoptNode, describeNode } from "../described.ts"
import { sharesOf } from "../inference/shares.ts"
import type { LaidNode } from "../layout.ts"
import type { Template } from "./laid.ts"
import type { Slices } from "./template.ts"

/** Expected statistics of one step after a uniform one; the length of a row is not modelled. */
export function moments(
  { apart, owned, layout }: Template,
  params: Float64Array,
  mass: Float64Array,
  stats: Float64Array,
): void {
  const P = layout.slots
  apart.forEach(({ nodes, inference }, which) => {
    inference.nothing()
    sharesOf(inference, nodes, P, params).forEach((share, v) => {
      const entry = owned.find(({ laid }) => laid === nodes[v])
      if (!entry || (which === 0 && entry.inLater)) return
      const { leaf, ranges } = entry.laid.part
      const below = share.map((chance, s) => chance * mass[s % P])
      leaf.moments(ranges.paramsOf(params), below, ranges.statsOf(stats))
    })
  })
}

export function describe(template: Template, params: Float64Array, slot: number): Description {
  const { slices, column, names, layout, isSplit } = template
  const of = (nodes: readonly LaidNode[], declared: Slices["first"], v: number): Description =>
    describeNode(nodes[v], nodes, declared[v].parents, params, layout.slots, slot)
  return {
    [column]: Object.fromEntries(
      names.map((name, v) => {
        const first = of(layout.first.nodes, slices.first, v)
        if (!isSplit[v]) return [name, first]
        return [name, { first, later: of(layout.later.nodes, slices.later, v) }]
      }),
    ),
  }
}

export function adopt(
  { column, names, layout, owned }: Template,
  description: Description,
  slot: number,
  mass: number,
  stats: Float64Array,
): void {
  const { slots: P, first, later } = layout
  const all = partOf(description, column, "")
  for (const { v, laid, inFirst, inLater } of owned) {
    // as many steps in every configuration
    const each = mass * laid.configurations
    const whole = partOf(all, names[v], column)
    const path = `${column}.${names[v]}`
    if (inFirst && inLater) adoptNode(laid, first.nodes, whole, path, P, slot, each, stats)
    else {
      const which = inFirst ? "first" : "later"
      const { nodes } = inFirst ? first : later
      adoptNode(laid, nodes, partOf(whole, which, path), `${path}.${which}`, P, slot, each, stats)
    }
  }
}
