/** The two leaves that a belief makes of a plain one: all that a family does not say is as in the plain leaf. */
import type { Belief } from "../contract/belief.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { FusibleLeaf } from "../kernels/fusion.ts"

/** The numbers of a posterior, and what follows from them. */
export type Posterior = Omit<Belief, "expected" | "predictive">

/** What differs from the plain leaf; `fill` gives its parameters, from the numbers of the posterior. */
export type Difference = Partial<Leaf> & { fill(q: Float64Array, params: Float64Array): void }

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

function standIn(plain: Leaf, belief: Belief, { fill, ...more }: Difference): Leaf {
  // what holds for the plain parameters alone: steps of words, banks; with another score its terms, too
  const { banking: _, sparse: __, ...kept } = plain as FusibleLeaf
  const { linear: ___, contributions: ____, fusion: _____, ...other } = kept
  const q = new Float64Array(belief.numbers)
  return {
    ...(more.score ? other : kept),
    ...more,
    belief,
    solve(stats, strength, params, spread) {
      // without a prior there is no posterior: first guesses are solved with the prior as it is
      belief.posterior(stats, strength > 0 ? strength : 1, spread ?? spreadOf(plain, stats), q)
      fill(q, params)
      return 0
    },
  }
}

/** V(stats); empty if the leaf has none. */
export function spreadOf(leaf: Leaf, stats: Float64Array): Float64Array {
  const spread = new Float64Array(leaf.spreads ?? 0)
  leaf.spread?.(stats, spread)
  return spread
}

/** A parameter and the interval that holds it. */
export function held(value: number, low: number, high: number) {
  return { value, interval: [low, high] }
}
