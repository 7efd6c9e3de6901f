/**
 * Several real numbers per row, correlated or not.
 *
 *     ln p(x | μ, Σ) = −½ ln |2πΣ| − ½ (x − μ)ᵀ Σ⁻¹ (x − μ)
 *     s(x) = (1, x, xxᵀ)      μ = Σwx / n      Σ = Σwxxᵀ / n − μμᵀ
 *     prior: ν pseudo-rows around the slot's own mean, with the variation V within slots (inverse-Wishart, the mean free):
 *            Σ = ( M + νV ) / ( n + ν ), M the scatter, ν = d + 5 (full, tied) or 6; none for identity, where only the mean is learned
 *
 *     full       a Σ per slot                     s: xxᵀ          dense.ts
 *     tied       one Σ for all slots              s: xxᵀ          dense.ts
 *     diag       Σ = diag(σ²_1 … σ²_d) per slot   s: x_1² … x_d²  diagonal.ts
 *     spherical  Σ = σ² I per slot                s: |x|²         diagonal.ts
 *     identity   Σ = I, in the units of the data  s: |x|²         diagonal.ts
 *
 * Missing cells are integrated out: a score is the marginal density of the cells that are seen. If columns are correlated (full, tied), statistics are
 * expectations given those cells; otherwise they count the seen cells column by column.
 * Cells are encoded as (x − shift)/scale; densities are those of x.
 */
import type { Need } from "../../contract/columns.ts"
import type { Family, FamilyKind } from "../../contract/family.ts"
import type { Guide } from "../../contract/guide.ts"
import type { Leaf } from "../../contract/leaf.ts"
import type { Description, Json } from "../../contract/report.ts"
import { type Table, valuesOf } from "../../option-table.ts"
import { call, deviation, inWords } from "../guide.ts"
import { choice, prior, pseudoRowsOf } from "../options.ts"
import type { NormalPrior } from "../priors.ts"
import type { NumberColumn } from "./columns.ts"
import { denseLeaf } from "./dense.ts"
import { diagonalLeaf } from "./diagonal.ts"

export type Covariance = "full" | "tied" | "diag" | "spherical" | "identity"

export interface NormalOptions {
  /** "tied": one matrix over all slots, which makes the posterior of a class linear in x. */
  readonly covariance?: Covariance
  /** A factor on the pseudo-rows per slot ("tied": of all slots together) at prior strength 1; 0 is maximum likelihood. */
  readonly prior?: number | NormalPrior
}

interface Shape {
  readonly scale: Extract<Need, { kind: "number" }>["scale"]
  bind(columns: readonly NumberColumn[], places: readonly number[], slots: number, kappa: number): Leaf
}

// The one place where the five differ by name. Spherical and identity have a meaning only on a common scale.
const SHAPES: Readonly<Record<Covariance, Shape>> = {
  full: {
    scale: "own",
    bind: (columns, places, slots, kappa) => denseLeaf(columns, places, slots, 1, kappa),
  },
  tied: {
    scale: "own",
    bind: (columns, places, slots, kappa) => denseLeaf(columns, places, slots, slots, kappa),
  },
  diag: {
    scale: "own",
    bind: (columns, places, slots, kappa) => diagonalLeaf(columns, places, slots, "each", kappa),
  },
  spherical: {
    scale: "common",
    bind: (columns, places, slots, kappa) => diagonalLeaf(columns, places, slots, "one", kappa),
  },
  identity: {
    scale: "common",
    bind: (columns, places, slots, kappa) => diagonalLeaf(columns, places, slots, "unit", kappa),
  },
}

const OPTIONS = {
  covariance: choice("full", Object.keys(SHAPES) as Covariance[]),
  prior: prior<NormalPrior>(1),
} satisfies Table<NormalOptions>

/** The family behind `normal(columns, options)`. */
export function normalFamily(options: NormalOptions = {}): Family<number> {
  const { covariance, prior } = valuesOf("normal", OPTIONS, options)
  const shape = SHAPES[covariance]
  const kappa = pseudoRowsOf(prior)
  return {
    name: "normal",
    options: { covariance, prior: prior as Json },
    need: { kind: "number", scale: shape.scale },
    measure: "density",
    bind: (columns, places, slots) => shape.bind(columns as NumberColumn[], places, slots, kappa),
  }
}

export const normalKind: FamilyKind = {
  name: "normal",
  make: options => normalFamily(options as NormalOptions),
  specimens: [
    { options: {}, cell: dice => 3 + 2 * dice.normal() },
    { options: { covariance: "tied" }, cell: dice => -1 + 0.5 * dice.normal() },
    { options: { covariance: "diag", prior: 0.5 }, cell: dice => 100 + 30 * dice.normal() },
    { options: { covariance: "spherical" }, cell: dice => 2 + 0.1 * dice.normal() },
    { options: { covariance: "identity" }, cell: dice => 5 + dice.normal() },
  ],
}

export const normalGuide = {
  title: "multivariate normal distribution",
  columns: ["number"],
  joint: true,
  varies: "together",
  initial: { covariance: "full", prior: 1 },
  settings: [
    { option: "covariance", values: ["full", "tied", "diag", "spherical", "identity"], usual: "full" },
  ],
  summary: inWords,
  mean: ({ mean, sd }) =>
    typeof mean === "number" && typeof sd === "number" ? ([mean, sd] as const) : undefined,
  each: parameters =>
    Object.entries(parameters.mean as Record<string, number>).map(
      ([column, mean]) => [column, { mean, sd: spreadOf(parameters, column) }] as const,
    ),
  makers: ["normal"],
  code: (columns, options) => call("normal", options, columns),
} as const satisfies Guide

/** The description has `sd` if a variance overflows. */
function spreadOf(parameters: Description, column: string): number {
  const { sd, covariance, variance } = parameters as Record<string, Record<string, unknown> | undefined>
  return sd ? (sd[column] as number) : deviation((covariance ?? variance)![column], column)
}
