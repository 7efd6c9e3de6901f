/**
 * Two kinds of half-lives, mixed in one list: EM finds both, though no measurement says which kind it is.
 *
 *     x ~ 0.3 · N(4, 0.8²) + 0.7 · N(8, 2²)      1000 draws
 *     E   r_ik = π_k N(x_i | μ_k, σ_k²) / Σ_j π_j N(x_i | μ_j, σ_j²)
 *     M   π_k = Σ_i r_ik / m      μ_k = Σ_i r_ik x_i / Σ_i r_ik      σ_k² = Σ_i r_ik (x_i − μ_k)² / Σ_i r_ik
 */
import { em, fit, gaussian, independent, mixture, specify } from "suffice"

// ── the truth, and what it gives us to see ─────────────────────────────────────────────────────────
const model = mixture(2, independent({ halfLife: gaussian() }), { name: "kind" })
const truth = specify(model, {
  kind: {
    probabilities: { 0: 0.3, 1: 0.7 },
    given: { 0: { halfLife: { mean: 4, sd: 0.8 } }, 1: { halfLife: { mean: 8, sd: 2 } } },
  },
})
const draws = truth.sample(1000, { seed: 1 }).map(row => ({ halfLife: row.halfLife as number }))

// ── maximum likelihood by EM; its objective never falls ────────────────────────────────────────────
const learner = em({ prior: 0, tolerance: 1e-9, maxIterations: 2000 })
const fitted = await fit(model, draws, { learner, seed: 1 })
const { trace, iterations, objective } = fitted.training!
const falls = trace.filter((value, t) => t > 0 && value < trace[t - 1] - 1e-10 * Math.abs(value)).length
for (let t = 0; t < trace.length; t = 2 * t + 1)
  console.log(`step ${t}: log-likelihood ${trace[t].toFixed(6)}`)
console.log(`step ${iterations}: log-likelihood ${objective.toFixed(6)}, ${falls} steps down\n`)

// ── what came back: components have no order, so the shorter half-life goes first ──────────────────
interface Described {
  kind: { probabilities: number[]; given: Record<string, { halfLife: { mean: number; sd: number } }> }
}
const { kind } = fitted.describe() as unknown as Described
const [short, long] = [0, 1]
  .map(k => ({ share: kind.probabilities[k], ...kind.given[k].halfLife }))
  .sort((a, b) => a.mean - b.mean)
const atTruth = truth.logDensity(draws).reduce((sum, value) => sum + value)

export const result = {
  "share of the short": { stated: 0.3, measured: short.share },
  "mean of the short": { stated: 4, measured: short.mean },
  "sd of the short": { stated: 0.8, measured: short.sd },
  "mean of the long": { stated: 8, measured: long.mean },
  "sd of the long": { stated: 2, measured: long.sd },
  "steps on which the objective fell": { stated: 0, measured: falls },
  "log-likelihood above that of the truth": { stated: "≥ 0", measured: objective - atTruth },
}
console.table(result)
