/**
 * Uncorrelated normal columns: a variance for each ("diag"), one for all ("spherical"), or 1 ("identity").
 *
 *     κ_j = κ₀ + n_j      m_j = ( κ₀m₀ + Σwx_j ) / κ_j      ν = ν₀ + Σn_j      S = S₀ + Σ_j( Σw(x_j − x̄_j)² + κ₀n_j/κ_j·(x̄_j − m₀)² )      over the columns of a variance
 *     p(x | rows) = a t for each column (diag), one t for all of them (spherical), or normal with variance 1 + 1/κ (identity)
 *
 * By default as in beliefs/gaussian.ts; for identity κ₀ = 0.1.
 */
import type { About, Belief } from "../contract/belief.ts"
import type { Leaf } from "../contract/leaf.ts"
import { normalBelow } from "../kernels/normal-cdf.ts"
import { diagonalNumbers, draw, interval, logNormaliser, posterior } from "./diagonal-posterior.ts"
import {
  contributions,
  expectPredictive,
  fillExpected,
  fillPredictive,
  samplePredictive,
  scorePredictive,
  valueExpected,
} from "./diagonal-predictive.ts"
import { beliefOf } from "./stand-in.ts"
import { studentCdf } from "./student.ts"

export function diagonalBelief(plain: Leaf, about: About): Belief {
  const belief = diagonalNumbers(plain, about)
  const { slots, numbers, each, reach, more, isFixed } = belief

  return beliefOf(
    plain,
    {
      numbers: slots * numbers,
      posterior: (stats, strength, spread, q) => posterior(belief, stats, strength, spread, q),
      logNormaliser: q => logNormaliser(belief, q),
      draw: (q, dice, params) => draw(belief, q, dice, params),
      interval: (q, slot, probability) => interval(belief, q, slot, probability),
    },
    {
      expected: {
        shape: { parameters: each.shape.parameters },
        fill: (q, params) => fillExpected(belief, q, params),
        score: each.score,
        value: (stats, params) => valueExpected(belief, stats, params),
      },
      predictive: {
        shape: { parameters: reach + slots * more },
        fill: (q, params) => fillPredictive(belief, q, params),
        score: (block, params, out) => scorePredictive(belief, block, params, out),
        sample: (params, slot, block, dice) => samplePredictive(belief, params, slot, block, dice),
        numbers: {
          expect: (block, params, slot, place, mean, variance, freedom) =>
            expectPredictive(belief, block, params, slot, place, mean, variance, freedom),
          cdf: isFixed ? normalBelow : studentCdf,
        },
        terms: {
          contributions: (block, params, slot, out) => contributions(belief, block, params, slot, out),
        },
      },
    },
  )
}
