/** Functions of parts on arrays of the whole model. */
import type { Part } from "../contract/part.ts"

/** Names of the modelled columns. */
export function namesOf({ columns }: Pick<Part, "columns">): string[] {
  return columns.map(({ name }) => name)
}

/** params ← θ(stats + strength·α) of the part; by default with V(stats). Returns the number of clamped slots. */
export function solvePart(
  { leaf, ranges }: Part,
  stats: Float64Array,
  strength: number,
  params: Float64Array,
  spread?: Float64Array,
): number {
  const own = ranges.paramsOf(params)
  return leaf.solve(ranges.statsOf(stats), strength, own, spread && ranges.spreadOf(spread))
}

/** True if the part has latent values: inside its leaf, or hidden choices. */
export function isLatent({ leaf, role }: Part): boolean {
  return role === "hidden" || leaf.latent?.mass !== undefined
}

/** Mass of each latent value, at value·slots + p. */
export function latentMass({ leaf, role, ranges }: Part, stats: Float64Array): Float64Array {
  const own = ranges.statsOf(stats)
  return role === "hidden" ? own : leaf.latent!.mass!(own)
}
