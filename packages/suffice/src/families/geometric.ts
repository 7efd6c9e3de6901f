/**
 * A count of failures before the first success, or any count whose probabilities fall by one factor from 0 on.
 *
 *     ln p(x | m) = x ln(m/(m + 1)) − ln(m + 1)      s(x) = x      θ = ln(m/(m + 1))      m = Σwx / n      success: 1/(m + 1)
 *     prior: κ pseudo-rows at the column's pooled mean
 *
 * The negative binomial of one success.
 */
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import { type Table, valuesOf } from "../option-table.ts"
import { call, inWords } from "./guide.ts"
import { naturalFamily } from "./natural.ts"
import { failures } from "./negative-binomial.ts"
import { prior } from "./options.ts"
import type { MeanPrior } from "./priors.ts"

export interface GeometricOptions {
  /** Pseudo-rows per slot at prior strength 1. */
  readonly prior?: number | MeanPrior
}

const OPTIONS = { prior: prior<MeanPrior>(1) } satisfies Table<GeometricOptions>

export function geometric(options: GeometricOptions = {}): Family<number> {
  return naturalFamily("geometric", valuesOf("geometric", OPTIONS, options), { kind: "count" }, column =>
    failures("geometric", column, 1),
  )
}

export const geometricKind: FamilyKind = {
  name: "geometric",
  make: options => geometric(options as GeometricOptions),
  specimens: [{ options: {}, cell: dice => dice.poisson(3 * dice.gamma(1)) }],
}

export const geometricGuide = {
  title: "geometric distribution",
  columns: ["count"],
  onRequest: true,
  summary: inWords,
  mean: ({ mean }) => [mean as number, Math.sqrt((mean as number) * (1 + (mean as number)))],
  makers: ["geometric"],
  code: (_, options) => call("geometric", options),
} as const satisfies Guide
