/**
 * A share per cell: a number between 0 and 1.
 *
 *     ln p(x | a, b) = (a − 1) ln x + (b − 1) ln(1 − x) − ln B(a, b)
 *     s(x) = (ln x, ln(1 − x))      θ = (a − 1, b − 1)      A = ln Γ(a) + ln Γ(b) − ln Γ(a + b)
 *     η = (ψ(a) − ψ(a + b), ψ(b) − ψ(a + b)), the means of s: there is no closed form back (kernels/beta-moments.ts)
 *     prior: κ pseudo-rows at the column's pooled moments
 */
import type { Column } from "../contract/columns.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import { finite } from "../described.ts"
import { betaGap, betaMoments, solveBeta } from "../kernels/beta-moments.ts"
import { exp } from "../kernels/exp.ts"
import { incompleteBeta } from "../kernels/incomplete-beta.ts"
import { log, log1p } from "../kernels/log.ts"
import { logGamma } from "../kernels/log-gamma.ts"
import { type Table, valuesOf } from "../option-table.ts"
import { call, inWords } from "./guide.ts"
import { aboveZero, belowOne, type Natural, naturalFamily, pooledOf } from "./natural.ts"
import { prior } from "./options.ts"

export interface BetaOptions {
  /** Pseudo-rows per slot at prior strength 1. */
  readonly prior?: number
}

const OPTIONS = { prior: prior(1) } satisfies Table<BetaOptions>

export function beta(options: BetaOptions = {}): Family<number> {
  return naturalFamily(
    "beta",
    valuesOf("beta", OPTIONS, options),
    { kind: "number", scale: "own", support: "share" },
    shares,
  )
}

/** Fractions of the pooled gap 1 − e^η_1 − e^η_2, which is 0 if shares do not differ: slots are clamped to FLOOR, steps of stochastic learners stay above CLEAR. */
const FLOOR = 1e-9
const CLEAR = 1e-4
/** A smaller gap is rounding error. */
const LEAST = 1e-13

function shares(column: Column): Natural {
  const { mean, logMean, restLogMean } = pooledOf(column)
  const seen = [logMean, restLogMean]
  // shares that do not differ, or none: a + b = 2 around their mean
  const pooled = betaGap(seen) > LEAST ? seen : betaMoments(2 * mean, 2 * (1 - mean))
  const least = Math.max(FLOOR * betaGap(pooled), LEAST)
  return {
    statistics: [log, x => log1p(-x)],
    pooled,
    solve(eta, theta) {
      const gap = betaGap(eta)
      if (gap >= least) solveBeta(eta, theta)
      else {
        // clamped: a + b of about (1 − gap/2)/gap, divided as η says
        const share = 1 / (1 + exp(Math.max(-700, Math.min(eta[1] - eta[0], 700))))
        theta[0] = share / least - 0.5
        theta[1] = (1 - share) / least - 0.5
      }
      return gap >= least
    },
    moments: (theta, eta) => eta.set(betaMoments(theta[0] + 1, theta[1] + 1)),
    logPartition: theta =>
      logGamma(theta[0] + 1) + logGamma(theta[1] + 1) - logGamma(theta[0] + theta[1] + 2),
    isClear: eta => betaGap(eta) > Math.max(CLEAR * betaGap(pooled), least),
    describe: theta => ({ alpha: theta[0] + 1, beta: theta[1] + 1 }),
    adopt(description, eta) {
      const alpha = finite("beta", column.name, description, "alpha", 0)
      eta.set(betaMoments(alpha, finite("beta", column.name, description, "beta", 0)))
    },
    sample: (theta, dice) => belowOne(aboveZero(dice.beta(theta[0] + 1, theta[1] + 1))),
    mean: theta => (theta[0] + 1) / (theta[0] + theta[1] + 2),
    // m(1 − m) / (a + b + 1)
    variance: ([alpha, beta]) => {
      const c = alpha + beta + 2
      return (((alpha + 1) / c) * ((beta + 1) / c)) / (c + 1)
    },
    cdf(x, mean, variance) {
      const c = (mean * (1 - mean)) / variance - 1
      return incompleteBeta(c * mean, c * (1 - mean), x)
    },
  }
}

export const betaKind: FamilyKind = {
  name: "beta",
  make: options => beta(options as BetaOptions),
  specimens: [{ options: {}, cell: dice => dice.beta(3, 5) }],
}

export const betaGuide = {
  title: "beta distribution",
  columns: ["number"],
  onRequest: true,
  summary: inWords,
  mean(parameters) {
    const { alpha, beta } = parameters as Record<string, number>
    const mean = alpha / (alpha + beta)
    return [mean, Math.sqrt((mean * (1 - mean)) / (alpha + beta + 1))]
  },
  makers: ["beta"],
  code: (_, options) => call("beta", options),
} as const satisfies Guide
