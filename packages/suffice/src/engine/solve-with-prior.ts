/** What the prior does, part by part: words are too many to have it in an array of their own, or to be added first. */
import type { Leaf, Part } from "../contract.ts"
import { type Laid, spreadOf } from "./lay.ts"

type Knowing = Part & { readonly leaf: Required<Pick<Leaf, "solveWithPrior" | "valueOfPrior">> }

/** Does it do without its α in an array? */
function knowsItself(part: Part): part is Knowing {
  return part.leaf.solveWithPrior !== undefined && part.leaf.valueOfPrior !== undefined
}

/** θ(stats + strength·α); without a spread by V(stats). */
export function solveWithPrior(
  laid: Laid,
  stats: Float64Array,
  strength: number,
  spread: Float64Array = spreadOf(laid, stats),
): { params: Float64Array; held: number } {
  const params = new Float64Array(laid.parameters)
  const both = strength > 0 ? stats.slice(0, reachOf(laid.parts)) : stats
  let held = 0
  for (const part of laid.parts) {
    if (knowsItself(part)) {
      held += part.leaf.solveWithPrior(part.statsOf(stats), part.paramsOf(params), strength)
      continue
    }
    if (strength > 0) part.prior(both, strength, spread, stats)
    held += part.solve(both, params, spread)
  }
  return { params, held }
}

/** Σ over parts of value(α, θ), α around the means of θ. */
export function valueOfPrior({ parts }: Laid, params: Float64Array, spread: Float64Array): number {
  const prior = new Float64Array(reachOf(parts))
  let total = 0
  for (const part of parts) {
    if (knowsItself(part)) {
      total += part.leaf.valueOfPrior(part.paramsOf(params))
      continue
    }
    part.prior(prior, 1, spread, part.leaf.spreads ? meansOf(part, params) : prior)
    total += part.value(prior, params)
  }
  return total
}

/** Statistics that have the means of θ. */
function meansOf(part: Part, params: Float64Array): Float64Array {
  const means = new Float64Array(endOf(part))
  part.moments(params, new Float64Array(part.slots).fill(1), means)
  return means
}

/** Where the last part ends that needs its α. */
function reachOf(parts: readonly Part[]): number {
  return parts.reduce((end, part) => (knowsItself(part) ? end : Math.max(end, endOf(part))), 0)
}

function endOf({ statsAt, statistics }: Part): number {
  return statsAt + statistics
}
