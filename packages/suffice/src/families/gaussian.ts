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
import type { Column } from "../contract/columns.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Leaf } from "../contract/leaf.ts"
import { finite } from "../described.ts"
import type { FusibleLeaf } from "../kernels/fusion.ts"
import { log } from "../kernels/log.ts"
import { normalBelow } from "../kernels/normal-cdf.ts"
import { quadratic } from "./features.ts"
import { known, knownOptions, oneOf, pseudoRows } from "./options.ts"
import { addingPrior } from "./with-prior.ts"
import { rowsOfPrior, squaresLeft, withinSlots } from "./within.ts"

export interface GaussianOptions {
  /** "own": a variance per slot. "tied": one for all slots, which makes a naive Bayes posterior linear in x. */
  readonly variance?: "own" | "tied"
  /** A factor on the six pseudo-rows per slot (tied: for all slots) at prior strength 1; 0 is maximum likelihood. */
  readonly prior?: number
}

export function gaussian(options: GaussianOptions = {}): Family<number> {
  return made(known("gaussian", options, ["variance", "prior"]))
}

function made({ variance = "own", prior = 1 }: GaussianOptions): Family<number> {
  const tied = oneOf("gaussian", "variance", variance, ["own", "tied"]) === "tied"
  const kappa = pseudoRows("gaussian", prior)
  return {
    name: "gaussian",
    options: { variance, prior },
    need: { kind: "number", scale: "own" },
    measure: "density",
    bind: (columns, places, slots) => leaf(columns[0] as NumberColumn, places[0], slots, tied, kappa),
  }
}

type NumberColumn = Extract<Column, { kind: "number" }>

/** Variances are clamped to this fraction of v. */
const FLOOR = 1e-9
/** Steps of stochastic learners keep variances above this fraction of v. */
const CLEAR = 1e-4
const LN_2PI = 1.8378770664093453
/** Encoded cells beyond this are scored by lines, if slots are tied (scoreLines). */
const FAR = 1e6
/** Beyond this they are clipped, so that no product overflows. */
const FARTHEST = 1e150

function isFar(x: Float64Array, rows: number): boolean {
  for (let i = 0; i < rows; i++) if (Math.abs(x[i]) > FAR) return true
  return false
}

// stats, slot by slot: n, Σwx, and Σwx² (own) or one Σwx² at the end (tied).   params: μ, 1/σ², ln of the density at μ
function leaf(column: NumberColumn, place: number, slots: number, tied: boolean, kappa: number): FusibleLeaf {
  const width = tied ? 2 : 3
  const shared = slots * width
  const logScale = log(column.scale)

  /** v; if tied, of all slots together. */
  function within(stats: Float64Array): number {
    const squares = new Float64Array(tied ? 1 : slots)
    const freedom = new Float64Array(tied ? 1 : slots)
    let taken = 0
    for (let p = 0; p < slots; p++) {
      const n = stats[p * width]
      if (!tied) taken = 0
      taken += n * meanOf(stats, p) * meanOf(stats, p)
      freedom[tied ? 0 : p] += Math.max(n - 1, 0)
      if (!tied) squares[p] = squaresLeft(stats[p * 3 + 2], taken)
    }
    if (tied) squares[0] = squaresLeft(stats[shared], taken)
    return withinSlots(squares, freedom, column.variance)
  }

  function put(params: Float64Array, slot: number, mean: number, variance: number): void {
    params[slot * 3] = mean
    params[slot * 3 + 1] = 1 / variance
    params[slot * 3 + 2] = -0.5 * (LN_2PI + log(variance)) - logScale
  }

  const meanOf = (stats: Float64Array, p: number): number =>
    stats[p * width] > 0 ? stats[p * width + 1] / stats[p * width] : (column.within?.mean ?? 0)

  /** σ² of a slot; if tied, of all slots together. */
  function varianceOf(stats: Float64Array, slot: number): number {
    let within = stats[tied ? shared : slot * 3 + 2] // Σ_p Σ w (x − μ_p)²
    let total = 0
    for (let p = tied ? 0 : slot; p < (tied ? slots : slot + 1); p++) {
      const mean = meanOf(stats, p)
      within -= stats[p * width] * mean * mean
      total += stats[p * width]
    }
    return total > 0 ? within / total : column.variance
  }

  const score: Leaf["score"] = (block, params, out, upToConstant) => {
    const x = block.cells[place] as Float64Array
    const rows = block.rows
    if (tied && upToConstant && isFar(x, rows)) {
      scoreLines(x, rows, params, out)
      return
    }
    for (let p = 0; p < slots; p++) {
      const mean = params[p * 3]
      const precision = params[p * 3 + 1]
      const top = params[p * 3 + 2]
      const at = p * rows
      for (let i = 0; i < rows; i++) {
        const d = x[i] - mean
        const score = top - 0.5 * precision * d * d
        if (score === score) out[at + i] += score
      }
    }
  }

  /**
   * Tied slots have the same quadratic term: p(slot | x) needs only the line μx/σ² − μ²/2σ². Far from all means it must be used: there (x − μ)² has
   * the same bits for every μ, and beyond 1e154 it is Infinity.
   */
  function scoreLines(x: Float64Array, rows: number, params: Float64Array, out: Float64Array): void {
    for (let p = 0; p < slots; p++) {
      const mean = params[p * 3]
      const precision = params[p * 3 + 1]
      for (let i = 0; i < rows; i++) {
        const d = x[i] - mean
        const score =
          Math.abs(x[i]) > FAR
            ? precision * mean * (Math.max(Math.min(x[i], FARTHEST), -FARTHEST) - mean / 2)
            : params[p * 3 + 2] - 0.5 * precision * d * d
        if (score === score) out[p * rows + i] += score
      }
    }
  }

  const prior: Leaf["prior"] = (stats, strength = 1, spread, around = stats) => {
    const variance = spread ? spread[0] : within(around)
    const rows = rowsOfPrior(1, strength * kappa) / (tied ? slots : 1)
    for (let p = 0; p < slots; p++) {
      const mean = meanOf(around, p)
      stats[p * width] += rows
      stats[p * width + 1] += rows * mean
      stats[tied ? shared : p * 3 + 2] += rows * (mean * mean + variance)
    }
  }
  const withPrior = addingPrior(prior)

  return {
    slots,
    fusion: { kind: "numbers", place, score, ...(tied && { isFar }) },
    statistics: tied ? shared + 1 : shared,
    axes: tied ? [["slot", 2], [1]] : [["slot", 3]],
    parameters: slots * 3,
    free: tied ? slots + 1 : slots * 2,

    spreads: 1,
    spread(stats, spread) {
      spread[0] = within(stats)
    },

    prior,

    score,

    absorb(block, _params, weights, stats) {
      const x = block.cells[place] as Float64Array
      const sums = weights.sums(x)
      for (let p = 0; p < slots; p++) {
        stats[p * width] += sums[p * 3]
        stats[p * width + 1] += sums[p * 3 + 1]
        stats[tied ? shared : p * 3 + 2] += sums[p * 3 + 2]
      }
      return false
    },

    solve(stats, strength, params, spread = Float64Array.of(within(stats))) {
      const both = withPrior(stats, strength, spread)
      const floor = FLOOR * spread[0]
      let clamped = 0
      let variance = 0
      for (let p = 0; p < slots; p++) {
        if (p === 0 || !tied) variance = varianceOf(both, p)
        if (variance < floor) clamped++
        put(params, p, meanOf(both, p), Math.max(variance, floor))
      }
      return clamped
    },

    moments(params, mass, stats) {
      for (let p = 0; p < slots; p++) {
        const mean = params[p * 3]
        stats[p * width] += mass[p]
        stats[p * width + 1] += mass[p] * mean
        stats[tied ? shared : p * 3 + 2] += mass[p] * (mean * mean + 1 / params[p * 3 + 1])
      }
    },

    inside: (stats, slot, spread) =>
      stats[slot * width] > 0 && varianceOf(stats, slot) > CLEAR * (spread ? spread[0] : column.variance),

    value(stats, params) {
      // Σ_p n·top − ½(Σwx² − 2μΣwx + nμ²)/σ²
      let total = tied ? -0.5 * params[1] * stats[shared] : 0
      for (let p = 0; p < slots; p++) {
        const mean = params[p * 3]
        const n = stats[p * width]
        const square = (tied ? 0 : stats[p * 3 + 2]) - 2 * mean * stats[p * width + 1] + n * mean * mean
        total += n * params[p * 3 + 2] - 0.5 * params[p * 3 + 1] * square
      }
      return total
    },

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

    expect(_block, params, slot, _place, mean, variance) {
      mean.fill(params[slot * 3])
      variance.fill(1 / params[slot * 3 + 1])
    },

    cdf: normalBelow,

    linear: (params, slot) =>
      quadratic(column.name, params[slot * 3], params[slot * 3 + 1], params[slot * 3 + 2]),
  }
}

export const gaussianKind: FamilyKind = {
  name: "gaussian",
  make: options => gaussian(knownOptions("gaussian", options, ["variance", "prior"]) as GaussianOptions),
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
