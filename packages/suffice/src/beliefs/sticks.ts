/**
 * The weights of a mixture as broken sticks: a Dirichlet process, cut off after k components (Ishwaran & James 2001; Blei & Jordan 2006).
 *
 *     π_k = V_k Π_{j<k} (1 − V_j)      V_k ~ Beta(1, c)      γ₁ = 1 + n_k      γ₂ = c + Σ_{j>k} n_j
 *     E[ln π_k] = ψ(γ₁k) − ψ(γ₁k + γ₂k) + Σ_{j<k} ( ψ(γ₂j) − ψ(γ₁j + γ₂j) )      B = Σ ln Γ(γ₁) + ln Γ(γ₂) − ln Γ(γ₁ + γ₂)
 *
 * Sticks are broken in the order of the masses, largest first: of all orders it has the highest B (Kurihara, Welling & Teh 2007). The last takes what is left.
 */
import type { About, Belief } from "../contract/belief.ts"
import type { Leaf } from "../contract/leaf.ts"
import { log } from "../kernels/log.ts"
import { digamma } from "../kernels/log-gamma.ts"
import { normalisedMoments } from "./level-probabilities.ts"
import { beliefOf } from "./stand-in.ts"
import { draw, fillSums, interval, logNormaliser, posterior, sticksOf } from "./sticks-posterior.ts"

// q, level by level as the statistics: γ₁ and γ₂ of the stick of that level; then the levels in the order of breaking, slot by slot
export function sticksBelief(plain: Leaf, about: About): Belief {
  const sticks = sticksOf(plain, about)
  const { size, slots, levels } = sticks

  return beliefOf(
    plain,
    {
      numbers: 2 * size + slots * levels,
      isSymmetric: false,
      posterior: (stats, strength, _spread, q) => posterior(sticks, stats, strength, q),
      logNormaliser: q => logNormaliser(sticks, q),
      draw: (q, dice, params) => draw(sticks, q, dice, params),
      interval: (q, slot, probability) => interval(sticks, q, slot, probability),
    },
    {
      expected: {
        fill: (q, params) => fillSums(sticks, q, params, (a, both) => digamma(a) - digamma(both)),
        moments: (params, mass, stats) => normalisedMoments(params, slots, levels, mass, stats),
      },
      predictive: { fill: (q, params) => fillSums(sticks, q, params, (a, both) => log(a) - log(both)) },
    },
  )
}
