/** θ(stats + strength·α), part by part: words are too many to be added first, in an array of their own. */
import type { Laid } from "./lay.ts"

export function solveWithPrior(
  laid: Laid,
  stats: Float64Array,
  prior: Float64Array,
  strength: number,
): { params: Float64Array; held: number } {
  const params = new Float64Array(laid.parameters)
  const others = laid.parts.filter(part => part.part === "switch" || !part.leaf.solveWithPrior)
  const both = new Float64Array(
    others.reduce((end, part) => Math.max(end, part.statsAt + part.statistics), 0),
  )
  let held = 0
  for (const part of laid.parts) {
    if (part.part === "leaf" && part.leaf.solveWithPrior) {
      held += part.leaf.solveWithPrior(part.statsOf(stats), part.paramsOf(params), strength)
      continue
    }
    const end = part.statsAt + part.statistics
    for (let j = part.statsAt; j < end; j++) both[j] = stats[j] + strength * prior[j]
    held += part.solve(both, params)
  }
  return { params, held }
}
