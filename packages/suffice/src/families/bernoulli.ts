/**
 * Yes or no per cell: booleans, or 0 and 1.
 *
 *     ln p(x) = x ln q + (1 − x) ln(1 − q)      s(x) = (1[x = 0], 1[x = 1])      q = Σwx / n
 *     prior: α pseudo-counts on each side (Beta), α = 1 is Laplace: (Σwx + 1) / (n + 2)
 *
 * It is the categorical of two levels, described by q, the probability of the second (true, or 1).
 */
import type { Column } from "../contract/columns.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Json } from "../contract/report.ts"
import { probability } from "../described.ts"
import { exp } from "../kernels/exp.ts"
import { type Table, valuesOf } from "../option-table.ts"
import { call, inWords, noMean } from "./guide.ts"
import { levelLeaf } from "./level-leaf.ts"
import { prior, pseudoRowsOf } from "./options.ts"
import type { BernoulliPrior } from "./priors.ts"

export interface BernoulliOptions {
  /** Pseudo-counts on each side at prior strength 1. */
  readonly prior?: number | BernoulliPrior
}

const OPTIONS = { prior: prior<BernoulliPrior>(1) } satisfies Table<BernoulliOptions>

export function bernoulli(options: BernoulliOptions = {}): Family<boolean | 0 | 1> {
  const { prior } = valuesOf("bernoulli", OPTIONS, options)
  const alpha = pseudoRowsOf(prior)
  return {
    name: "bernoulli",
    options: { prior: prior as Json },
    need: { kind: "level", binary: true },
    measure: "mass",
    bind: (columns, places, slots) => leaf(columns[0] as LevelColumn, places[0], slots, alpha),
  }
}

type LevelColumn = Extract<Column, { kind: "level" }>

// stats and params as in categorical: entry slots + p belongs to the second level
function leaf(column: LevelColumn, place: number, slots: number, alpha: number): Leaf {
  return {
    ...levelLeaf(column, place, slots, alpha),

    describe: (params, slot) => ({ probability: exp(params[slots + slot]) }),

    adopt(description, slot, mass, stats) {
      const q = probability("bernoulli", column.name, "probability", description?.probability)
      stats[slot] += mass * (1 - q)
      stats[slots + slot] += mass * q
    },
  }
}

export const bernoulliKind: FamilyKind = {
  name: "bernoulli",
  make: options => bernoulli(options as BernoulliOptions),
  suits: column => {
    const seen = column.rows - column.missing
    if (seen === 0) return undefined
    if (column.booleans === seen) return "true or false"
    const bits = column.integers === seen && column.smallest === 0 && column.largest === 1
    return bits ? "only 0 and 1" : undefined
  },
  specimens: [
    { options: {}, cell: dice => dice.uniform() < 0.3 },
    { options: { prior: 0.5 }, cell: dice => dice.integer(2) },
  ],
}

export const bernoulliGuide = {
  title: "Bernoulli distribution",
  columns: ["level"],
  usual: "binary",
  summary: inWords,
  mean: noMean,
  makers: ["bernoulli"],
  code: (_, options) => call("bernoulli", options),
} as const satisfies Guide
