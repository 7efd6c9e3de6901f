/** What the prior does, part by part: words are too many to have it in an array of their own, or to be added first. */
import type { Leaf, LeafNode, SwitchNode } from "../contract.ts"
import type { Laid } from "./lay.ts"

type Part = LeafNode | SwitchNode
type Knowing = LeafNode & { readonly leaf: Required<Pick<Leaf, "solveWithPrior" | "valueOfPrior">> }

/** Does it do without its α in an array? */
function knowsItself(part: Part): part is Knowing {
  return (
    part.part === "leaf" && part.leaf.solveWithPrior !== undefined && part.leaf.valueOfPrior !== undefined
  )
}

/** α of every part that needs it, at strength 1, as far as the last of them reaches. */
export function priorOfOthers({ parts }: Laid): Float64Array {
  const prior = new Float64Array(reachOf(parts))
  for (const part of parts) if (!knowsItself(part)) part.prior(prior)
  return prior
}

/** θ(stats + strength·α). `prior`: α, of those that need it at least. */
export function solveWithPrior(
  laid: Laid,
  stats: Float64Array,
  prior: Float64Array,
  strength: number,
): { params: Float64Array; held: number } {
  const params = new Float64Array(laid.parameters)
  const both = new Float64Array(reachOf(laid.parts))
  let held = 0
  for (const part of laid.parts) {
    if (knowsItself(part)) {
      held += part.leaf.solveWithPrior(part.statsOf(stats), part.paramsOf(params), strength)
      continue
    }
    for (let j = part.statsAt; j < endOf(part); j++) both[j] = stats[j] + strength * prior[j]
    held += part.solve(both, params)
  }
  return { params, held }
}

/** Σ over parts of value(α, θ). */
export function valueOfPrior({ parts }: Laid, prior: Float64Array, params: Float64Array): number {
  let total = 0
  for (const part of parts) {
    total += knowsItself(part) ? part.leaf.valueOfPrior(part.paramsOf(params)) : part.value(prior, params)
  }
  return total
}

/** Where the last part ends that needs its α. */
function reachOf(parts: readonly Part[]): number {
  return parts.reduce((end, part) => (knowsItself(part) ? end : Math.max(end, endOf(part))), 0)
}

function endOf({ statsAt, statistics }: Part): number {
  return statsAt + statistics
}
