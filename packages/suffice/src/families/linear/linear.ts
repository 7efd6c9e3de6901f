/**
 * One real number per row, given others: linear regression.
 *
 *     ln p(y | x) = −½ ln 2πσ² − (y − w·(1, x))² / 2σ²
 *     s(x, y) = (1, x, y)(1, x, y)ᵀ      w = least squares      σ² = mean squared residual
 *     prior: six pseudo-rows around the slot's own means, on a line with the common slope of all slots, with the residual variance within
 *            slots (spread.ts)
 *
 * With x̄, ȳ the means, C = Σwxxᵀ/n − x̄x̄ᵀ and c = Σwxy/n − x̄ȳ:  β = C⁻¹c,  w = (ȳ − β·x̄, β),  σ² = var y − β·c.
 * The density is that of y: x̄ and C are not part of it, but θ contains them, so that statistics can be recovered from θ.
 *
 *     y missing: the row says nothing about θ; completed, E[s | x] = s(x, ŷ) with σ² added to y²
 *     x missing: allowed only if y is missing too
 *
 * Cells are encoded as (x − shift)/scale; the density is that of y in its own units.
 */
import type { Family, FamilyKind } from "../../contract/family.ts"
import type { Guide } from "../../contract/guide.ts"
import type { Json } from "../../contract/report.ts"
import { SufficeError, show } from "../../errors.ts"
import { type Table, valuesOf } from "../../option-table.ts"
import { call, inWords, noMean } from "../guide.ts"
import type { NumberColumn } from "../normal/columns.ts"
import { prior, pseudoRowsOf } from "../options.ts"
import type { LinearPrior } from "../priors.ts"
import { linearLeaf } from "./leaf.ts"

/** The name of the family, under which a column of a network describes itself if a parent is a number. */
export const REGRESSION = "linear"

export interface LinearLeafOptions {
  /** A factor on the six pseudo-rows per slot at prior strength 1; 0 is least squares. */
  readonly prior?: number | LinearPrior
}

const OPTIONS = { prior: prior<LinearPrior>(1) } satisfies Table<LinearLeafOptions>

/** The family behind `linear(column, on, options)`. */
export function linearFamily(on: readonly string[], options: LinearLeafOptions = {}): Family<number> {
  const { prior } = valuesOf("linear", OPTIONS, options)
  const kappa = pseudoRowsOf(prior)
  const reads = checked(on).slice()
  return {
    name: REGRESSION,
    options: { on: reads, prior: prior as Json },
    need: { kind: "number", scale: "own" },
    measure: "density",
    reads,
    bind(columns, places, slots) {
      const [{ name }, ...given] = columns as NumberColumn[]
      if (given.length !== reads.length || reads.includes(name)) throw notItself(name)
      return linearLeaf(columns as NumberColumn[], places, slots, kappa)
    },
  }
}

function checked(on: readonly string[]): readonly string[] {
  const fine = Array.isArray(on) && on.length > 0 && on.every(name => typeof name === "string")
  if (fine && new Set(on).size === on.length) return on
  const twice = fine && on.find((name, j) => on.indexOf(name) !== j)
  throw new SufficeError(
    "model",
    twice
      ? `linear: column ${show(twice)} is read twice. Its two coefficients could not be told apart. Name it once.`
      : `linear: the columns to read are ${show(on)}. It takes a list of column names, at least one. Write for example linear("y", ["x"]), or gaussian() for a column that depends on none.`,
  )
}

/** One column, and not one of those it reads. */
export function notItself(column: string): SufficeError {
  return new SufficeError(
    "model",
    `linear: column ${show(column)} stands where one column is given others. A column says everything of itself. Name one column, and read others.`,
    { column },
  )
}

export const linearKind: FamilyKind = {
  name: "linear",
  make(options) {
    const { on, ...rest } = options
    return linearFamily(on as string[], rest as LinearLeafOptions)
  },
  specimens: [
    { options: { on: ["dose"] }, cell: (dice, [dose]) => 3 - 2 * dose + dice.normal() },
    {
      options: { on: ["dose", "age"], prior: 0.5 },
      cell: (dice, [dose, age]) => 0.01 * (dose + 3 * age + 2 * dice.normal()),
    },
  ],
}

export const linearGuide = {
  title: "linear regression",
  columns: ["number"],
  joint: true,
  line: true,
  summary: inWords,
  mean: noMean,
  makers: ["linear"],
  code: ([column], { on, ...options }) => call("linear", options, column, on),
} as const satisfies Guide
