/**
 * A normal column: mean and variance unknown (normal–inverse-gamma; Murphy 2007, "Conjugate Bayesian analysis of the Gaussian distribution").
 *
 *     κ = κ₀ + n      m = ( κ₀m₀ + Σwx ) / κ      ν = ν₀ + n      S = S₀ + Σw(x − x̄)² + κ₀n/κ·(x̄ − m₀)²      (tied: one ν and S over all slots)
 *     E[1/σ²] = ν/S      E[ln p(x)] = ½( ψ(ν/2) + ln 2 − ln S ) − ½ ln 2π − ½/κ − ½ (ν/S)(x − m)²
 *     B = ln Γ(ν/2) + ½ν ln 2 − ½ν ln S − ½ ln κ − ½n ln 2π
 *     p(x | rows) = Student's t, ν degrees, centre m, scale² S(κ + 1)/(κν)
 *
 * By default S₀ = 3v, ν₀ = 2, κ₀ = 0.1·v/T: v the variance within slots (families/within.ts), T in total. Measured beside others in bench/studies/bayes.md.
 */
import type { BeliefKind } from "../contract/belief.ts"
import { draw, gaussianNumbers, interval, logNormaliser, posterior, WIDTH } from "./gaussian-posterior.ts"
import { fillExpected, fillPredictive } from "./gaussian-predictive.ts"
import { beliefOf } from "./stand-in.ts"
import { STUDENT, studentColumn } from "./student.ts"

export const gaussianBelief: BeliefKind = {
  family: "gaussian",
  of(plain, about) {
    const belief = gaussianNumbers(plain, about)
    const { slots, place } = belief

    return beliefOf(
      plain,
      {
        numbers: slots * WIDTH,
        posterior: (stats, strength, spread, q) => posterior(belief, stats, strength, spread, q),
        logNormaliser: q => logNormaliser(belief, q),
        draw: (q, dice, params) => draw(belief, q, dice, params),
        interval: (q, slot, probability) => interval(belief, q, slot, probability),
      },
      {
        // in the layout of the plain leaf: m, ν/S, and the expected log-density at m
        expected: {
          fill: (q, params) => fillExpected(belief, q, params),
        },
        // the plain parameters, then those of Student's t
        predictive: {
          shape: { parameters: slots * (3 + STUDENT) },
          fill: (q, params) => fillPredictive(belief, q, params),
          ...studentColumn(place, slots, slots * 3),
        },
      },
    )
  },
}
