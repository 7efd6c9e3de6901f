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
import { addingPrior } from "../with-prior.ts"
import type { NumberColumn } from "./columns.ts"
import { completeRows } from "./complete.ts"
import { conditioning } from "./conditioning.ts"
import { isPositive, solveMatrix } from "./dense-matrix.ts"
import { adoptDense, denseMoments, densePrior, describeDense } from "./dense-moments.ts"
import { denseSpread, diagonalOf } from "./dense-spread.ts"
import { denseValue } from "./dense-value.ts"
import { type Layout, layout as layOut } from "./layout.ts"
import { drawLines } from "./lines.ts"
import { type Patterns, patterns as patternsOf } from "./patterns.ts"
import { picked as pickedFrom } from "./picked.ts"
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
  // within one call
  const trial = new Float64Array(layout.parameters)
  const work = new Float64Array(size)
  const spreadOf = (stats: Float64Array): Float64Array => denseSpread(layout, stats, new Float64Array(size))
  const prior: Leaf["prior"] = (stats, strength, spread, around) =>
    densePrior(layout, kappa, stats, strength, spread, around)
  const withPrior = addingPrior(prior)
  return {
    shape: {
      slots,
      statistics: layout.statistics,
      axes: [["slot", 1 + d], share === 1 ? ["slot", size] : [size]],
      parameters: layout.parameters,
      free: slots * d + matrices * size,
    },
    latent: { when: "missing" },
    moving: { breadth: d * matrices },
    spread: {
      length: size,
      estimate: (stats, spread) => void denseSpread(layout, stats, spread),
    },
    prior,
    ...rowsOf(layout),
    solve: (stats, strength, params, spread = spreadOf(stats)) =>
      solveDense(layout, withPrior(stats, strength, spread), params, diagonalOf(layout, spread)),
    inside: (stats, slot, spread) =>
      stats[layout.sumsAt(slot)] > 0 &&
      (slot % share > 0 ||
        isPositive(
          layout,
          stats,
          trial,
          layout.matrixOf(slot),
          spread ? diagonalOf(layout, spread) : layout.variance,
        )),
    moments: (params, mass, stats) => denseMoments(layout, params, mass, stats),
    value: (stats, params) => denseValue(layout, stats, params, work),
    mass: (stats, slot) => stats[layout.sumsAt(slot)],
    describe: (params, slot) => describeDense(layout, params, slot),
    adopt: (description, slot, mass, stats) => adoptDense(layout, description, slot, mass, stats),
    ...denseShares(layout),
  }
}

function solveDense(
  layout: Layout,
  stats: Float64Array,
  params: Float64Array,
  variance: Float64Array,
): number {
  let clamped = 0
  for (let matrix = 0; matrix < layout.matrices; matrix++)
    clamped += solveMatrix(layout, stats, params, matrix, variance)
  if (layout.share > 1) drawLines(layout, params)
  return clamped
}

/** Complete rows are processed by block, incomplete ones by pattern of missing cells. */
function rowsOf(layout: Layout): Required<Pick<Leaf, "score" | "absorb" | "sample" | "numbers">> {
  const picked = pickedFrom(layout.slots)
  const complete = completeRows(layout, picked)
  const incomplete = conditioning(layout, picked)
  const scratch = patternsOf(layout.places)
  return {
    score(block, params, out, upToConstant, reuse) {
      const patterns = (reuse as Patterns | undefined) ?? patternsOf(layout.places)
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

    sample: incomplete.sample,
    numbers: { expect: incomplete.expect, cdf: normalBelow },
  }
}
