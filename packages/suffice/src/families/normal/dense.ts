/**
 * Full matrices, one per `share` slots (1: "full", all of them: "tied").
 *
 *     Σ = ( Σwxxᵀ − Σ_p n_p μ_p μ_pᵀ ) / Σ_p n_p      over the slots p that share it
 *     value = Σ_p n_p ln(density at μ_p) − ½ tr Σ⁻¹ ( Σwxxᵀ − Σ_p (μ_p s_pᵀ + s_p μ_pᵀ − n_p μ_p μ_pᵀ) ),   s_p = Σwx
 */
import type { Leaf } from "../../contract.ts"
import { normalBelow } from "../../kernels/normal-cdf.ts"
import { invertLower, logDetFromCholesky, triangle } from "../../kernels/triangle.ts"
import {
  byColumn,
  describedCovariance,
  heldCovariance,
  heldMeans,
  LN_2PI,
  type NumberColumn,
} from "./columns.ts"
import { completeRows } from "./complete.ts"
import { conditioning } from "./conditioning.ts"
import { layout as layOut } from "./layout.ts"
import { drawLines } from "./lines.ts"
import { patterns as patternsOf } from "./patterns.ts"
import { picked as pickedFrom } from "./picked.ts"
import { addRidge, factorWithRidge } from "./ridge.ts"
import { denseShares } from "./shares.ts"

export function denseLeaf(
  columns: readonly NumberColumn[],
  places: readonly number[],
  slots: number,
  share: number,
  kappa: number,
): Leaf {
  const layout = layOut(columns, places, slots, share)
  const { d, size, matrices, variance } = layout
  const patterns = patternsOf(places)
  const picked = pickedFrom(slots)
  const complete = completeRows(layout, patterns, picked)
  const incomplete = conditioning(layout, patterns, picked)
  const work = new Float64Array(size)
  const logScales = layout.logScale.reduce((sum, value) => sum + value, 0)

  /** From Σ in its place: L⁻¹ and the log-density at the mean. True if Σ had to be moved away from the edge. */
  function settle(params: Float64Array, matrix: number): boolean {
    const at = layout.covarianceAt(matrix)
    const inverse = layout.inverseAt(matrix)
    const ridge = factorWithRidge(params, at, d, variance, params, inverse)
    if (ridge === Infinity) {
      pool(params, matrix)
      return true
    }
    addRidge(params, at, d, variance, ridge)
    params[layout.topAt(matrix)] = -0.5 * (d * LN_2PI + logDetFromCholesky(params, inverse, d)) - logScales
    invertLower(params, inverse, d, params, inverse)
    return ridge > 0
  }

  /** Σ = diag(pooled variances) */
  function pool(params: Float64Array, matrix: number): void {
    const at = layout.covarianceAt(matrix)
    params.fill(0, at, at + size)
    addRidge(params, at, d, variance, 1)
    settle(params, matrix)
  }

  /** One matrix and the slots that share it. Returns how many of them were held. */
  function solveMatrix(stats: Float64Array, params: Float64Array, matrix: number): number {
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
      addOuter(params, at, -n, params, mean)
    }
    if (!(total > 0)) {
      pool(params, matrix)
      return outside
    }
    for (let j = 0; j < size; j++) params[at + j] /= total
    return settle(params, matrix) ? share : outside
  }

  /** a += w · v vᵀ, packed */
  function addOuter(a: Float64Array, at: number, w: number, v: Float64Array, vAt: number): void {
    for (let j = 0, to = at; j < d; j++) {
      const wv = w * v[vAt + j]
      for (let k = 0; k <= j; k++) a[to++] += wv * v[vAt + k]
    }
  }

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

  return {
    slots,
    statistics: layout.statistics,
    axes: [["slot", 1 + d], share === 1 ? ["slot", size] : [size]],
    parameters: layout.parameters,
    free: slots * d + matrices * size,
    guesses: "missing",
    breadth: d * matrices,

    prior(stats) {
      for (let p = 0; p < slots; p++) {
        stats[layout.sumsAt(p)] += kappa
        addRidge(stats, layout.squaresAt(layout.matrixOf(p)), d, variance, kappa)
      }
    },

    score(block, params, out, lean) {
      patterns.group(block, -1)
      complete.score(block, params, out, lean)
      incomplete.score(block, params, out)
    },

    absorb(block, params, weights, stats) {
      patterns.regroup(block)
      complete.absorb(block, weights, stats)
      return incomplete.absorb(block, params, weights, stats)
    },

    solve(stats, params) {
      let held = 0
      for (let matrix = 0; matrix < matrices; matrix++) held += solveMatrix(stats, params, matrix)
      if (share > 1) drawLines(layout, params)
      return held
    },

    inside: (stats, slot) =>
      stats[layout.sumsAt(slot)] > 0 && solveMatrix(stats, trial, layout.matrixOf(slot)) === 0,

    moments(params, mass, stats) {
      for (let p = 0; p < slots; p++) {
        const sums = layout.sumsAt(p)
        const mean = layout.meanAt(p)
        const covariance = layout.covarianceAt(layout.matrixOf(p))
        const squares = layout.squaresAt(layout.matrixOf(p))
        stats[sums] += mass[p]
        for (let j = 0; j < d; j++) stats[sums + 1 + j] += mass[p] * params[mean + j]
        for (let j = 0; j < size; j++) stats[squares + j] += mass[p] * params[covariance + j]
        addOuter(stats, squares, mass[p], params, mean)
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
      const mean = Float64Array.from(heldMeans(columns, description))
      const covariance = heldCovariance(columns, description)
      const sums = layout.sumsAt(slot)
      const squares = layout.squaresAt(layout.matrixOf(slot))
      stats[sums] += mass
      for (let j = 0; j < d; j++) stats[sums + 1 + j] += mass * mean[j]
      for (let j = 0; j < size; j++) stats[squares + j] += mass * covariance[j]
      addOuter(stats, squares, mass, mean, 0)
    },

    sample: incomplete.sample,
    expect: incomplete.expect,
    ...denseShares(layout),
    cdf: normalBelow,
  }
}
