/** Statistics plus the prior, in a scratch copy: for leaves whose α is more than one number. */
import type { Leaf } from "../contract/leaf.ts"
import { grow } from "../kernels/workspace.ts"

/** stats + strength·α, around the means of these statistics. The next call overwrites the result. */
export function addingPrior(
  prior: Leaf["prior"],
): (stats: Float64Array, strength: number, spread?: Float64Array) => Float64Array {
  const scratch = grow()
  return (stats, strength, spread) => {
    if (strength === 0) return stats
    const both = scratch(stats.length)
    both.set(stats)
    prior(both, strength, spread, stats)
    return both
  }
}
