/** Names and latent masses of parts. */
import type { Part } from "../contract/part.ts"

/** Names of the modelled columns. */
export function namesOf({ columns }: Pick<Part, "columns">): string[] {
  return columns.map(({ name }) => name)
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
