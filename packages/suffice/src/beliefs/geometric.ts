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
import { log, log1p } from "../kernels/log.ts"
import { digamma, logGamma, logRising } from "../kernels/log-gamma.ts"
import { betaQuantile } from "../kernels/student.ts"
import { amount, checkReach, priorOf, STRENGTH } from "./elicited.ts"
import { linearInX } from "./linear-in-x.ts"
import { beliefOf, held } from "./stand-in.ts"
import { leastVariable } from "./student.ts"

export const geometricBelief: BeliefKind = {
  family: "geometric",
  of(plain, about) {
    const { slots } = plain.shape
    const [place] = about.places
    const [column] = about.columns
    const { factor, given } = priorOf(about, ["mean", "strength"])
    const rows = given ? amount(about, given, "strength", 0, STRENGTH) : factor
    const pooled = column.kind === "count" && column.mean > 0 ? column.mean : 1
    const before = given ? amount(about, given, "mean", 0, "A mean of counts is positive.") : pooled
    if (given) checkReach(about, [before, 1 / before], [])
    return beliefOf(
      plain,
      {
        // of a slot: a, b
        numbers: slots * 2,
        posterior(stats, strength, _spread, q) {
          for (let at = 0; at < slots * 2; at += 2) {
            q[at] = strength * rows * before + Math.max(stats[at + 1], 0)
            q[at + 1] = strength * rows + 1 + Math.max(stats[at], 0)
          }
        },
        logNormaliser(q) {
          let sum = 0
          for (let at = 0; at < q.length; at += 2) sum += logGamma(q[at + 1]) - logRising(q[at], q[at + 1])
          return sum
        },
        draw(q, dice, params) {
          for (let p = 0; p < slots; p++) params[p] = -log1p(dice.gamma(q[p * 2 + 1]) / dice.gamma(q[p * 2]))
        },
        interval(q, slot, probability) {
          const [a, b] = q.subarray(slot * 2, slot * 2 + 2)
          const beyond = 0.5 * (1 - probability)
          return { mean: held(a / (b - 1), odds(beyond, a, b), odds(1 - beyond, a, b)) }
        },
      },
      {
        // slot by slot E[ln q], as in the plain leaf; then slot by slot E[ln(1 − q)]
        expected: {
          shape: { parameters: 2 * slots },
          fill(q, params) {
            for (let p = 0; p < slots; p++) {
              const [a, b] = q.subarray(p * 2, p * 2 + 2)
              const both = digamma(a + b)
              params[p] = digamma(a) - both
              params[slots + p] = digamma(b) - both
            }
          },
          ...linearInX(slots, place),
        },
        // slot by slot ln(m/(m + 1)) at E[m], as in the plain leaf; then slot by slot a, b
        predictive: {
          shape: { parameters: 3 * slots },
          fill(q, params) {
            for (let p = 0; p < slots; p++) {
              const [a, b] = q.subarray(p * 2, p * 2 + 2)
              params[p] = -log1p((b - 1) / a)
              params[slots + 2 * p] = a
              params[slots + 2 * p + 1] = b
            }
          },
          score(block, params, out) {
            const x = block.cells[place] as Float64Array
            const { rows } = block
            for (let p = 0; p < slots; p++) {
              const [a, b] = [params[slots + 2 * p], params[slots + 2 * p + 1]]
              const top = log(b)
              for (let i = 0; i < rows; i++)
                if (x[i] === x[i]) out[p * rows + i] += top + logRising(a, x[i]) - logRising(a + b, x[i] + 1)
            }
            return undefined
          },
          sample(params, slot, block, dice) {
            const x = block.cells[place] as Float64Array
            const [a, b] = [params[slots + 2 * slot], params[slots + 2 * slot + 1]]
            if (Number.isNaN(x[0]))
              x[0] = dice.poisson(Math.min((dice.gamma(1) * dice.gamma(a)) / dice.gamma(b), LARGEST))
          },
          numbers: {
            expect(_block, params, slot, _place, mean, variance, freedom) {
              const [a, b] = [params[slots + 2 * slot], params[slots + 2 * slot + 1]]
              const m = a / (b - 1)
              // E[m + 2m²] − E[m]²
              variance.fill(m + 2 * m * ((a + 1) / (leastVariable(b) - 2)) - m * m)
              mean.fill(m)
              freedom?.fill(b)
            },

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

/** Counts stay whole numbers. */
const LARGEST = 1e15

/** q/(1 − q) at a quantile of q, by the smaller of the two. */
function odds(quantile: number, a: number, b: number): number {
  const q = betaQuantile(quantile, a, b)
  if (q < 0.5) return q / (1 - q)
  const rest = betaQuantile(1 - quantile, b, a)
  return (1 - rest) / rest
}
