/**
 * Full covariance matrices, each shared by `share` slots (1: "full", all of them: "tied").
 *
 *     Σ = ( Σwxxᵀ − Σ_p n_p μ_p μ_pᵀ ) / Σ_p n_p      over the slots p that share it
 *     prior: ν = d + 5 pseudo-rows around the mean of each slot ("tied": for all slots together), with covariance V:
 *     full       V_jk = √(v_j v_k)·R_jk      R: the correlations of Σ_p M_p + ν·diag(Σ_p M_p / Σ_p f_p), M_p the scatter of slot p
 *     tied       V = diag(v)                 v: the variance within slots (within.ts), f_p its degrees of freedom
 *     value = Σ_p n_p ln(density at μ_p) − ½ tr Σ⁻¹ ( Σwxxᵀ − Σ_p (μ_p s_pᵀ + s_p μ_pᵀ − n_p μ_p μ_pᵀ) ),   s_p = Σwx
 */
import type { Leaf } from "../../contract/leaf.ts"
import { normalBelow } from "../../kernels/normal-cdf.ts"
import { addOuter, invertLower, logDetFromCholesky, triangle } from "../../kernels/triangle.ts"
import { addingPrior } from "../with-prior.ts"
import { rowsOfPrior, squaresLeft, withinSlots } from "../within.ts"
import {
  byColumn,
  describedCovariance,
  encodedCovariance,
  encodedMeans,
  LN_2PI,
  type NumberColumn,
} from "./columns.ts"
import { completeRows } from "./complete.ts"
import { conditioning } from "./conditioning.ts"
import { layout as layOut } from "./layout.ts"
import { drawLines } from "./lines.ts"
import { type Patterns, patterns as patternsOf } from "./patterns.ts"
import { picked as pickedFrom } from "./picked.ts"
import { addRidge, factorsPlainly, factorWithRidge } from "./ridge.ts"
import { denseShares } from "./shares.ts"

export function denseLeaf(
  columns: readonly NumberColumn[],
  places: readonly number[],
  slots: number,
  share: number,
  kappa: number,
): Leaf {
  const layout = layOut(columns, places, slots, share)
  const { d, size, matrices } = layout
  /** Empty columns do not count in ν: the model is the same without them. */
  const filled = columns.filter(({ empty }) => !empty).length
  const picked = pickedFrom(slots)
  const complete = completeRows(layout, picked)
  const incomplete = conditioning(layout, picked)
  // within one call
  const scratch = patternsOf(places)
  const work = new Float64Array(size)
  const logScales = layout.logScale.reduce((sum, value) => sum + value, 0)

  /** Computes L⁻¹ and the log-density at the mean from Σ in params. True if Σ was clamped, by a ridge. */
  function settle(params: Float64Array, matrix: number, variance: Float64Array): boolean {
    const at = layout.covarianceAt(matrix)
    const inverse = layout.inverseAt(matrix)
    const ridge = factorWithRidge(params, at, d, variance, params, inverse)
    if (ridge === Infinity) {
      pool(params, matrix, variance)
      return true
    }
    addRidge(params, at, d, variance, ridge)
    params[layout.topAt(matrix)] = -0.5 * (d * LN_2PI + logDetFromCholesky(params, inverse, d)) - logScales
    invertLower(params, inverse, d, params, inverse)
    return ridge > 0
  }

  /** Σ = diag(v) */
  function pool(params: Float64Array, matrix: number, variance: Float64Array): void {
    const at = layout.covarianceAt(matrix)
    params.fill(0, at, at + size)
    addRidge(params, at, d, variance, 1)
    settle(params, matrix, variance)
  }

  /** The means of the slots that share a matrix, and their Σ, into params. `total`: their mass; `outside`: how many of them have less than none. */
  function gatherMatrix(
    stats: Float64Array,
    params: Float64Array,
    matrix: number,
  ): { readonly total: number; readonly outside: number } {
    const at = layout.covarianceAt(matrix)
    const squares = layout.squaresAt(matrix)
    let total = 0
    let outside = 0
    for (let j = 0; j < size; j++) params[at + j] = stats[squares + j]
    for (let p = matrix * share; p < (matrix + 1) * share; p++) {
      const sums = layout.sumsAt(p)
      const mean = layout.meanAt(p)
      const n = stats[sums]
      total += n
      if (n < 0) outside++
      for (let j = 0; j < d; j++) params[mean + j] = n > 0 ? stats[sums + 1 + j] / n : 0
      addOuter(d, params, at, -n, params, mean)
    }
    if (total > 0) for (let j = 0; j < size; j++) params[at + j] /= total
    return { total, outside }
  }

  /** θ of one matrix and the slots that share it. Returns how many of them were clamped. */
  function solveMatrix(
    stats: Float64Array,
    params: Float64Array,
    matrix: number,
    variance: Float64Array,
  ): number {
    const { total, outside } = gatherMatrix(stats, params, matrix)
    if (!(total > 0)) {
      pool(params, matrix, variance)
      return outside
    }
    return settle(params, matrix, variance) ? share : outside
  }

  /** Can Σ be factored as it is? No inverse is needed to know. */
  function isPositive(stats: Float64Array, matrix: number, variance: Float64Array): boolean {
    const { total } = gatherMatrix(stats, trial, matrix)
    return total > 0 && factorsPlainly(trial, layout.covarianceAt(matrix), d, variance)
  }

  /** spread ← V, packed */
  function within(stats: Float64Array, spread: Float64Array): Float64Array {
    const scatter = new Float64Array(size) // Σ_p M_p
    const own = new Float64Array(size) // M_p, or Σ_p M_p of slots that share it
    const squares = Array.from({ length: d }, () => new Float64Array(matrices))
    const freedom = new Float64Array(matrices)
    const mean = new Float64Array(d)
    for (let matrix = 0; matrix < matrices; matrix++) {
      const at = layout.squaresAt(matrix)
      for (let j = 0; j < size; j++) own[j] = stats[at + j]
      for (let p = matrix * share; p < (matrix + 1) * share; p++) {
        const n = stats[layout.sumsAt(p)]
        if (!(n > 0)) continue
        for (let j = 0; j < d; j++) mean[j] = stats[layout.sumsAt(p) + 1 + j] / n
        addOuter(d, own, 0, -n, mean, 0)
        freedom[matrix] += Math.max(n - 1, 0)
      }
      for (let j = 0; j < d; j++) {
        const to = triangle(j) + j
        squares[j][matrix] = squaresLeft(stats[at + to], stats[at + to] - own[to])
      }
      for (let j = 0; j < size; j++) scatter[j] += own[j]
    }
    const loading = rowsOfPrior(filled, 1) / Math.max(sum(freedom), 1)
    spread.fill(0)
    for (let j = 0; j < d; j++) spread[triangle(j) + j] = withinSlots(squares[j], freedom, layout.variance[j])
    if (share > 1) return spread
    const scales = squares.map((square, j) => {
      const diagonal = sum(square) * (1 + loading)
      return diagonal > 0 ? Math.sqrt(spread[triangle(j) + j] / diagonal) : 0
    })
    for (let j = 0; j < d; j++) {
      for (let k = 0; k < j; k++) spread[triangle(j) + k] = scatter[triangle(j) + k] * scales[j] * scales[k]
    }
    return spread
  }

  const spreadOf = (stats: Float64Array): Float64Array => within(stats, new Float64Array(size))

  const diagonalOf = (spread: Float64Array): Float64Array =>
    Float64Array.from({ length: d }, (_, j) => spread[triangle(j) + j])

  /** tr Σ⁻¹M = Σ_k (row k of L⁻¹) M (row k of L⁻¹)ᵀ, for packed M. */
  function trace(params: Float64Array, matrix: number, m: Float64Array): number {
    let total = 0
    for (let k = 0, row = layout.inverseAt(matrix); k < d; row += ++k) {
      for (let i = 0, at = 0; i <= k; i++) {
        let sum = 0 // Σ_{j<i} M_ij v_j counts twice: M is symmetric
        for (let j = 0; j < i; j++) sum += m[at++] * params[row + j]
        total += params[row + i] * (2 * sum + m[at++] * params[row + i])
      }
    }
    return total
  }

  const trial = new Float64Array(layout.parameters)
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)

  const prior: Leaf["prior"] = (stats, strength = 1, spread, around = stats) => {
    const wide = spread ?? spreadOf(around)
    const rows = rowsOfPrior(filled, strength * kappa) / share
    const mean = new Float64Array(d)
    for (let p = 0; p < slots; p++) {
      const sums = layout.sumsAt(p)
      const squares = layout.squaresAt(layout.matrixOf(p))
      const n = around[sums]
      for (let j = 0; j < d; j++) mean[j] = n > 0 ? around[sums + 1 + j] / n : 0
      stats[sums] += rows
      for (let j = 0; j < d; j++) stats[sums + 1 + j] += rows * mean[j]
      for (let j = 0; j < size; j++) stats[squares + j] += rows * wide[j]
      addOuter(d, stats, squares, rows, mean, 0)
    }
  }
  const withPrior = addingPrior(prior)

  return {
    slots,
    statistics: layout.statistics,
    axes: [["slot", 1 + d], share === 1 ? ["slot", size] : [size]],
    parameters: layout.parameters,
    free: slots * d + matrices * size,
    guesses: "missing",
    breadth: d * matrices,

    spreads: size,
    spread: within,

    prior,

    score(block, params, out, upToConstant, spent) {
      const patterns = (spent as Patterns | undefined) ?? patternsOf(places)
      patterns.group(block, -1)
      complete.score(block, patterns, params, out, upToConstant)
      incomplete.score(block, patterns, params, out)
      return patterns
    },

    absorb(block, params, weights, stats, work) {
      if (!work) scratch.group(block, -1)
      const patterns = (work as Patterns | undefined) ?? scratch
      complete.absorb(block, patterns, weights, stats)
      return incomplete.absorb(block, patterns, params, weights, stats)
    },

    solve(stats, strength, params, spread = spreadOf(stats)) {
      const both = withPrior(stats, strength, spread)
      const variance = diagonalOf(spread)
      let clamped = 0
      for (let matrix = 0; matrix < matrices; matrix++) clamped += solveMatrix(both, params, matrix, variance)
      if (share > 1) drawLines(layout, params)
      return clamped
    },

    inside: (stats, slot, spread) =>
      stats[layout.sumsAt(slot)] > 0 &&
      (slot % share > 0 ||
        isPositive(stats, layout.matrixOf(slot), spread ? diagonalOf(spread) : layout.variance)),

    moments(params, mass, stats) {
      for (let p = 0; p < slots; p++) {
        const sums = layout.sumsAt(p)
        const mean = layout.meanAt(p)
        const covariance = layout.covarianceAt(layout.matrixOf(p))
        const squares = layout.squaresAt(layout.matrixOf(p))
        stats[sums] += mass[p]
        for (let j = 0; j < d; j++) stats[sums + 1 + j] += mass[p] * params[mean + j]
        for (let j = 0; j < size; j++) stats[squares + j] += mass[p] * params[covariance + j]
        addOuter(d, stats, squares, mass[p], params, mean)
      }
    },

    value(stats, params) {
      let total = 0
      for (let matrix = 0; matrix < matrices; matrix++) {
        const squares = layout.squaresAt(matrix)
        for (let j = 0; j < size; j++) work[j] = stats[squares + j]
        for (let p = matrix * share; p < (matrix + 1) * share; p++) {
          const sums = layout.sumsAt(p)
          const mean = layout.meanAt(p)
          const n = stats[sums]
          total += n * params[layout.topAt(matrix)]
          for (let j = 0, to = 0; j < d; j++) {
            const mu = params[mean + j]
            const s = stats[sums + 1 + j]
            // − μ_j s_k − s_j μ_k + n μ_j μ_k
            for (let k = 0; k <= j; k++) {
              work[to++] += (n * mu - s) * params[mean + k] - mu * stats[sums + 1 + k]
            }
          }
        }
        total -= 0.5 * trace(params, matrix, work)
      }
      return total
    },

    mass: (stats, slot) => stats[layout.sumsAt(slot)],

    describe(params, slot) {
      const at = layout.covarianceAt(layout.matrixOf(slot))
      return {
        mean: byColumn(columns, j => columns[j].shift + columns[j].scale * params[layout.meanAt(slot) + j]),
        ...describedCovariance(columns, (j, k) => params[at + triangle(Math.max(j, k)) + Math.min(j, k)]),
      }
    },

    adopt(description, slot, mass, stats) {
      const mean = Float64Array.from(encodedMeans(columns, description))
      const covariance = encodedCovariance(columns, description)
      const sums = layout.sumsAt(slot)
      const squares = layout.squaresAt(layout.matrixOf(slot))
      stats[sums] += mass
      for (let j = 0; j < d; j++) stats[sums + 1 + j] += mass * mean[j]
      for (let j = 0; j < size; j++) stats[squares + j] += mass * covariance[j]
      addOuter(d, stats, squares, mass, mean, 0)
    },

    sample: incomplete.sample,
    expect: incomplete.expect,
    ...denseShares(layout),
    cdf: normalBelow,
  }
}
