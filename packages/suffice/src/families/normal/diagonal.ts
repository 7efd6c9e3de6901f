/**
 * Uncorrelated columns. "each": a variance per column (diag); "one": one for all columns (spherical); "unit": 1 in the units of the data (identity), 1/scale² in encoded ones.
 *
 *     ln p(x) = Σ_j −½ ln 2πσ²_j − (x_j − μ_j)² / 2σ²_j       over the columns j that were seen
 *     n_j = Σw over the rows in which column j is seen      μ_j = Σwx_j / n_j
 *     σ²_j = Σwx_j² / n_j − μ_j²        spherical: σ² = Σ_j ( Σwx_j² − n_j μ_j² ) / Σ_j n_j
 *
 * The columns of a slot are independent, so a missing cell is skipped and nothing is guessed.
 */
import type { Block, Weights } from "../../contract/block.ts"
import type { Leaf } from "../../contract/leaf.ts"
import type { Description } from "../../contract/report.ts"
import { absorbDiagonal, scoreDiagonal } from "../../kernels/diagonal-rows.ts"
import { log } from "../../kernels/log.ts"
import { normalBelow } from "../../kernels/normal-cdf.ts"
import { pin } from "../../kernels/pin.ts"
import { fastKernels } from "../../kernels/twins.ts"
import { addingPrior } from "../with-prior.ts"
import { rowsOfPrior } from "../within.ts"
import {
  byColumn,
  encodedMeans,
  encodedVariances,
  FLOOR,
  isWritable,
  LN_2PI,
  type NumberColumn,
  pooledVariances,
  type Spread,
} from "./columns.ts"
import { diagonalSpread } from "./diagonal-spread.ts"
import { diagonalShares } from "./shares.ts"

// stats, slot by slot: n (d), Σwx (d), Σwx² (one per variance).   params: μ (d), then by variance 1/σ², ln of the density at μ.
// Column j has variance number j·step: with step 0 all columns share one.
export function diagonalLeaf(
  columns: readonly NumberColumn[],
  places: readonly number[],
  slots: number,
  spread: Spread,
  kappa: number,
): Leaf {
  const d = columns.length
  const step = spread === "each" ? 1 : 0
  const variances = spread === "each" ? d : 1
  const fixed = spread === "unit"
  const squares = 2 * d
  const width = 2 * d + variances
  const tops = d + variances
  const reach = d + 2 * variances
  const logScale = columns.map(({ scale }) => log(scale))

  // per variance: the number of columns it covers, their mean pooled variance, and Σ = I in encoded units, within the range of a double
  const covers = d / variances
  const pooled = new Float64Array(variances)
  pooledVariances(columns).forEach((value, j) => {
    pooled[j * step] += value / covers
  })
  const unit = 1 / Math.min(Math.max(columns[0].scale * columns[0].scale, 1e-300), 1e300)

  function put(params: Float64Array, at: number, v: number, variance: number): void {
    params[at + d + v] = 1 / variance
    params[at + tops + v] = fixed ? -0.5 * LN_2PI : -0.5 * (LN_2PI + log(variance)) - logScale[v]
  }

  const within = diagonalSpread(d, slots, pooled)
  const spreadOf = (stats: Float64Array): Float64Array => within(stats, new Float64Array(variances))

  function solveSlot(
    stats: Float64Array,
    from: number,
    params: Float64Array,
    at: number,
    spread: Float64Array,
  ): boolean {
    let clamped = false
    for (let j = 0; j < d; j++) {
      const n = stats[from + j]
      if (n < 0) clamped = true
      params[at + j] = n > 0 ? stats[from + d + j] / n : 0
    }
    for (let v = 0; v < variances; v++) {
      let variance = pooled[v]
      let total = 0
      let square = stats[from + squares + v] // Σ_j Σ w (x_j − μ_j)²
      for (let j = v * covers; j < (v + 1) * covers; j++) {
        total += stats[from + j]
        square -= stats[from + j] * params[at + j] * params[at + j]
      }
      if (fixed) variance = unit
      else if (total > 0) {
        const floor = FLOOR * spread[v]
        variance = square / total
        if (!(variance >= floor)) {
          variance = floor
          clamped = true
        }
      }
      put(params, at, v, variance)
    }
    return clamped
  }

  /** stats[at …] += mass · (1, μ, μ² + σ²), in encoded units. */
  function addMoments(
    mass: number,
    mean: (j: number) => number,
    variance: (j: number) => number,
    stats: Float64Array,
    at: number,
  ): void {
    for (let j = 0; j < d; j++) {
      stats[at + j] += mass
      stats[at + d + j] += mass * mean(j)
      stats[at + squares + j * step] += mass * (mean(j) * mean(j) + variance(j))
    }
  }

  const trial = new Float64Array(slots * reach)
  const kernels = fastKernels() ?? { pin, scoreDiagonal, absorbDiagonal }
  const scratch: Float64Array[] = new Array(d) // within one call

  /** columns ← the leaf's columns, pinned in the memory of the kernels, which recognise them by this array: every work has its own. */
  function pinned(block: Block, columns: Float64Array[]): Float64Array[] {
    open(block, columns)
    kernels.pin(columns, block.rows, d)
    return columns
  }

  function open(block: Block, columns: Float64Array[]): Float64Array[] {
    for (let j = 0; j < d; j++) columns[j] = block.cells[places[j]] as Float64Array
    return columns
  }

  const prior: Leaf["prior"] = (stats, strength = 1, spread, around = stats) => {
    // only the mean is learned: there is nothing to shrink
    if (fixed) return
    const wide = spread ?? spreadOf(around)
    const rows = rowsOfPrior(1, strength * kappa)
    for (let p = 0; p < slots; p++) {
      const from = p * width
      for (let j = 0; j < d; j++) {
        const n = around[from + j]
        const mean = n > 0 ? around[from + d + j] / n : 0
        stats[from + j] += rows
        stats[from + d + j] += rows * mean
        stats[from + squares + j * step] += rows * (mean * mean + wide[j * step])
      }
    }
  }
  const withPrior = addingPrior(prior)

  return {
    shape: {
      slots,
      statistics: slots * width,
      axes: [["slot", width]],
      parameters: slots * reach,
      free: slots * (d + (fixed ? 0 : variances)),
    },

    ...(!fixed && { spread: { length: variances, estimate: within } }),
    prior,
    score(block, params, out, _upToConstant, reuse) {
      const x = pinned(block, (reuse as Float64Array[] | undefined) ?? new Array(d))
      kernels.scoreDiagonal(x, block.rows, d, slots, step, params, out)
      return x
    },
    absorb(block, _params, weights, stats, work) {
      if (weights.form === "each") {
        const x = (work as Float64Array[] | undefined) ?? pinned(block, scratch)
        kernels.absorbDiagonal(x, block.rows, d, slots, step, weights.values, stats)
      } else {
        const x = open(block, scratch)
        for (let j = 0; j < d; j++) absorbOne(x[j], j, block.rows, weights, stats)
      }
      return false
    },

    solve(stats, strength, params, spread = spreadOf(stats)) {
      const both = withPrior(stats, strength, spread)
      let clamped = 0
      for (let p = 0; p < slots; p++) if (solveSlot(both, p * width, params, p * reach, spread)) clamped++
      return clamped
    },

    inside: (stats, slot, spread) =>
      stats[slot * width] > 0 && !solveSlot(stats, slot * width, trial, slot * reach, spread ?? pooled),
    moving: {
      complete(params, mass, stats) {
        for (let p = 0; p < slots; p++) {
          for (let j = 0; j < d; j++) {
            const mean = params[p * reach + j]
            const square = mean * mean + 1 / params[p * reach + d + j * step]
            const gap = mass[p] - stats[p * width + j]
            stats[p * width + j] += gap
            stats[p * width + d + j] += gap * mean
            stats[p * width + squares + j * step] += gap * square
          }
        }
      },
    },

    moments(params, mass, stats) {
      for (let p = 0; p < slots; p++) {
        const at = p * reach
        const mean = (j: number) => params[at + j]
        addMoments(mass[p], mean, j => 1 / params[at + d + j * step], stats, p * width)
      }
    },

    value(stats, params) {
      // Σ_p Σ_j n·top − ½(Σwx² − 2μΣwx + nμ²)/σ², Σwx² once per variance
      let total = 0
      for (let p = 0; p < slots; p++) {
        const from = p * width
        const at = p * reach
        for (let v = 0; v < variances; v++) {
          let n = 0
          let square = stats[from + squares + v]
          for (let j = v * covers; j < (v + 1) * covers; j++) {
            n += stats[from + j]
            square += params[at + j] * (stats[from + j] * params[at + j] - 2 * stats[from + d + j])
          }
          total += n * params[at + tops + v] - 0.5 * params[at + d + v] * square
        }
      }
      return total
    },

    /** The mass of the column that is seen most. */
    mass(stats, slot) {
      let most = stats[slot * width]
      for (let j = 1; j < d; j++) most = Math.max(most, stats[slot * width + j])
      return most
    },

    describe(params, slot): Description {
      const at = slot * reach
      const mean = byColumn(columns, j => columns[j].shift + columns[j].scale * params[at + j])
      const variance = byColumn(columns, j =>
        fixed ? 1 : (columns[j].scale / params[at + d + j * step]) * columns[j].scale,
      )
      if (Object.values(variance).every(isWritable)) return { mean, variance }
      return { mean, sd: byColumn(columns, j => columns[j].scale / Math.sqrt(params[at + d + j * step])) }
    },

    adopt(description, slot, mass, stats) {
      const means = encodedMeans(columns, description)
      const given = encodedVariances(columns, description, spread)
      addMoments(
        mass,
        j => means[j],
        j => (fixed ? unit : given[j]),
        stats,
        slot * width,
      )
    },

    sample(params, slot, block, dice) {
      const at = slot * reach
      for (let j = 0; j < d; j++) {
        const x = block.cells[places[j]] as Float64Array
        if (Number.isNaN(x[0])) x[0] = params[at + j] + dice.normal() / Math.sqrt(params[at + d + j * step])
      }
    },
    numbers: {
      expect(_block, params, slot, place, mean, variance) {
        const j = places.indexOf(place)
        mean.fill(params[slot * reach + j])
        variance.fill(1 / params[slot * reach + d + j * step])
      },
      cdf: normalBelow,
    },

    ...diagonalShares(columns, places, (slot, j) => ({
      mean: slot * reach + j,
      precision: slot * reach + d + j * step,
      top: slot * reach + tops + j * step,
    })),
  }

  /** Column j, one slot per row. */
  function absorbOne(
    x: Float64Array,
    j: number,
    rows: number,
    { slot, weight }: Extract<Weights, { form: "one" }>,
    stats: Float64Array,
  ): void {
    for (let i = 0; i < rows; i++) {
      if (x[i] !== x[i]) continue
      const at = slot[i] * width
      const wx = weight[i] * x[i]
      stats[at + j] += weight[i]
      stats[at + d + j] += wx
      stats[at + squares + j * step] += wx * x[i]
    }
  }
}
