/**
 * What one-column exponential families share, written once.
 *
 *     ln p(x | θ) = Σ_j θ_j s_j(x) − A(θ) + ln h(x)      η = E[s | θ]
 *     stats, slot by slot: n, Σw s_1, …, Σw s_k, and −Σw ln h if h is not 1      params, slot by slot: θ_1, …, θ_k
 *     prior: κ pseudo-rows per slot at the column's pooled moments
 *
 * A family gives s, h, A and the maps between θ, η and its usual parameters; slots, both forms of weights, missing cells, the
 * prior and the units are handled here. Numbers are encoded as x/scale; the density is that of x.
 */
import type { Column, Need, Within } from "../contract/columns.ts"
import type { Dice } from "../contract/dice.ts"
import type { Family } from "../contract/family.ts"
import type { Leaf, Weighted } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import { SufficeError, show } from "../errors.ts"
import {
  absorbRows,
  addExpected,
  addMoments,
  addPrior,
  etaOf,
  expectRows,
  naturalLeaf,
  type Statistic,
  scoreRows,
  thetaOf,
  valueOfSlots,
} from "./natural-leaf.ts"
import { pseudoRowsOf } from "./options.ts"
import { addingPrior } from "./with-prior.ts"

/** θ and η of one slot are passed in arrays that are reused. */
export type Numbers = Float64Array

export interface Natural {
  /** s_1, …, s_k: one or two. */
  readonly statistics: readonly [Statistic] | readonly [Statistic, Statistic]
  /** −ln h(x), and its expectation at η; absent if h is 1. */
  readonly base?: { of(x: number): number; expected(eta: Numbers): number }
  /** The pooled η: that of the prior, and of slots without mass. */
  readonly pooled: readonly number[]
  /** θ ← θ(η). False: η is at the edge of the domain or beyond, and θ is clamped. */
  solve(eta: Numbers, theta: Numbers): boolean
  /** η ← η(θ). */
  moments(theta: Numbers, eta: Numbers): void
  /** A(θ). */
  logPartition(theta: Numbers): number
  /** Is η clear of the edge of the domain? */
  isClear(eta: Numbers): boolean
  /** The usual parameters by name, in the units of the data; and η from them. */
  describe(theta: Numbers): Description
  adopt(description: Description, eta: Numbers): void
  sample(theta: Numbers, dice: Dice): number
  mean(theta: Numbers): number
  variance(theta: Numbers): number
  /** P(X ≤ x) of an X with this mean and variance. */
  cdf(x: number, mean: number, variance: number): number
  /** ln p − ln h as weighted features of the row; absent: it is not linear in features. */
  linear?(theta: Numbers): readonly Weighted[]
}

/** What a family with a support knows of its column: the unit, and the pooled moments of the encoded values. */
export function pooledOf(column: Column): Omit<Within, "support"> & { readonly scale: number } {
  if (column.kind === "number" && column.within) return { ...column.within, scale: column.scale }
  throw new SufficeError(
    "model",
    `column ${show(column.name)} does not say where its numbers live. A family of numbers with a support needs their pooled moments. Let fit() or specify() make the column.`,
    { column: column.name },
  )
}

/** Moves a draw that rounding put on the boundary of the support back inside. */
export function aboveZero(x: number): number {
  return Math.max(x, 1e-140)
}

export function belowOne(x: number): number {
  return Math.min(x, 0.9999999999999999) // 1 − 2⁻⁵³
}

/** The family with these options, of which `prior` is the number of pseudo-rows per slot. */
export function naturalFamily(
  name: string,
  options: { readonly prior: number | object; readonly [option: string]: number | object },
  need: Need,
  of: (column: Column) => Natural,
): Family<number> {
  const kappa = pseudoRowsOf(options.prior)
  return {
    name,
    options: options as Description,
    need,
    measure: need.kind === "count" ? "mass" : "density",
    bind: ([column], [place], slots) => leafOf(column, place, slots, kappa, of(column)),
  }
}

function leafOf(column: Column, place: number, slots: number, kappa: number, family: Natural): Leaf {
  const leaf = naturalLeaf(column, place, slots, kappa, family)
  const { width, k, theta, eta } = leaf

  const prior: Leaf["prior"] = (stats, strength) => addPrior(leaf, stats, strength)
  const withPrior = addingPrior(prior)

  return {
    shape: {
      slots,
      statistics: slots * width,
      axes: [["slot", width]],
      parameters: slots * k,
      free: slots * k,
    },
    prior,
    score: (block, params, out) => scoreRows(leaf, block, params, out),
    absorb: (block, _params, weights, stats) => absorbRows(leaf, block, weights, stats),
    solve(stats, strength, params) {
      const both = withPrior(stats, strength)
      let clamped = 0
      for (let p = 0; p < slots; p++) {
        if (!family.solve(etaOf(leaf, both, p), theta) || both[p * width] < 0) clamped++
        params.set(theta, p * k)
      }
      return clamped
    },
    moments: (params, mass, stats) => addExpected(leaf, params, mass, stats),
    inside: (stats, slot) => stats[slot * width] > 0 && family.isClear(etaOf(leaf, stats, slot)),
    value: (stats, params) => valueOfSlots(leaf, stats, params),
    mass: (stats, slot) => stats[slot * width],
    describe: (params, slot) => family.describe(thetaOf(leaf, params, slot)),
    adopt(description, slot, mass, stats) {
      family.adopt(description, eta)
      addMoments(leaf, stats, slot, mass)
    },
    sample(params, slot, block, dice) {
      const x = block.cells[place] as Float64Array
      if (Number.isNaN(x[0])) x[0] = family.sample(thetaOf(leaf, params, slot), dice)
    },
    numbers: {
      expect: (_block, params, slot, _place, mean, variance) =>
        expectRows(leaf, params, slot, mean, variance),
      cdf: family.cdf,
    },
    ...(family.linear && {
      terms: { linear: (params, slot) => family.linear!(thetaOf(leaf, params, slot)) },
    }),
  }
}
