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
import type { Block } from "../contract/block.ts"
import type { Column, Need, Within } from "../contract/columns.ts"
import type { Dice } from "../contract/dice.ts"
import type { Family } from "../contract/family.ts"
import type { Leaf, Weighted } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import { SufficeError, show } from "../errors.ts"
import { log } from "../kernels/log.ts"
import { grow } from "../kernels/workspace.ts"
import { pseudoRowsOf } from "./options.ts"
import { addingPrior } from "./with-prior.ts"
import { ENDLESS } from "./within.ts"

/** θ and η of one slot are passed in arrays that are reused. */
export type Numbers = Float64Array

type Statistic = (x: number) => number

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
  const { statistics, base, pooled } = family
  const k = statistics.length
  const width = 1 + k + (base ? 1 : 0)
  const logScale = column.kind === "number" ? log(column.scale) : 0
  const theta = new Float64Array(k)
  const eta = new Float64Array(k)
  const scratch = grow()

  const thetaOf = (params: Float64Array, slot: number): Numbers => {
    for (let j = 0; j < k; j++) theta[j] = params[slot * k + j]
    return theta
  }
  /** η of a slot; the pooled one if it has no mass. */
  const etaOf = (stats: Float64Array, slot: number): Numbers => {
    const n = stats[slot * width]
    for (let j = 0; j < k; j++) eta[j] = n > 0 ? stats[slot * width + 1 + j] / n : pooled[j]
    return eta
  }
  /** stats += mass · η. */
  const addMoments = (stats: Float64Array, slot: number, mass: number): void => {
    stats[slot * width] += mass
    for (let j = 0; j < k; j++) stats[slot * width + 1 + j] += mass * eta[j]
    if (base) stats[slot * width + 1 + k] += mass * base.expected(eta)
  }
  /** s_j(x_i) at j·rows + i, then −ln h(x_i); NaN if x_i is missing. */
  const statisticsOf = ({ rows, cells }: Block): Float64Array => {
    const x = cells[place] as Float64Array
    const s = scratch((k + 1) * rows)
    for (let j = 0; j <= k; j++) {
      const of = j < k ? statistics[j] : base?.of
      if (of) for (let i = 0; i < rows; i++) s[j * rows + i] = x[i] === x[i] ? of(x[i]) : NaN
    }
    return s
  }
  /** stats[at …] += w · (1, s, −ln h) of row i. */
  function add(stats: Float64Array, at: number, w: number, s: Float64Array, i: number, rows: number): void {
    stats[at] += w
    stats[at + 1] += w * s[i]
    if (width > 2) stats[at + 2] += w * s[rows + i]
    if (width > 3) stats[at + 3] += w * s[2 * rows + i]
  }

  const prior: Leaf["prior"] = (stats, strength = 1) => {
    const rows = Math.min(strength * kappa, ENDLESS)
    for (let p = 0; p < slots; p++) {
      stats[p * width] += rows
      for (let j = 0; j < k; j++) stats[p * width + 1 + j] += rows * pooled[j]
    }
  }
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

    score(block, params, out) {
      const rows = block.rows
      const s = statisticsOf(block)
      for (let p = 0; p < slots; p++) {
        const top = family.logPartition(thetaOf(params, p)) + logScale
        const first = theta[0]
        const second = theta[1]
        for (let i = 0; i < rows; i++) {
          if (s[i] !== s[i]) continue
          // −∞ · 0 = 0
          let sum = s[i] === 0 ? 0 : first * s[i]
          if (k === 2 && s[rows + i] !== 0) sum += second * s[rows + i]
          out[p * rows + i] += sum - top - s[k * rows + i]
        }
      }
    },

    absorb(block, _params, weights, stats) {
      const rows = block.rows
      const s = statisticsOf(block)
      for (let i = 0; i < rows; i++) {
        if (s[i] !== s[i]) continue
        if (weights.form === "one") add(stats, weights.slot[i] * width, weights.weight[i], s, i, rows)
        else {
          const { values } = weights
          for (let p = 0; p < slots; p++) add(stats, p * width, values[p * rows + i], s, i, rows)
        }
      }
      return false
    },

    solve(stats, strength, params) {
      const both = withPrior(stats, strength)
      let clamped = 0
      for (let p = 0; p < slots; p++) {
        if (!family.solve(etaOf(both, p), theta) || both[p * width] < 0) clamped++
        params.set(theta, p * k)
      }
      return clamped
    },

    moments(params, mass, stats) {
      for (let p = 0; p < slots; p++) {
        family.moments(thetaOf(params, p), eta)
        addMoments(stats, p, mass[p])
      }
    },

    inside: (stats, slot) => stats[slot * width] > 0 && family.isClear(etaOf(stats, slot)),

    value(stats, params) {
      let total = 0
      for (let p = 0; p < slots; p++) {
        thetaOf(params, p)
        let product = 0 // ⟨stats_p, θ_p⟩
        for (let j = 0; j < k; j++) {
          const sum = stats[p * width + 1 + j]
          if (sum !== 0) product += sum * theta[j]
        }
        const top = stats[p * width] * (family.logPartition(theta) + logScale)
        total += product - top - (base ? stats[p * width + 1 + k] : 0)
      }
      return total
    },
    mass: (stats, slot) => stats[slot * width],

    describe: (params, slot) => family.describe(thetaOf(params, slot)),

    adopt(description, slot, mass, stats) {
      family.adopt(description, eta)
      addMoments(stats, slot, mass)
    },

    sample(params, slot, block, dice) {
      const x = block.cells[place] as Float64Array
      if (Number.isNaN(x[0])) x[0] = family.sample(thetaOf(params, slot), dice)
    },
    numbers: {
      expect(_block, params, slot, _place, mean, variance) {
        mean.fill(family.mean(thetaOf(params, slot)))
        variance.fill(family.variance(theta))
      },
      cdf: family.cdf,
    },

    ...(family.linear && {
      terms: { linear: (params, slot) => family.linear!(thetaOf(params, slot)) },
    }),
  }
}
