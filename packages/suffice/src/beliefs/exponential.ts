/**
 * A rate of waiting (Gamma).
 *
 *     a = n₀ + 1 + n      b = n₀m₀ + Σwx      E[ln λ] = ψ(a) − ln b      E[λ] = a/b      E[m] = E[1/λ] = b/(a − 1)      B = ln Γ(a) − a ln b
 *     p(x | rows) = a bᵃ / (b + x)ᵃ⁺¹ (Lomax)
 *
 * n₀ pseudo-rows with mean m₀: then E[m] = (n₀m₀ + Σwx) / (n₀ + n) (Diaconis & Ylvisaker 1979). By default one, at the pooled mean.
 */
import type { BeliefKind } from "../contract/belief.ts"
import { pooledOf } from "../families/natural.ts"
import { expm1 } from "../kernels/exp.ts"
import { log, log1p } from "../kernels/log.ts"
import { digamma, logGamma } from "../kernels/log-gamma.ts"
import { gammaQuantile } from "../kernels/student.ts"
import { amount, checkReach, priorOf, STRENGTH } from "./elicited.ts"
import { linearInX } from "./linear-in-x.ts"
import { beliefOf, held } from "./stand-in.ts"
import { leastVariable } from "./student.ts"

/** Numbers of a slot: a, b, n. */
const WIDTH = 3

export const exponentialBelief: BeliefKind = {
  family: "exponential",
  of(plain, about) {
    const { slots } = plain.shape
    const [place] = about.places
    const pooled = pooledOf(about.columns[0])
    const { scale } = pooled
    const logScale = log(scale)
    const { factor, given } = priorOf(about, ["mean", "strength"])
    const rows = given ? amount(about, given, "strength", 0, STRENGTH) : factor
    const before = given
      ? amount(about, given, "mean", 0, "A waiting time is positive.") / scale
      : pooled.mean > 0
        ? pooled.mean
        : 1
    if (given) checkReach(about, [before, 1 / before], [])
    return beliefOf(
      plain,
      {
        numbers: slots * WIDTH,
        posterior(stats, strength, _spread, q) {
          for (let p = 0; p < slots; p++) {
            const n = Math.max(stats[p * 2], 0)
            q[p * WIDTH] = strength * rows + 1 + n
            q[p * WIDTH + 1] = strength * rows * before + Math.max(stats[p * 2 + 1], 0)
            q[p * WIDTH + 2] = n
          }
        },
        logNormaliser(q) {
          let sum = 0
          for (let at = 0; at < q.length; at += WIDTH)
            sum += logGamma(q[at]) - q[at] * log(q[at + 1]) - q[at + 2] * logScale
          return sum
        },
        draw(q, dice, params) {
          for (let p = 0; p < slots; p++) params[p] = -dice.gamma(q[p * WIDTH]) / q[p * WIDTH + 1]
        },
        interval(q, slot, probability) {
          const [a, b] = q.subarray(slot * WIDTH, slot * WIDTH + 2)
          const beyond = 0.5 * (1 - probability)
          const long = (quantile: number): number => scale * (b / gammaQuantile(quantile, a))
          return { mean: held(scale * (b / (a - 1)), long(1 - beyond), long(beyond)) }
        },
      },
      {
        // slot by slot −E[λ], as in the plain leaf; then slot by slot E[ln λ]
        expected: {
          shape: { parameters: 2 * slots },
          fill(q, params) {
            for (let p = 0; p < slots; p++) {
              const [a, b] = q.subarray(p * WIDTH, p * WIDTH + 2)
              params[p] = -a / b
              params[slots + p] = digamma(a) - log(b) - logScale
            }
          },
          ...linearInX(slots, place),
        },
        // slot by slot −1/E[m], as in the plain leaf; then slot by slot a, b
        predictive: {
          shape: { parameters: 3 * slots },
          fill(q, params) {
            for (let p = 0; p < slots; p++) {
              const [a, b] = q.subarray(p * WIDTH, p * WIDTH + 2)
              params[p] = -(a - 1) / b
              params[slots + 2 * p] = a
              params[slots + 2 * p + 1] = b
            }
          },
          score(block, params, out) {
            const x = block.cells[place] as Float64Array
            const { rows } = block
            for (let p = 0; p < slots; p++) {
              const [a, b] = [params[slots + 2 * p], params[slots + 2 * p + 1]]
              const top = log(a / b) - logScale
              for (let i = 0; i < rows; i++)
                if (x[i] === x[i]) out[p * rows + i] += top - (a + 1) * log1p(x[i] / b)
            }
            return undefined
          },
          sample(params, slot, block, dice) {
            const x = block.cells[place] as Float64Array
            if (Number.isNaN(x[0]))
              x[0] = (dice.gamma(1) / dice.gamma(params[slots + 2 * slot])) * params[slots + 2 * slot + 1]
          },
          numbers: {
            expect(_block, params, slot, _place, mean, variance, freedom) {
              const [a, b] = [params[slots + 2 * slot], params[slots + 2 * slot + 1]]
              const m = b / (a - 1)
              const least = leastVariable(a)
              mean.fill(m)
              variance.fill(m * m * (least / (least - 2)))
              freedom?.fill(a)
            },

            // 1 − (1 + x/b)^−a, b = m(a − 1)
            cdf: (x, mean, _variance, a = 2) => (x > 0 ? -expm1(-a * log1p(x / (mean * (a - 1)))) : 0),
          },
        },
      },
    )
  },
}
