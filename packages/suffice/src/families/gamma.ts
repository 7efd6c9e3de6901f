/**
 * A positive number per cell: an amount, a duration, a size, with a right tail.
 *
 *     ln p(x | k, m) = (k − 1) ln x − kx/m − ln Γ(k) + k ln(k/m)      shape k, mean m
 *     s(x) = (x, ln x)      θ = (−k/m, k − 1)      A = ln Γ(k) − k ln(−θ_1)
 *     m = Σwx / n           ln k − ψ(k) = ln m − Σw ln x / n = g: no closed form; solved by Newton's method in 1/(2g) < k < 1/g
 *     prior: κ pseudo-rows at the column's pooled moments
 */
import type { Column } from "../contract/columns.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import { finite } from "../described.ts"
import { gammaAbove } from "../kernels/incomplete-gamma.ts"
import { log } from "../kernels/log.ts"
import { digammaGap, logGamma, trigammaGap } from "../kernels/log-gamma.ts"
import { increasingRoot } from "../kernels/root.ts"
import { type Table, valuesOf } from "../option-table.ts"
import { call, inWords } from "./guide.ts"
import { aboveZero, type Natural, naturalFamily, pooledOf } from "./natural.ts"
import { prior } from "./options.ts"

export interface GammaOptions {
  /** Pseudo-rows per slot at prior strength 1. */
  readonly prior?: number
}

const OPTIONS = { prior: prior(1) } satisfies Table<GammaOptions>

export function gamma(options: GammaOptions = {}): Family<number> {
  return naturalFamily(
    "gamma",
    valuesOf("gamma", OPTIONS, options),
    { kind: "number", scale: "own", support: "positive" },
    amounts,
  )
}

/** Fractions of the pooled g and of the pooled mean: slots are clamped to FLOOR, steps of stochastic learners stay above CLEAR. */
const FLOOR = 1e-9
const CLEAR = 1e-4
/** A smaller g is rounding error. */
const LEAST = 1e-14

function amounts(column: Column): Natural {
  const { mean, logMean, scale } = pooledOf(column)
  // numbers that do not differ, or none: as wide as an exponential
  const pooledGap = log(mean) - logMean > LEAST ? log(mean) - logMean : digammaGap(1)
  const least = Math.max(FLOOR * pooledGap, LEAST)
  return {
    statistics: [x => x, log],
    pooled: [mean, log(mean) - pooledGap],
    solve(eta, theta) {
      const m = Math.max(eta[0], FLOOR * mean)
      const g = log(m) - eta[1]
      const k = shapeOf(Math.max(g, least))
      theta[0] = -k / m
      theta[1] = k - 1
      return eta[0] >= FLOOR * mean && g >= least
    },
    moments(theta, eta) {
      const k = theta[1] + 1
      eta[0] = -k / theta[0]
      eta[1] = log(eta[0]) - digammaGap(k)
    },
    logPartition: theta => logGamma(theta[1] + 1) - (theta[1] + 1) * log(-theta[0]),
    isClear: eta => eta[0] > CLEAR * mean && log(eta[0]) - eta[1] > Math.max(CLEAR * pooledGap, least),
    describe: theta => ({ mean: (-scale * (theta[1] + 1)) / theta[0], shape: theta[1] + 1 }),
    adopt(description, eta) {
      eta[0] = finite("gamma", column.name, description, "mean", 0) / scale
      eta[1] = log(eta[0]) - digammaGap(finite("gamma", column.name, description, "shape", 0))
    },
    sample: (theta, dice) => aboveZero(-dice.gamma(theta[1] + 1) / theta[0]),
    mean: theta => -(theta[1] + 1) / theta[0],
    variance: theta => (theta[1] + 1) / (theta[0] * theta[0]),
    cdf: (x, mean, variance) => (x > 0 ? 1 - gammaAbove((mean * mean) / variance, (x * mean) / variance) : 0),
  }
}

/** The k with ln k − ψ(k) = g > 0; the starting point is that of Minka (2002). */
function shapeOf(g: number): number {
  const start = (3 - g + Math.sqrt((g - 3) * (g - 3) + 24 * g)) / (12 * g)
  return increasingRoot(k => g - digammaGap(k), trigammaGap, 0.5 / g, 1 / g, start)
}

export const gammaKind: FamilyKind = {
  name: "gamma",
  make: options => gamma(options as GammaOptions),
  specimens: [{ options: {}, cell: dice => 12 * dice.gamma(3) }],
}

export const gammaGuide = {
  title: "gamma distribution",
  columns: ["number"],
  onRequest: true,
  summary: inWords,
  mean: ({ mean, shape }) => [mean as number, (mean as number) / Math.sqrt(shape as number)],
  makers: ["gamma"],
  code: (_, options) => call("gamma", options),
} as const satisfies Guide
