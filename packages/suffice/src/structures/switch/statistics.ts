/** Moments, masses and descriptions of a switch. */
import type { Level } from "../../contract/cells.ts"
import type { Part } from "../../contract/part.ts"
import type { Description } from "../../contract/report.ts"
import { probabilitiesOf } from "../../described.ts"
import { bodyOf, type Switch, shareOut, slotBelow } from "./switch.ts"

export function moments(
  variable: Switch,
  params: Float64Array,
  mass: Float64Array,
  stats: Float64Array,
): void {
  const { k, slots, part } = variable
  const below = new Float64Array(k * slots)
  part.leaf.moments(part.ranges.paramsOf(params), mass, below)
  const counts = part.ranges.statsOf(stats)
  for (let s = 0; s < k * slots; s++) counts[s] += below[s]
  shareOut(variable, below, (body, mass) => body.moments(params, mass, stats))
}

/** The counts are the masses of the contexts below: every row has a value. */
export function descend(
  variable: Switch,
  stats: Float64Array,
  mass: Float64Array | undefined,
  visit: (part: Part, mass: Float64Array | undefined) => void,
): void {
  visit(variable.part, mass)
  shareOut(variable, variable.part.ranges.statsOf(stats).slice(), (body, mass) =>
    body.descend(stats, mass, visit),
  )
}

export function contexts(
  { part, column, levels, hasBodyPerValue, bodies }: Switch,
  names: readonly string[],
): (readonly [Part, readonly string[]])[] {
  const under = (level: Level): string[] => names.map(name => `${name}/${column}=${String(level)}`)
  const below = bodies.flatMap((body, b) => [
    ...body.tree.contexts(hasBodyPerValue ? under(levels[b]) : levels.flatMap(under)),
  ])
  return [[part, names], ...below]
}

export function describe(variable: Switch, params: Float64Array, slot: number): Description {
  const { part, column, levels } = variable
  const given = levels.map((level, l) => [
    String(level),
    bodyOf(variable, l).describe(params, slotBelow(variable, l, slot)),
  ])
  return {
    [column]: { ...part.leaf.describe(part.ranges.paramsOf(params), slot), given: Object.fromEntries(given) },
  }
}

export function adopt(
  variable: Switch,
  description: Description,
  slot: number,
  mass: number,
  stats: Float64Array,
): void {
  const { part, column, levels, slots } = variable
  const entry = description?.[column] as Description
  const probabilities = probabilitiesOf("switch", column, entry, levels)
  const given = entry.given as Record<string, Description> | undefined
  levels.forEach((level, l) => {
    part.ranges.statsOf(stats)[l * slots + slot] += mass * probabilities[l]
    const below = given?.[String(level)] as Description
    bodyOf(variable, l).adopt(below, slotBelow(variable, l, slot), mass * probabilities[l], stats)
  })
}
