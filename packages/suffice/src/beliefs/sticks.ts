/**
 * The weights of a mixture as broken sticks: a Dirichlet process, cut off after k components (Ishwaran & James 2001; Blei & Jordan 2006).
 *
 *     π_k = V_k Π_{j<k} (1 − V_j)      V_k ~ Beta(1, c)      γ₁ = 1 + n_k      γ₂ = c + Σ_{j>k} n_j
 *     E[ln π_k] = ψ(γ₁k) − ψ(γ₁k + γ₂k) + Σ_{j<k} ( ψ(γ₂j) − ψ(γ₁j + γ₂j) )      B = Σ ln Γ(γ₁) + ln Γ(γ₂) − ln Γ(γ₁ + γ₂)
 *
 * Sticks are broken in the order of the masses, largest first: of all orders it has the highest B (Kurihara, Welling & Teh 2007). The last takes what is left.
 */
import type { About, Belief } from "../contract/belief.ts"
import type { Leaf } from "../contract/leaf.ts"
import { log, log1p } from "../kernels/log.ts"
import { digamma, logGamma } from "../kernels/log-gamma.ts"
import { betaQuantile } from "../kernels/student.ts"
import { described, normalisedMoments } from "./level-probabilities.ts"
import { beliefOf, held } from "./stand-in.ts"

// q, level by level as the statistics: γ₁ and γ₂ of the stick of that level; then the levels in the order of breaking, slot by slot
export function sticksBelief(plain: Leaf, about: About): Belief {
  const { slots } = plain.shape
  const levels = plain.shape.statistics / slots
  const size = plain.shape.statistics
  const concentration = (about.options.concentration as number | undefined) ?? 1
  const orderAt = (p: number): number => 2 * size + p * levels

  /** Visits the sticks of a slot in the order of breaking; the last one is what is left. */
  function each(q: Float64Array, p: number, visit: (at: number, isLast: boolean) => void): void {
    for (let k = 0; k < levels; k++) visit(q[orderAt(p) + k] * slots + p, k === levels - 1)
  }

  /** params ← the sum of `of` of the own stick and of `rest` of those before. */
  function fill(q: Float64Array, params: Float64Array, of: (a: number, both: number) => number): void {
    for (let p = 0; p < slots; p++) {
      let before = 0
      each(q, p, (at, isLast) => {
        const [a, b] = [q[at], q[size + at]]
        params[at] = before + (isLast ? 0 : of(a, a + b))
        before += of(b, a + b)
      })
    }
  }

  return beliefOf(
    plain,
    {
      numbers: 2 * size + slots * levels,
      isSymmetric: false,
      posterior(stats, strength, _spread, q) {
        for (let p = 0; p < slots; p++) {
          const massOf = (l: number): number => Math.max(stats[l * slots + p], 0)
          const order = Array.from({ length: levels }, (_, l) => l).sort(
            (a, b) => massOf(b) - massOf(a) || a - b,
          )
          q.set(order, orderAt(p))
          let after = 0
          for (let k = levels - 1; k >= 0; k--) {
            const at = order[k] * slots + p
            q[at] = 1 + massOf(order[k])
            q[size + at] = strength * concentration + after
            after += massOf(order[k])
          }
        }
      },
      logNormaliser(q) {
        let sum = 0
        for (let p = 0; p < slots; p++)
          each(q, p, (at, isLast) => {
            if (!isLast) sum += logGamma(q[at]) + logGamma(q[size + at]) - logGamma(q[at] + q[size + at])
          })
        return sum
      },
      draw(q, dice, params) {
        for (let p = 0; p < slots; p++) {
          let before = 0
          each(q, p, (at, isLast) => {
            const v = isLast ? 1 : dice.beta(q[at], q[size + at])
            params[at] = before + log(v)
            before += isLast ? 0 : log1p(-v)
          })
        }
      },
      interval(q, slot, probability) {
        // a product of betas: as the beta with its mean and variance
        const beyond = 0.5 * (1 - probability)
        const first = new Float64Array(levels)
        const second = new Float64Array(levels)
        let [m, s] = [1, 1]
        each(q, slot, (at, isLast) => {
          const [a, b] = [q[at], q[size + at]]
          const l = (at - slot) / slots
          const n = a + b
          first[l] = isLast ? m : (m * a) / n
          second[l] = isLast ? s : (s * a * (a + 1)) / (n * (n + 1))
          m *= b / n
          s *= (b * (b + 1)) / (n * (n + 1))
        })
        return described(plain, about, slot, l => {
          const mean = first[l]
          const variance = Math.max(second[l] - mean * mean, 1e-300)
          const total = (mean * (1 - mean)) / variance - 1
          return levels < 2 || !(total > 0)
            ? held(mean, mean, mean)
            : held(
                mean,
                betaQuantile(beyond, mean * total, (1 - mean) * total),
                betaQuantile(1 - beyond, mean * total, (1 - mean) * total),
              )
        })
      },
    },
    {
      expected: {
        fill: (q, params) => fill(q, params, (a, both) => digamma(a) - digamma(both)),
        moments: (params, mass, stats) => normalisedMoments(params, slots, levels, mass, stats),
      },
      predictive: { fill: (q, params) => fill(q, params, (a, both) => log(a) - log(both)) },
    },
  )
}
