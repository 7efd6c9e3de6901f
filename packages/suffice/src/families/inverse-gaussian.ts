/**
 * A positive number per cell with a long right tail: the time until a drifting walk first reaches a level (Wald 1947).
 *
 *     ln p(x | μ, λ) = ½ ln(λ/2π) − 3/2 ln x − λ(x − μ)²/(2μ²x)      mean μ, shape λ, variance μ³/λ
 *     s(x) = (x, 1/x)      θ = (−λ/2μ², −λ/2)      A = −λ/μ − ½ ln λ      −ln h = 3/2 ln x + ½ ln 2π
 *     μ = Σwx / n          1/λ = Σw/x / n − 1/μ
 *     prior: κ pseudo-rows at the pooled mean of x, and at the 1/λ with the pooled mean of ln x
 */
import type { Column } from "../contract/columns.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import { finite } from "../described.ts"
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"
import { normalCdf } from "../kernels/normal-cdf.ts"
import { increasingRoot } from "../kernels/root.ts"
import { type Table, valuesOf } from "../option-table.ts"
import { call, inWords } from "./guide.ts"
import { aboveZero, type Natural, naturalFamily, pooledOf } from "./natural.ts"
import { prior } from "./options.ts"

export interface InverseGaussianOptions {
  /** Pseudo-rows per slot at prior strength 1. */
  readonly prior?: number
}

const OPTIONS = { prior: prior(1) } satisfies Table<InverseGaussianOptions>

export function inverseGaussian(options: InverseGaussianOptions = {}): Family<number> {
  const need = { kind: "number", scale: "own", support: "positive" } as const
  const values = valuesOf("inverseGaussian", OPTIONS, options)
  return { ...naturalFamily("inverseGaussian", values, need, passages), meanPrior: true }
}

/** Fractions of the pooled 1/λ and of the pooled mean: slots are clamped to FLOOR, steps of stochastic learners stay above CLEAR. */
const FLOOR = 1e-9
const CLEAR = 1e-4
/** A smaller gap is rounding error. */
const LEAST = 1e-14
/** ½ ln 2π */
const HALF_LOG_2PI = 0.9189385332046727
const INV_SQRT_2PI = 0.3989422804014327

function passages(column: Column): Natural {
  const { mean, logMean, scale } = pooledOf(column)
  const gap = log(mean) - logMean
  // numbers that do not differ, or none: a spread as large as the mean
  const pooled = gap > LEAST ? 2 / (mean * gapRoot(gap)) : 1 / mean
  const least = Math.max(FLOOR * pooled, LEAST / mean)
  /** 1/λ at η. */
  const inverseShape = (eta: Float64Array): number => eta[1] - 1 / eta[0]
  const shapeOf = (theta: Float64Array): number => -2 * theta[1]
  const meanOf = (theta: Float64Array): number => Math.sqrt(theta[1] / theta[0])
  return {
    statistics: [x => x, x => 1 / x],
    base: {
      of: x => 1.5 * log(x) + HALF_LOG_2PI,
      // E[ln x] = ln μ − G(2λ/μ)
      expected(eta) {
        const z = 2 / (eta[0] * Math.max(inverseShape(eta), least))
        return 1.5 * (log(eta[0]) - scaledIntegral(z)) + HALF_LOG_2PI
      },
    },
    pooled: [mean, 1 / mean + pooled],
    solve(eta, theta) {
      const m = Math.max(eta[0], FLOOR * mean)
      const g = eta[1] - 1 / m
      theta[1] = -0.5 / Math.max(g, least)
      theta[0] = theta[1] / (m * m)
      return eta[0] >= FLOOR * mean && g >= least
    },
    moments(theta, eta) {
      eta[0] = meanOf(theta)
      eta[1] = 1 / eta[0] + 1 / shapeOf(theta)
    },
    logPartition: theta => -shapeOf(theta) / meanOf(theta) - 0.5 * log(shapeOf(theta)),
    isClear: eta => eta[0] > CLEAR * mean && inverseShape(eta) > Math.max(CLEAR * pooled, least),
    describe: theta => ({ mean: scale * meanOf(theta), shape: scale * shapeOf(theta) }),
    adopt(description, eta) {
      const of = (name: string): number =>
        finite("inverseGaussian", column.name, description, name, 0) / scale
      eta[0] = of("mean")
      eta[1] = 1 / eta[0] + 1 / of("shape")
    },
    // Michael, Schucany & Haas (1976): the smaller root of χ² = λ(x − μ)²/(μ²x), or the larger one, μ²/x
    sample(theta, dice) {
      const m = meanOf(theta)
      const y = dice.normal()
      const r = (m * y * y) / shapeOf(theta)
      const share = 1 / (1 + 0.5 * r + Math.sqrt(r + 0.25 * r * r))
      return aboveZero(dice.uniform() * (1 + share) < 1 ? m * share : m / share)
    },
    mean: meanOf,
    variance: theta => (meanOf(theta) / shapeOf(theta)) * meanOf(theta) * meanOf(theta),
    cdf: (x, mean, variance) => (x > 0 ? below(x / mean, (mean * mean) / variance) : 0),
  }
}

/** P(X/μ ≤ u) = Φ(a) + e^2φ Φ(−b), φ = λ/μ (Chhikara & Folks 1974); if φ is large, e^2φ φ(b) is computed as φ(a). */
function below(u: number, phi: number): number {
  const a = Math.sqrt(phi / u) * (u - 1)
  const b = Math.sqrt(phi / u) * (u + 1)
  if (phi < 20) return normalCdf(a) + exp(2 * phi) * normalCdf(-b)
  let fraction = b
  for (let k = 60; k > 0; k--) fraction = b + k / fraction
  return normalCdf(a) + (INV_SQRT_2PI * exp(-0.5 * a * a)) / fraction
}

/** G(z) = e^z E₁(z), by its power series below 1, else by Laguerre's continued fraction. */
function scaledIntegral(z: number): number {
  if (z >= 1) {
    let value = z + 2 * 100 + 1
    for (let k = 100; k > 0; k--) value = z + 2 * k - 1 - (k * k) / value
    return 1 / value
  }
  let sum = -0.5772156649015329 - log(z)
  for (let k = 1, term = z; Math.abs(term) > 1e-17 * k; k++, term *= -z / k) sum += term / k
  return exp(z) * sum
}

/** The z with G(z) = gap > 0: ½ ln(1 + 2/z) < G(z) < ln(1 + 1/z), and G′ = G − 1/z. */
function gapRoot(gap: number): number {
  const low = 2 / (exp(2 * gap) - 1)
  const high = 1 / (exp(gap) - 1)
  return increasingRoot(
    z => gap - scaledIntegral(z),
    z => 1 / z - scaledIntegral(z),
    low,
    high,
    high,
  )
}

export const inverseGaussianKind: FamilyKind = {
  name: "inverseGaussian",
  make: options => inverseGaussian(options as InverseGaussianOptions),
  specimens: [{ options: {}, cell: dice => 9 * dice.gamma(3) + 1 / (0.2 + dice.gamma(2)) }],
}

export const inverseGaussianGuide = {
  title: "inverse Gaussian distribution",
  columns: ["number"],
  onRequest: true,
  summary: inWords,
  mean(parameters) {
    const { mean, shape } = parameters as Record<string, number>
    return [mean, mean * Math.sqrt(mean / shape)]
  },
  makers: ["inverseGaussian"],
  code: (_, options) => call("inverseGaussian", options),
} as const satisfies Guide
