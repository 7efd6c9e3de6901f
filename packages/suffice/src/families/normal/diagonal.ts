/**
 * Uncorrelated columns. "each": a variance per column (diag); "one": one for all columns (spherical); "unit": 1, in the
 * units of the data (identity), which in held units is 1/scale².
 *
 *     ln p(x) = Σ_j −½ ln 2πσ²_j − (x_j − μ_j)² / 2σ²_j       over the columns j that were seen
 *     σ²_j = Σwx_j² / n − μ_j²        spherical: σ² = ( Σw|x|² / n − |μ|² ) / d
 *     a missing cell adds E[(x, x²)] = (μ_j, μ_j² + σ²_j)
 */
import type { Leaf, Weights } from "../../contract.ts"
import { log } from "../../kernels/log.ts"
import { normalBelow } from "../../kernels/normal-cdf.ts"
import {
  byColumn,
  FLOOR,
  heldMeans,
  heldVariances,
  LN_2PI,
  type NumberColumn,
  pooledVariances,
  type Spread,
} from "./columns.ts"
import { diagonalShares } from "./shares.ts"

// stats, slot by slot: n, Σwx (d), Σwx² (one per variance).   params: μ (d), then by variance 1/σ², ln of the density at μ.
// Column j has variance j·step: with step 0 all columns have the same.
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
  const squares = 1 + d
  const width = 1 + d + variances
  const tops = d + variances
  const reach = d + 2 * variances
  const logScale = columns.map(({ scale }) => log(scale))

  // by variance: the columns it covers, their mean pooled variance, and Σ = I in held units, kept within what a double holds
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

  function solveSlot(stats: Float64Array, from: number, params: Float64Array, at: number): boolean {
    const n = stats[from]
    let held = n < 0
    for (let j = 0; j < d; j++) params[at + j] = n > 0 ? stats[from + 1 + j] / n : 0
    for (let v = 0; v < variances; v++) {
      let variance = pooled[v]
      if (fixed) variance = unit
      else if (n > 0) {
        let square = stats[from + squares + v] / n
        for (let j = v * covers; j < (v + 1) * covers; j++) square -= params[at + j] * params[at + j]
        const floor = FLOOR * pooled[v]
        variance = square / covers
        if (!(variance >= floor)) {
          variance = floor
          held = true
        }
      }
      put(params, at, v, variance)
    }
    return held
  }

  /** stats of slot p += mass · (1, μ, μ² + σ²), the variance of a column in held units given by `variance`. */
  function addMoments(
    mass: number,
    mean: (j: number) => number,
    variance: (j: number) => number,
    stats: Float64Array,
    at: number,
  ): void {
    stats[at] += mass
    for (let j = 0; j < d; j++) {
      stats[at + 1 + j] += mass * mean(j)
      stats[at + squares + j * step] += mass * (mean(j) * mean(j) + variance(j))
    }
  }

  return {
    slots,
    statistics: slots * width,
    axes: [["slot", width]],
    parameters: slots * reach,
    free: slots * (d + (fixed ? 0 : variances)),
    guesses: "missing",

    prior(stats) {
      for (let p = 0; p < slots; p++) {
        stats[p * width] += kappa
        for (let v = 0; v < variances; v++) stats[p * width + squares + v] += kappa * covers * pooled[v]
      }
    },

    score(block, params, out) {
      const rows = block.rows
      for (let p = 0; p < slots; p++) {
        const at = p * rows
        for (let j = 0; j < d; j++) {
          const x = block.cells[places[j]] as Float64Array
          const mean = params[p * reach + j]
          const half = 0.5 * params[p * reach + d + j * step]
          const top = params[p * reach + tops + j * step]
          for (let i = 0; i < rows; i++) {
            const c = x[i] - mean
            const score = top - half * c * c
            if (score === score) out[at + i] += score
          }
        }
      }
    },

    absorb(block, params, weights, stats) {
      const { cells, rows } = block
      let guessed = false
      if (weights.form === "one") addCounts(weights, rows, stats)
      else for (let p = 0; p < slots; p++) addCount(weights.values, p * rows, rows, stats, p * width)
      for (let j = 0; j < d; j++) {
        const x = cells[places[j]] as Float64Array
        if (weights.form === "one") {
          if (absorbOne(x, j, rows, params, weights, stats)) guessed = true
          continue
        }
        for (let p = 0; p < slots; p++) {
          if (absorbEach(x, j, p, rows, params, weights.values, stats)) guessed = true
        }
      }
      return guessed
    },

    solve(stats, params) {
      let held = 0
      for (let p = 0; p < slots; p++) if (solveSlot(stats, p * width, params, p * reach)) held++
      return held
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
        const n = stats[from]
        for (let v = 0; v < variances; v++) {
          let square = stats[from + squares + v]
          for (let j = v * covers; j < (v + 1) * covers; j++) {
            square += params[at + j] * (n * params[at + j] - 2 * stats[from + 1 + j])
          }
          total += n * covers * params[at + tops + v] - 0.5 * params[at + d + v] * square
        }
      }
      return total
    },

    mass: (stats, slot) => stats[slot * width],

    describe(params, slot) {
      const at = slot * reach
      return {
        mean: byColumn(columns, j => columns[j].shift + columns[j].scale * params[at + j]),
        variance: byColumn(columns, j =>
          fixed ? 1 : (columns[j].scale / params[at + d + j * step]) * columns[j].scale,
        ),
      }
    },

    adopt(description, slot, mass, stats) {
      const means = heldMeans(columns, description)
      const held = heldVariances(columns, description, spread)
      addMoments(
        mass,
        j => means[j],
        j => (fixed ? unit : held[j]),
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

    expect(_block, params, slot, place, mean, variance) {
      const j = places.indexOf(place)
      mean.fill(params[slot * reach + j])
      variance.fill(1 / params[slot * reach + d + j * step])
    },

    cdf: normalBelow,

    ...diagonalShares(columns, places, (slot, j) => ({
      mean: slot * reach + j,
      precision: slot * reach + d + j * step,
      top: slot * reach + tops + j * step,
    })),
  }

  function addCounts(
    { slot, weight }: Extract<Weights, { form: "one" }>,
    rows: number,
    stats: Float64Array,
  ): void {
    for (let i = 0; i < rows; i++) stats[slot[i] * width] += weight[i]
  }

  function addCount(values: Float64Array, from: number, rows: number, stats: Float64Array, at: number): void {
    let n = 0
    for (let i = 0; i < rows; i++) n += values[from + i]
    stats[at] += n
  }

  /** Column j, every row in its slot. True if a cell with weight was missing. */
  function absorbOne(
    x: Float64Array,
    j: number,
    rows: number,
    params: Float64Array,
    { slot, weight }: Extract<Weights, { form: "one" }>,
    stats: Float64Array,
  ): boolean {
    let guessed = false
    for (let i = 0; i < rows; i++) {
      const w = weight[i]
      if (w === 0) continue
      const at = slot[i] * width
      let value = x[i]
      let extra = 0
      if (value !== value) {
        value = params[slot[i] * reach + j]
        extra = 1 / params[slot[i] * reach + d + j * step]
        guessed = true
      }
      stats[at + 1 + j] += w * value
      stats[at + squares + j * step] += w * (value * value + extra)
    }
    return guessed
  }

  /** Column j in slot p. True if a cell with weight was missing. */
  function absorbEach(
    x: Float64Array,
    j: number,
    p: number,
    rows: number,
    params: Float64Array,
    values: Float64Array,
    stats: Float64Array,
  ): boolean {
    let sum = 0
    let square = 0
    let missing = 0
    let guessed = false
    for (let i = 0; i < rows; i++) {
      const w = values[p * rows + i]
      const value = x[i]
      if (value === value) {
        const wx = w * value
        sum += wx
        square += wx * value
      } else if (w !== 0) {
        missing += w
        guessed = true
      }
    }
    const at = p * width
    const mean = params[p * reach + j]
    const variance = 1 / params[p * reach + d + j * step]
    stats[at + 1 + j] += sum + missing * mean
    stats[at + squares + j * step] += square + missing * (mean * mean + variance)
    return guessed
  }
}
