/**
 * A regression line: coefficients w and the variance around it unknown (normal–inverse-gamma; Bishop 2006, 3.3). z = (1, x).
 *
 *     Λ = Λ₀ + Σw zzᵀ      m = Λ⁻¹( Λ₀m₀ + Σw zy )      ν = ν₀ + n      S = S₀ + m₀ᵀΛ₀m₀ + Σwy² − mᵀΛm
 *     E[ln p(y | x)] = ½( ψ(ν/2) + ln 2 − ln S ) − ½ ln 2π − ½ (ν/S)(y − m·z)² − ½ zᵀΛ⁻¹z
 *     B = ln Γ(ν/2) + ½ν ln 2 − ½ν ln S − ½ ln|Λ| − ½n ln 2π
 *     p(y | x, rows) = Student's t, ν degrees, centre m·z, scale² (S/ν)(1 + zᵀΛ⁻¹z)
 *
 * By default m₀ = the pooled mean of y and no slope, S₀ = (d + 3)v, ν₀ = 2, Λ₀ = 0.1·t·diag(1, u): v the variance of the residuals within slots, u those of x, t = v / (that of y).
 * The Cholesky factor of Λ with a row for y has √S as its last pivot: nothing is subtracted.
 */
import type { BeliefKind } from "../contract/belief.ts"
import { draw, interval, lineNumbers, logNormaliser, posterior } from "./linear-posterior.ts"
import {
  expectPredictive,
  fillExpected,
  fillPredictive,
  samplePredictive,
  scoreExpected,
  scorePredictive,
  valueExpected,
} from "./linear-predictive.ts"
import { beliefOf } from "./stand-in.ts"
import { studentCdf } from "./student.ts"

export const linearBelief: BeliefKind = {
  family: "linear",
  of(plain, about) {
    const belief = lineNumbers(plain, about)
    const { slots, width, plainWidth, more } = belief

    return beliefOf(
      plain,
      {
        numbers: slots * width,
        posterior: (stats, strength, spread, q) => posterior(belief, stats, strength, spread, q),
        logNormaliser: q => logNormaliser(belief, q),
        draw: (q, dice, params) => draw(belief, q, dice, params),
        interval: (q, slot, probability) => interval(belief, q, slot, probability),
      },
      {
        expected: {
          shape: { parameters: slots * (plainWidth + more) },
          fill: (q, params) => fillExpected(belief, q, params),
          score: (block, params, out, upToConstant, reuse) =>
            scoreExpected(belief, block, params, out, upToConstant, reuse),
          value: (stats, params) => valueExpected(belief, stats, params),
        },
        predictive: {
          shape: { parameters: slots * (plainWidth + more) },
          fill: (q, params) => fillPredictive(belief, q, params),
          score: (block, params, out) => scorePredictive(belief, block, params, out),
          sample: (params, slot, block, dice) => samplePredictive(belief, params, slot, block, dice),
          numbers: {
            expect: (block, params, slot, _place, mean, variance, freedom) =>
              expectPredictive(belief, block, params, slot, mean, variance, freedom),
            cdf: studentCdf,
          },
        },
      },
    )
  },
}
