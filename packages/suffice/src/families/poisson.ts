/**
 * A count per cell.
 *
 *     ln p(x | λ) = x ln λ − λ − ln x!      s(x) = x      θ = ln λ      A = λ      λ = Σwx / n
 *     prior: κ pseudo-rows at the column's pooled mean (Gamma)
 *
 * ln x! is the same for all slots; it is summed so that `value` is the log-likelihood.
 */
import type { Column } from "../contract/columns.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import { notNegative } from "../described.ts"
import { exp } from "../kernels/exp.ts"
import { expectedLogFactorial } from "../kernels/expected-log-factorial.ts"
import { gammaAbove } from "../kernels/incomplete-gamma.ts"
import { log } from "../kernels/log.ts"
import { logFactorial } from "../kernels/log-gamma.ts"
import { type Table, valuesOf } from "../option-table.ts"
import { call, inWords } from "./guide.ts"
import { type Natural, naturalFamily } from "./natural.ts"
import { prior } from "./options.ts"
import type { PoissonPrior } from "./priors.ts"

export interface PoissonOptions {
  /** Pseudo-rows per slot at prior strength 1. */
  readonly prior?: number | PoissonPrior
}

const OPTIONS = { prior: prior<PoissonPrior>(1) } satisfies Table<PoissonOptions>

export function poisson(options: PoissonOptions = {}): Family<number> {
  return naturalFamily("poisson", valuesOf("poisson", OPTIONS, options), { kind: "count" }, rates)
}

function rates(column: Column): Natural {
  // a column of zeros, or an empty one, still needs a rate above 0
  const pooled = column.kind === "count" && column.mean > 0 ? column.mean : 1
  return {
    statistics: [x => x],
    base: { of: logFactorial, expected: eta => expectedLogFactorial(eta[0]) },
    pooled: [pooled],
    solve(eta, theta) {
      theta[0] = log(Math.max(eta[0], 0))
      return eta[0] >= 0
    },
    moments(theta, eta) {
      eta[0] = exp(theta[0])
    },
    logPartition: theta => exp(theta[0]),
    isClear: eta => eta[0] > 1e-9 * pooled,
    describe: theta => ({ rate: exp(theta[0]) }),
    adopt(description, eta) {
      eta[0] = notNegative("poisson", column.name, description, "rate")
    },
    sample: (theta, dice) => dice.poisson(exp(theta[0])),
    mean: theta => exp(theta[0]),
    variance: theta => exp(theta[0]),
    cdf: (x, mean) => (x < 0 ? 0 : gammaAbove(Math.floor(x) + 1, mean)),
    linear: theta => [
      [{ kind: "1" }, -exp(theta[0])],
      [{ kind: "x", column: column.name }, theta[0]],
    ],
  }
}

export const poissonKind: FamilyKind = {
  name: "poisson",
  make: options => poisson(options as PoissonOptions),
  suits: column =>
    column.integers > 0 &&
    column.integers === column.rows - column.missing &&
    column.smallest === 0 &&
    column.largest <= 100 &&
    column.distinct > 2 &&
    // a Poisson has variance = mean, a mixture of a few somewhat more; percentages and ages ten or twenty times as much
    column.variance <= 3 * column.mean
      ? `whole numbers from 0 to ${column.largest}, their variance near their mean: counts`
      : undefined,
  specimens: [{ options: {}, cell: dice => dice.poisson(4) }],
}

export const poissonGuide = {
  title: "Poisson distribution",
  columns: ["count"],
  usual: "count",
  summary: inWords,
  mean: ({ rate }) => [rate as number, Math.sqrt(rate as number)],
  makers: ["poisson"],
  code: (_, options) => call("poisson", options),
} as const satisfies Guide
