/**
 * One real number per cell.
 *
 *     ln p(x | μ, σ²) = −½ ln 2πσ² − (x − μ)² / 2σ²
 *     s(x) = (1, x, x²)      μ = Σwx / n      σ² = Σwx² / n − μ²      (tied: one σ² over all slots)
 *     prior: ν = 6 pseudo-rows around the slot's own mean, with the variance v within slots (within.ts):
 *            σ² = ( Σw(x − μ)² + νv ) / ( n + ν )      tied: once for all slots
 *
 * Cells are encoded as (x − shift)/scale; the density is that of x.
 */
import type { Banking } from "../contract/bank.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Json } from "../contract/report.ts"
import { finite } from "../described.ts"
import type { FusibleLeaf } from "../kernels/fusion.ts"
import { normalBelow } from "../kernels/normal-cdf.ts"
import { type Table, valuesOf } from "../option-table.ts"
import { quadratic } from "./features.ts"
import { GaussianBank, type GaussianOf, type NumberColumn } from "./gaussian-bank.ts"
import { isFar, scoreLines, scoreNormals, valueOfNormals } from "./gaussian-rows.ts"
import { call, inWords } from "./guide.ts"
import { choice, prior, pseudoRowsOf } from "./options.ts"
import type { GaussianPrior } from "./priors.ts"

export interface GaussianOptions {
  /** "own": a variance per slot. "tied": one for all slots, which makes a naive Bayes posterior linear in x. */
  readonly variance?: "own" | "tied"
  /** A factor on the six pseudo-rows per slot (tied: for all slots) at prior strength 1; 0 is maximum likelihood. */
  readonly prior?: number | GaussianPrior
}

const OPTIONS = {
  variance: choice("own", ["own", "tied"]),
  prior: prior<GaussianPrior>(1),
} satisfies Table<GaussianOptions>

export function gaussian(options: GaussianOptions = {}): Family<number> {
  const { variance, prior } = valuesOf("gaussian", OPTIONS, options)
  return {
    name: "gaussian",
    options: { variance, prior: prior as Json },
    need: { kind: "number", scale: "own" },
    measure: "density",
    ...(variance === "own" && { regression: { prior: prior as Json } }),
    bind: (columns, places, slots) =>
      leaf(columns[0] as NumberColumn, places[0], slots, variance === "tied", pseudoRowsOf(prior)),
  }
}

// stats and params as in gaussian-bank.ts
function leaf(column: NumberColumn, place: number, slots: number, tied: boolean, kappa: number): FusibleLeaf {
  const width = tied ? 2 : 3
  const shared = slots * width
  const alone = new GaussianBank([{ column, place }], slots, tied, kappa)

  const score: Leaf["score"] = (block, params, out, upToConstant) => {
    const x = block.cells[place] as Float64Array
    if (tied && upToConstant && isFar(x, block.rows)) scoreLines(x, block.rows, slots, params, out)
    else scoreNormals(x, block.rows, slots, params, out)
  }

  const made: FusibleLeaf = {
    shape: shapeOf(slots, tied),
    fusion: { kind: "numbers", place, score, ...(tied && { isFar }) },
    spread: { length: 1, estimate: (stats, spread) => void spread.fill(alone.within(stats, 0), 0, 1) },
    prior: (stats, strength, spread, around) => alone.prior(stats, strength, spread, around),
    score,
    absorb(block, _params, weights, stats) {
      alone.absorb(block, weights, stats)
      return false
    },
    solve: (stats, strength, params, spread = Float64Array.of(alone.within(stats, 0))) =>
      alone.solve(stats, strength, params, spread),
    moments: (params, mass, stats) => alone.moments(params, mass, stats),
    inside: (stats, slot, spread) => alone.inside(stats, slot, spread, 0),
    value: (stats, params) => valueOfNormals(stats, params, slots, tied),
    mass: (stats, slot) => stats[slot * width],
    describe: (params, slot) => ({
      mean: column.shift + column.scale * params[slot * 3],
      sd: column.scale / Math.sqrt(params[slot * 3 + 1]),
    }),
    adopt(description, slot, mass, stats) {
      const mean = (finite("gaussian", column.name, description, "mean") - column.shift) / column.scale
      const sd = finite("gaussian", column.name, description, "sd", 0) / column.scale
      stats[slot * width] += mass
      stats[slot * width + 1] += mass * mean
      stats[tied ? shared : slot * 3 + 2] += mass * (mean * mean + sd * sd)
    },
    sample(params, slot, block, dice) {
      const x = block.cells[place] as Float64Array
      if (Number.isNaN(x[0])) x[0] = params[slot * 3] + dice.normal() / Math.sqrt(params[slot * 3 + 1])
    },
    numbers: {
      expect(_block, params, slot, _place, mean, variance) {
        mean.fill(params[slot * 3])
        variance.fill(1 / params[slot * 3 + 1])
      },
      cdf: normalBelow,
      line: (params, slot, out) => out.set(params.subarray(slot * 3, slot * 3 + 3)),
    },
    terms: {
      linear: (params, slot) =>
        quadratic(column.name, params[slot * 3], params[slot * 3 + 1], params[slot * 3 + 2]),
    },
  }
  return Object.assign(made, { banking: new GaussianBanking(made, { column, place }, slots, tied, kappa) })
}

function shapeOf(slots: number, tied: boolean): Leaf["shape"] {
  const shared = slots * (tied ? 2 : 3)
  return {
    slots,
    statistics: tied ? shared + 1 : shared,
    axes: tied ? [["slot", 2], [1]] : [["slot", 3]],
    parameters: slots * 3,
    free: tied ? slots + 1 : slots * 2,
  }
}

/** Normals of the same options side by side. */
class GaussianBanking implements Banking {
  readonly leaf: Leaf
  readonly #of: GaussianOf
  readonly #slots: number
  readonly #tied: boolean
  readonly #kappa: number

  constructor(leaf: Leaf, of: GaussianOf, slots: number, tied: boolean, kappa: number) {
    this.leaf = leaf
    this.#of = of
    this.#slots = slots
    this.#tied = tied
    this.#kappa = kappa
  }

  goesWith(other: Banking): boolean {
    return (
      other instanceof GaussianBanking &&
      other.#slots === this.#slots &&
      other.#tied === this.#tied &&
      other.#kappa === this.#kappa
    )
  }

  bank(members: readonly Banking[]): GaussianBank {
    const all = members.map(member => (member as GaussianBanking).#of)
    return new GaussianBank(all, this.#slots, this.#tied, this.#kappa)
  }
}

export const gaussianKind: FamilyKind = {
  name: "gaussian",
  make: options => gaussian(options as GaussianOptions),
  suits: column => {
    if (column.numbers === 0 || column.numbers !== column.rows - column.missing) return undefined
    if (column.integers < column.numbers) return `${column.distinct} different numbers`
    // poisson was asked before
    if (column.smallest === 0 && column.variance > 3 * column.mean) {
      return `variance ${Math.round(column.variance / column.mean)} times the mean: too spread for counts`
    }
    // a few distinct integers may be codes or measurements: as numbers they keep order and distance
    return column.distinct <= 20
      ? `${column.distinct} different whole numbers, whose order and distance count; if they are codes, name categorical()`
      : `${column.distinct} different numbers`
  },
  specimens: [
    { options: {}, cell: dice => 3 + 2 * dice.normal() },
    { options: { variance: "tied" }, cell: dice => -1 + 0.5 * dice.normal() },
  ],
}

export const gaussianGuide = {
  title: "normal distribution",
  columns: ["number"],
  usual: "number",
  varies: "alone",
  initial: { variance: "own", prior: 1 },
  summary: inWords,
  mean: ({ mean, sd }) => [mean as number, sd as number],
  makers: ["gaussian"],
  code: (_, options) => call("gaussian", options),
} as const satisfies Guide
