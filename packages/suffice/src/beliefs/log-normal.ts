/**
 * A positive number whose logarithm is normal, mean and variance unknown: as a normal column (beliefs/gaussian.ts) of logarithms.
 *
 *     κ = κ₀ + n      m = ( κ₀m₀ + Σw ln x ) / κ      ν = ν₀ + n      S = S₀ + Σw(ln x − mean)² + κ₀n/κ·(mean − m₀)²
 *     p(x | rows) = Student's t of ln x, ν degrees, centre m, scale² S(κ + 1)/(κν), divided by x
 *
 * By default S₀ = 3T, ν₀ = 2, κ₀ = 0.1 around the pooled mean: T the variance of the logarithms of all rows, as for an estimate.
 * The predictive has no mean, as the tails of a t of logarithms are too long for one: what is said is the mean of a log-normal with that centre and scale.
 */
import type { BeliefKind } from "../contract/belief.ts"
import { draw, interval, logNormaliser, logNormalNumbers, posterior, WIDTH } from "./log-normal-posterior.ts"
import {
  cdfPredictive,
  expectPredictive,
  fillExpected,
  fillPredictive,
  samplePredictive,
  scoreExpected,
  scorePredictive,
  valueExpected,
} from "./log-normal-predictive.ts"
import { beliefOf } from "./stand-in.ts"
import { STUDENT } from "./student.ts"

export const logNormalBelief: BeliefKind = {
  family: "logNormal",
  of(plain, about) {
    const belief = logNormalNumbers(plain, about)
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
        // the plain parameters; then slot by slot m, ν/S and the expected log-density at m
        expected: {
          shape: { parameters: slots * 5 },
          fill: (q, params) => fillExpected(belief, q, params),
          score: (block, params, out) => scoreExpected(belief, block, params, out),
          value: (stats, params) => valueExpected(belief, stats, params),
        },
        // the plain parameters; then those of Student's t
        predictive: {
          shape: { parameters: slots * (2 + STUDENT) },
          fill: (q, params) => fillPredictive(belief, q, params),
          score: (block, params, out) => scorePredictive(belief, block, params, out),
          sample: (params, slot, block, dice) => samplePredictive(belief, params, slot, block, dice),
          numbers: {
            expect: (_block, params, slot, _place, mean, variance, freedom) =>
              expectPredictive(belief, params, slot, mean, variance, freedom),
            cdf: (x, mean, variance, nu) => cdfPredictive(belief, x, mean, variance, nu),
          },
        },
      },
    )
  },
}
