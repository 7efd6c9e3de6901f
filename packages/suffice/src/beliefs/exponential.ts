/**
 * A rate of waiting (Gamma).
 *
 *     a = n₀ + 1 + n      b = n₀m₀ + Σwx      E[ln λ] = ψ(a) − ln b      E[λ] = a/b      E[m] = E[1/λ] = b/(a − 1)      B = ln Γ(a) − a ln b
 *     p(x | rows) = a bᵃ / (b + x)ᵃ⁺¹ (Lomax)
 *
 * n₀ pseudo-rows with mean m₀: then E[m] = (n₀m₀ + Σwx) / (n₀ + n) (Diaconis & Ylvisaker 1979). By default one, at the pooled mean.
 */
import type { BeliefKind } from "../contract/belief.ts"
import { expm1 } from "../kernels/exp.ts"
import { log1p } from "../kernels/log.ts"
import {
  draw,
  exponentialNumbers,
  interval,
  logNormaliser,
  posterior,
  WIDTH,
} from "./exponential-posterior.ts"
import {
  expectPredictive,
  fillExpected,
  fillPredictive,
  samplePredictive,
  scorePredictive,
} from "./exponential-predictive.ts"
import { linearInX } from "./linear-in-x.ts"
import { beliefOf } from "./stand-in.ts"

export const exponentialBelief: BeliefKind = {
  family: "exponential",
  of(plain, about) {
    const belief = exponentialNumbers(plain, about)
    const { slots, place } = belief

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
        // slot by slot −E[λ], as in the plain leaf; then slot by slot E[ln λ]
        expected: {
          shape: { parameters: 2 * slots },
          fill: (q, params) => fillExpected(belief, q, params),
          ...linearInX(slots, place),
        },
        // slot by slot −1/E[m], as in the plain leaf; then slot by slot a, b
        predictive: {
          shape: { parameters: 3 * slots },
          fill: (q, params) => fillPredictive(belief, q, params),
          score: (block, params, out) => scorePredictive(belief, block, params, out),
          sample: (params, slot, block, dice) => samplePredictive(belief, params, slot, block, dice),
          numbers: {
            expect: (_block, params, slot, _place, mean, variance, freedom) =>
              expectPredictive(belief, params, slot, mean, variance, freedom),
            // 1 − (1 + x/b)^−a, b = m(a − 1)
            cdf: (x, mean, _variance, a = 2) => (x > 0 ? -expm1(-a * log1p(x / (mean * (a - 1)))) : 0),
          },
        },
      },
    )
  },
}
