/**
 * A count per cell, spread wider than its mean: failures before the r-th success, or a Poisson whose rate varies as a gamma of shape r.
 *     ln p(x | m) = ln Γ(x + r) − ln Γ(r) − ln x! + x ln(m/(m + r)) + r ln(r/(m + r))      variance m + m²/r
 *     s(x) = x      θ = ln(m/(m + r))      A = r ln(1 + m/r)      m = Σwx / n
 *     prior: κ pseudo-rows at the column's pooled mean
 *
 * r is given: with r free this is not an exponential family, and has no sufficient statistics. For rows with mean m and variance v, r is about
 * m²/(v − m).
 */
import type { Column } from "../contract/columns.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import { notNegative } from "../described.ts"
import { wrongOption } from "../errors.ts"
import { exp, expm1 } from "../kernels/exp.ts"
import { expectedOverCounts } from "../kernels/expected-count.ts"
import { incompleteBeta } from "../kernels/incomplete-beta.ts"
import { log1p } from "../kernels/log.ts"
import { logGamma, logGammaStep } from "../kernels/log-gamma.ts"
import { type Option, type Table, valuesOf } from "../option-table.ts"
import { call, inWords } from "./guide.ts"
import { type Natural, type Numbers, naturalFamily } from "./natural.ts"
import { prior } from "./options.ts"

export interface NegativeBinomialOptions {
  /** r > 0, not necessarily an integer: the smaller, the wider counts spread around their mean. 1 is geometric(). */
  readonly successes?: number
  /** Pseudo-rows per slot at prior strength 1. */
  readonly prior?: number
}

const OPTIONS = { successes: successes(1), prior: prior(1) } satisfies Table<NegativeBinomialOptions>

export function negativeBinomial(options: NegativeBinomialOptions = {}): Family<number> {
  const values = valuesOf("negativeBinomial", OPTIONS, options)
  return naturalFamily("negativeBinomial", values, { kind: "count" }, column =>
    failures("negativeBinomial", column, values.successes),
  )
}

function successes(fallback: number): Option<number> {
  return {
    fallback,
    read(where, name, value) {
      if (typeof value === "number" && value > 0 && value < Infinity) return value
      throw wrongOption(where, name, value, REMEDY)
    },
  }
}

const REMEDY =
  "It must be a finite number above 0. Of one group of counts, mean²/(variance − mean) is a good first choice."

/** Counts of failures before the r-th success. */
export function failures(name: string, column: Column, r: number): Natural {
  const pooled = column.kind === "count" && column.mean > 0 ? column.mean : 1
  const logGammaR = logGamma(r)
  const base = (x: number): number => logGammaR - logGammaStep(x, r)
  const thetaOf = (mean: number): number => (mean > 0 ? -log1p(r / mean) : -Infinity)
  // m = r e^θ / (1 − e^θ)
  const meanOf = (theta: Numbers): number => (r * exp(theta[0])) / -expm1(theta[0])
  const logPartition = (theta: Numbers): number => r * log1p(meanOf(theta) / r)
  return {
    statistics: [x => x],
    ...(r !== 1 && {
      base: { of: base, expected: eta => expectedBase(eta[0], r, base, thetaOf(eta[0])) },
    }),
    pooled: [pooled],
    solve(eta, theta) {
      theta[0] = thetaOf(eta[0])
      return eta[0] >= 0
    },
    moments(theta, eta) {
      eta[0] = meanOf(theta)
    },
    logPartition,
    isClear: eta => eta[0] > 1e-9 * pooled,
    describe: theta => ({ mean: meanOf(theta) }),
    adopt(description, eta) {
      eta[0] = notNegative(name, column.name, description, "mean")
    },
    sample: (theta, dice) => dice.poisson((dice.gamma(r) * meanOf(theta)) / r),
    mean: meanOf,
    variance: theta => meanOf(theta) * (1 + meanOf(theta) / r),
    // P(X ≤ x) = I_{r/(m + r)}(r, x + 1)
    cdf: (x, mean) => (x < 0 ? 0 : incompleteBeta(r, Math.floor(x) + 1, r / (mean + r))),
    linear: theta => [
      [{ kind: "1" }, -logPartition(theta)],
      [{ kind: "x", column: column.name }, theta[0]],
    ],
  }
}

/** E[−ln h(x)] at this mean. */
function expectedBase(mean: number, r: number, base: (x: number) => number, theta: number): number {
  if (mean === 0) return 0
  const top = r * log1p(mean / r)
  // for r < 1 the tail falls as e^(−xr/m)
  const spread = Math.max(Math.sqrt(mean * (1 + mean / r)), mean / r)
  return expectedOverCounts(x => exp(x * theta - top - base(x)), base, mean, spread)
}

export const negativeBinomialKind: FamilyKind = {
  name: "negativeBinomial",
  make: options => negativeBinomial(options as NegativeBinomialOptions),
  specimens: [{ options: { successes: 2.5 }, cell: dice => dice.poisson(2 * dice.gamma(2.5)) }],
}

export const negativeBinomialGuide = {
  title: "negative binomial distribution",
  columns: ["count"],
  onRequest: true,
  summary: inWords,
  mean(parameters, options) {
    const mean = parameters.mean as number
    return [mean, Math.sqrt(mean * (1 + mean / (options.successes as number)))]
  },
  makers: ["negativeBinomial"],
  code: (_, options) => call("negativeBinomial", options),
} as const satisfies Guide
