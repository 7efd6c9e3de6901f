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
import { log, log1p } from "../kernels/log.ts"
import { digamma, logFactorial, logGamma, logRising } from "../kernels/log-gamma.ts"
import { gammaQuantile } from "../kernels/student.ts"
import { amount, priorOf, STRENGTH } from "./elicited.ts"
import { beliefOf, held } from "./stand-in.ts"

/** Statistics of a slot: n, Σwx, Σw ln x!; numbers: a, b, Σw ln x!. */
const WIDTH = 3

export const poissonBelief: BeliefKind = {
  family: "poisson",
  of(plain, about) {
    const { slots } = plain.shape
    const [column] = about.columns
    const [place] = about.places
    const { factor, given } = priorOf(about, ["rate", "strength"])
    const rows = given ? amount(about, given, "strength", 0, STRENGTH) : factor
    const pooled = column.kind === "count" && column.mean > 0 ? column.mean : 1
    const rate = given ? amount(about, given, "rate", 0, "A rate is positive.") : pooled
    return beliefOf(
      plain,
      {
        numbers: slots * WIDTH,
        posterior(stats, strength, _spread, q) {
          for (let at = 0; at < slots * WIDTH; at += WIDTH) {
            q[at] = strength * rows * rate + Math.max(stats[at + 1], 0)
            q[at + 1] = strength * rows + Math.max(stats[at], 0)
            q[at + 2] = stats[at + 2]
          }
        },
        logNormaliser(q) {
          let sum = 0
          for (let at = 0; at < q.length; at += WIDTH)
            sum += logGamma(q[at]) - q[at] * log(q[at + 1]) - q[at + 2]
          return sum
        },
        draw(q, dice, params) {
          for (let p = 0; p < slots; p++) params[p] = log(dice.gamma(q[p * WIDTH]) / q[p * WIDTH + 1])
        },
        interval(q, slot, probability) {
          const [a, b] = q.subarray(slot * WIDTH, slot * WIDTH + 2)
          const beyond = 0.5 * (1 - probability)
          return { rate: held(a / b, gammaQuantile(beyond, a) / b, gammaQuantile(1 - beyond, a) / b) }
        },
      },
      {
        // slot by slot E[ln λ], then slot by slot E[λ]
        expected: {
          shape: { parameters: 2 * slots },
          fill(q, params) {
            for (let p = 0; p < slots; p++) {
              params[p] = digamma(q[p * WIDTH]) - log(q[p * WIDTH + 1])
              params[slots + p] = q[p * WIDTH] / q[p * WIDTH + 1]
            }
          },
          score(block, params, out) {
            const x = block.cells[place] as Float64Array
            const { rows } = block
            for (let i = 0; i < rows; i++) {
              if (x[i] !== x[i]) continue
              const base = logFactorial(x[i])
              for (let p = 0; p < slots; p++) out[p * rows + i] += x[i] * params[p] - params[slots + p] - base
            }
            return undefined
          },
          value(stats, params) {
            let sum = 0
            for (let p = 0; p < slots; p++) {
              const at = p * WIDTH
              sum += stats[at + 1] * params[p] - stats[at] * params[slots + p] - stats[at + 2]
            }
            return sum
          },
        },
        // slot by slot ln(a/b), as in the plain leaf; then slot by slot a, b
        predictive: {
          shape: { parameters: 3 * slots },
          fill(q, params) {
            for (let p = 0; p < slots; p++) {
              const [a, b] = q.subarray(p * WIDTH, p * WIDTH + 2)
              params[p] = log(a / b)
              params[slots + 2 * p] = a
              params[slots + 2 * p + 1] = b
            }
          },
          score(block, params, out) {
            const x = block.cells[place] as Float64Array
            const { rows } = block
            for (let p = 0; p < slots; p++) {
              const [a, b] = [params[slots + 2 * p], params[slots + 2 * p + 1]]
              const top = -a * log1p(1 / b)
              const each = log1p(b)
              for (let i = 0; i < rows; i++)
                if (x[i] === x[i])
                  out[p * rows + i] += top + logRising(a, x[i]) - logFactorial(x[i]) - x[i] * each
            }
            return undefined
          },
          sample(params, slot, block, dice) {
            const x = block.cells[place] as Float64Array
            if (Number.isNaN(x[0]))
              x[0] = dice.poisson(dice.gamma(params[slots + 2 * slot]) / params[slots + 2 * slot + 1])
          },
          numbers: {
            expect(_block, params, slot, _place, mean, variance) {
              const [a, b] = [params[slots + 2 * slot], params[slots + 2 * slot + 1]]
              mean.fill(a / b)
              variance.fill((a / b) * (1 + 1 / b))
            },

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
