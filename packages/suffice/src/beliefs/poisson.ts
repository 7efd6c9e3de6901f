/**
 * A rate of counts (Gamma).
 *
 *     a = a₀ + Σwx      b = b₀ + n      E[ln λ] = ψ(a) − ln b      E[λ] = a/b      B = ln Γ(a) − a ln b − Σw ln x!
 *     p(x | rows) = negative binomial: ln Γ(a + x) − ln Γ(a) − ln x! + a ln(b/(b + 1)) − x ln(b + 1)
 *
 * By default one pseudo-row at the pooled mean: a₀ = the mean, b₀ = 1.
 */
import type { BeliefKind } from "../contract/belief.ts"
import { incompleteBeta } from "../kernels/incomplete-beta.ts"
import { draw, interval, logNormaliser, poissonNumbers, posterior, WIDTH } from "./poisson-posterior.ts"
import {
  expectPredictive,
  fillExpected,
  fillPredictive,
  samplePredictive,
  scoreExpected,
  scorePredictive,
  valueExpected,
} from "./poisson-predictive.ts"
import { beliefOf } from "./stand-in.ts"

export const poissonBelief: BeliefKind = {
  family: "poisson",
  of(plain, about) {
    const belief = poissonNumbers(plain, about)
    const { slots } = belief

    return beliefOf(
      plain,
      {
        numbers: slots * WIDTH,
        posterior: (stats, strength, _spread, q) => posterior(belief, stats, strength, q),
        logNormaliser: q => logNormaliser(belief, q),
        draw: (q, dice, params) => draw(belief, q, dice, params),
        interval: (q, slot, probability) => interval(belief, q, slot, probability),
      },
      {
        // slot by slot E[ln λ], then slot by slot E[λ]
        expected: {
          shape: { parameters: 2 * slots },
          fill: (q, params) => fillExpected(belief, q, params),
          score: (block, params, out) => scoreExpected(belief, block, params, out),
          value: (stats, params) => valueExpected(belief, stats, params),
        },
        // slot by slot ln(a/b), as in the plain leaf; then slot by slot a, b
        predictive: {
          shape: { parameters: 3 * slots },
          fill: (q, params) => fillPredictive(belief, q, params),
          score: (block, params, out) => scorePredictive(belief, block, params, out),
          sample: (params, slot, block, dice) => samplePredictive(belief, params, slot, block, dice),
          numbers: {
            expect: (_block, params, slot, _place, mean, variance) =>
              expectPredictive(belief, params, slot, mean, variance),
            // of the negative binomial with this mean and variance: a = m²/(v − m), b/(b + 1) = m/v
            cdf: (x, mean, variance) =>
              x < 0
                ? 0
                : incompleteBeta((mean / (variance - mean)) * mean, Math.floor(x) + 1, mean / variance),
          },
        },
      },
    )
  },
}
