/**
 * A waiting time per cell, or any number ≥ 0 whose density falls from 0 on.
 *
 *     ln p(x | m) = −x/m − ln m      s(x) = x      θ = −1/m      A = −ln(−θ)      m = Σwx / n
 *     prior: κ pseudo-rows at the column's pooled mean
 */
import type { Column } from "../contract/columns.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import { finite } from "../described.ts"
import { expm1 } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"
import { type Table, valuesOf } from "../option-table.ts"
import { call, inWords } from "./guide.ts"
import { type Natural, naturalFamily, pooledOf } from "./natural.ts"
import { prior } from "./options.ts"
import type { MeanPrior } from "./priors.ts"

export interface ExponentialOptions {
  /** Pseudo-rows per slot at prior strength 1. */
  readonly prior?: number | MeanPrior
}

const OPTIONS = { prior: prior<MeanPrior>(1) } satisfies Table<ExponentialOptions>

export function exponential(options: ExponentialOptions = {}): Family<number> {
  return naturalFamily(
    "exponential",
    valuesOf("exponential", OPTIONS, options),
    { kind: "number", scale: "own", support: "notNegative" },
    waiting,
  )
}

/** Fractions of the pooled mean: slots are clamped to FLOOR, steps of stochastic learners stay above CLEAR. */
const FLOOR = 1e-9
const CLEAR = 1e-6

function waiting(column: Column): Natural {
  const { mean, scale } = pooledOf(column)
  const pooled = mean > 0 ? mean : 1
  return {
    statistics: [x => x],
    pooled: [pooled],
    solve(eta, theta) {
      theta[0] = -1 / Math.max(eta[0], FLOOR * pooled)
      return eta[0] >= FLOOR * pooled
    },
    moments(theta, eta) {
      eta[0] = -1 / theta[0]
    },
    logPartition: theta => -log(-theta[0]),
    isClear: eta => eta[0] > CLEAR * pooled,
    describe: theta => ({ mean: -scale / theta[0] }),
    adopt(description, eta) {
      eta[0] = finite("exponential", column.name, description, "mean", 0) / scale
    },
    sample: (theta, dice) => -dice.gamma(1) / theta[0],
    mean: theta => -1 / theta[0],
    variance: theta => 1 / (theta[0] * theta[0]),
    // 1 − e^(−x/m)
    cdf: (x, mean) => (x > 0 ? -expm1(-x / mean) : 0),
    linear: theta => [
      [{ kind: "1" }, log(-theta[0]) - log(scale)],
      [{ kind: "x", column: column.name }, theta[0]],
    ],
  }
}

export const exponentialKind: FamilyKind = {
  name: "exponential",
  make: options => exponential(options as ExponentialOptions),
  specimens: [{ options: {}, cell: dice => 40 * dice.gamma(1) }],
}

export const exponentialGuide = {
  title: "exponential distribution",
  columns: ["number"],
  onRequest: true,
  summary: inWords,
  mean: ({ mean }) => [mean as number, mean as number],
  makers: ["exponential"],
  code: (_, options) => call("exponential", options),
} as const satisfies Guide
