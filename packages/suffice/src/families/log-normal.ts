/**
 * A positive number per cell whose logarithm is normal: a product of many causes, with a long right tail.
 *
 *     ln p(x | μ, σ²) = −½ ln 2πσ² − (ln x − μ)² / 2σ² − ln x
 *     s(x) = (ln x, ln² x)      θ = (μ/σ² − 1, −1/2σ²)      A = ½ ln 2πσ² + μ²/2σ²
 *     μ = Σw ln x / n           σ² = Σw ln² x / n − μ²
 *     prior: κ pseudo-rows at the column's pooled moments
 */
import type { Column } from "../contract/columns.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import { finite } from "../described.ts"
import { exp, expm1 } from "../kernels/exp.ts"
import { log, log1p } from "../kernels/log.ts"
import { normalBelow } from "../kernels/normal-cdf.ts"
import { type Table, valuesOf } from "../option-table.ts"
import { call, inWords } from "./guide.ts"
import { aboveZero, type Natural, type Numbers, naturalFamily, pooledOf } from "./natural.ts"
import { prior } from "./options.ts"
import type { LogNormalPrior } from "./priors.ts"

export interface LogNormalOptions {
  /** Pseudo-rows per slot at prior strength 1. */
  readonly prior?: number | LogNormalPrior
}

const OPTIONS = { prior: prior<LogNormalPrior>(1) } satisfies Table<LogNormalOptions>

export function logNormal(options: LogNormalOptions = {}): Family<number> {
  return naturalFamily(
    "logNormal",
    valuesOf("logNormal", OPTIONS, options),
    { kind: "number", scale: "own", support: "positive" },
    products,
  )
}

/** Fractions of the pooled variance: slots are clamped to FLOOR, steps of stochastic learners stay above CLEAR. */
const FLOOR = 1e-9
const CLEAR = 1e-4
/** A smaller variance of logarithms is rounding error. */
const LEAST = 1e-14
const LN_2PI = 1.8378770664093453

function products(column: Column): Natural {
  const { logMean, logVariance, scale } = pooledOf(column)
  // numbers that do not differ, or none
  const pooled = logVariance > LEAST ? logVariance : 1
  const least = Math.max(FLOOR * pooled, LEAST)
  const varianceOf = (theta: Numbers): number => -0.5 / theta[1]
  const meanOf = (theta: Numbers): number => (theta[0] + 1) * varianceOf(theta)
  return {
    statistics: [log, x => log(x) * log(x)],
    pooled: [logMean, logMean * logMean + pooled],
    solve(eta, theta) {
      const found = eta[1] - eta[0] * eta[0]
      const variance = Math.max(found, least)
      theta[0] = eta[0] / variance - 1
      theta[1] = -0.5 / variance
      return found >= least
    },
    moments(theta, eta) {
      eta[0] = meanOf(theta)
      eta[1] = eta[0] * eta[0] + varianceOf(theta)
    },
    logPartition: theta =>
      0.5 * (LN_2PI + log(varianceOf(theta)) + (meanOf(theta) * meanOf(theta)) / varianceOf(theta)),
    isClear: eta => eta[1] - eta[0] * eta[0] > Math.max(CLEAR * pooled, least),
    describe: theta => ({ logMean: log(scale) + meanOf(theta), logSd: Math.sqrt(varianceOf(theta)) }),
    adopt(description, eta) {
      const sd = finite("logNormal", column.name, description, "logSd", 0)
      eta[0] = finite("logNormal", column.name, description, "logMean") - log(scale)
      eta[1] = eta[0] * eta[0] + sd * sd
    },
    sample: (theta, dice) => aboveZero(exp(meanOf(theta) + Math.sqrt(varianceOf(theta)) * dice.normal())),
    // e^(μ + σ²/2)      m² (e^σ² − 1)
    mean: theta => exp(meanOf(theta) + 0.5 * varianceOf(theta)),
    variance: theta => exp(2 * meanOf(theta) + varianceOf(theta)) * expm1(varianceOf(theta)),
    cdf(x, mean, variance) {
      const logVariance = log1p(variance / (mean * mean))
      return x > 0 ? normalBelow(log(x), log(mean) - 0.5 * logVariance, logVariance) : 0
    },
  }
}

export const logNormalKind: FamilyKind = {
  name: "logNormal",
  make: options => logNormal(options as LogNormalOptions),
  specimens: [{ options: {}, cell: dice => 300 * (1 + dice.gamma(1)) * dice.gamma(4) }],
}

export const logNormalGuide = {
  title: "log-normal distribution",
  columns: ["number"],
  onRequest: true,
  summary: inWords,
  mean({ logMean, logSd }) {
    const variance = (logSd as number) * (logSd as number)
    const mean = exp((logMean as number) + variance / 2)
    return [mean, mean * Math.sqrt(expm1(variance))]
  },
  makers: ["logNormal"],
  code: (_, options) => call("logNormal", options),
} as const satisfies Guide
