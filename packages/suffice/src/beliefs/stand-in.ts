/** The two leaves that a belief makes of a plain one: all that a family does not say is as in the plain leaf. */
import type { Belief } from "../contract/belief.ts"
import type { Leaf, Numbers, Shape, Terms } from "../contract/leaf.ts"
import type { FusibleLeaf } from "../kernels/fusion.ts"

/** The numbers of a posterior, and what follows from them. */
export type Posterior = Omit<Belief, "expected" | "predictive">

/** Difference from the plain leaf; `fill` computes its parameters from the numbers of the posterior. */
export type Difference = Partial<Omit<Leaf, "shape" | "numbers" | "terms">> & {
  readonly shape?: Partial<Shape>
  readonly numbers?: Partial<Numbers>
  readonly terms?: Terms
  fill(q: Float64Array, params: Float64Array): void
}

/** The belief of these numbers. */
export function beliefOf(
  plain: Leaf,
  posterior: Posterior,
  differing: { readonly expected: Difference; readonly predictive: Difference },
): Belief {
  const belief: Belief = {
    ...posterior,
    get expected() {
      return standIn(plain, belief, differing.expected)
    },
    get predictive() {
      return standIn(plain, belief, differing.predictive)
    },
  }
  return belief
}

function standIn(plain: Leaf, belief: Belief, { fill, shape, numbers, terms, ...more }: Difference): Leaf {
  // sparse updates and banks use the plain parameters; terms and fusion the plain score
  const { banking: _, moving, terms: plainTerms, fusion, ...shared } = plain as FusibleLeaf
  const { sparse: __, ...steps } = moving ?? {}
  const q = new Float64Array(belief.numbers)
  return {
    ...shared,
    ...(!more.score && { fusion }),
    ...more,
    shape: { ...plain.shape, ...shape },
    ...(moving && { moving: steps }),
    ...(plain.numbers && { numbers: { ...plain.numbers, ...numbers } }),
    terms: more.score ? terms : { ...plainTerms, ...terms },
    belief,
    solve(stats, strength, params, spread) {
      // first guesses without a prior are solved with it: the posterior would be improper
      belief.posterior(stats, strength > 0 ? strength : 1, spread ?? spreadOf(plain, stats), q)
      fill(q, params)
      return 0
    },
  }
}

/** V(stats); empty if the leaf has none. */
export function spreadOf(leaf: Leaf, stats: Float64Array): Float64Array {
  const spread = new Float64Array(leaf.spread?.length ?? 0)
  leaf.spread?.estimate(stats, spread)
  return spread
}

/** A parameter and the interval that holds it. */
export function held(value: number, low: number, high: number) {
  return { value, interval: [low, high] }
}
