/**
 * The probability q of one failure more, of counts whose probabilities fall by it (Beta).
 *
 *     a = n₀m₀ + Σwx      b = n₀ + 1 + n      E[ln q] = ψ(a) − ψ(a + b)      E[ln(1 − q)] = ψ(b) − ψ(a + b)      B = ln B(a, b)
 *     m = q/(1 − q)      E[m] = a/(b − 1)
 *     p(x | rows) = B(a + x, b + 1) / B(a, b)      P(X > x | rows) = B(a + x + 1, b) / B(a, b)
 *
 * n₀ pseudo-rows with mean m₀: then E[m] = (n₀m₀ + Σwx) / (n₀ + n) (Diaconis & Ylvisaker 1979). By default one, at the pooled mean.
 */
import type { BeliefKind } from "../contract/belief.ts"
import { expm1 } from "../kernels/exp.ts"
import { logRising } from "../kernels/log-gamma.ts"
import { draw, geometricNumbers, interval, logNormaliser, posterior } from "./geometric-posterior.ts"
import {
  expectPredictive,
  fillExpected,
  fillPredictive,
  samplePredictive,
  scorePredictive,
} from "./geometric-predictive.ts"
import { linearInX } from "./linear-in-x.ts"
import { beliefOf } from "./stand-in.ts"

export const geometricBelief: BeliefKind = {
  family: "geometric",
  of(plain, about) {
    const belief = geometricNumbers(plain, about)
    const { slots, place } = belief

    return beliefOf(
      plain,
      {
        // of a slot: a, b
        numbers: slots * 2,
        posterior: (stats, strength, _spread, q) => posterior(belief, stats, strength, q),
        logNormaliser: q => logNormaliser(belief, q),
        draw: (q, dice, params) => draw(belief, q, dice, params),
        interval: (q, slot, probability) => interval(belief, q, slot, probability),
      },
      {
        // slot by slot E[ln q], as in the plain leaf; then slot by slot E[ln(1 − q)]
        expected: {
          shape: { parameters: 2 * slots },
          fill: (q, params) => fillExpected(belief, q, params),
          ...linearInX(slots, place),
        },
        // slot by slot ln(m/(m + 1)) at E[m], as in the plain leaf; then slot by slot a, b
        predictive: {
          shape: { parameters: 3 * slots },
          fill: (q, params) => fillPredictive(belief, q, params),
          score: (block, params, out) => scorePredictive(belief, block, params, out),
          sample: (params, slot, block, dice) => samplePredictive(belief, params, slot, block, dice),
          numbers: {
            expect: (_block, params, slot, _place, mean, variance, freedom) =>
              expectPredictive(belief, params, slot, mean, variance, freedom),
            cdf(x, mean, _variance, b = 2) {
              if (x < 0) return 0
              const a = mean * (b - 1)
              const above = Math.floor(x) + 1
              return -expm1(logRising(a, above) - logRising(a + b, above))
            },
          },
        },
      },
    )
  },
}
