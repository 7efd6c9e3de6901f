/**
 * Uncorrelated columns. "each": a variance per column (diag); "one": one for all columns (spherical); "unit": 1 in the units of the data (identity), 1/scale² in encoded ones.
 *
 *     ln p(x) = Σ_j −½ ln 2πσ²_j − (x_j − μ_j)² / 2σ²_j       over the columns j that were seen
 *     n_j = Σw over the rows in which column j is seen      μ_j = Σwx_j / n_j
 *     σ²_j = Σwx_j² / n_j − μ_j²        spherical: σ² = Σ_j ( Σwx_j² − n_j μ_j² ) / Σ_j n_j
 *
 * The columns of a slot are independent, so a missing cell is skipped and nothing is guessed.
 */
import type { Leaf } from "../../contract/leaf.ts"
import { normalBelow } from "../../kernels/normal-cdf.ts"
import { addingPrior } from "../with-prior.ts"
import type { NumberColumn, Spread } from "./columns.ts"
import { diagonalLayout } from "./diagonal-layout.ts"
import { adoptDiagonal, completeMass, describeDiagonal, diagonalMoments, massOf } from "./diagonal-moments.ts"
import { absorbColumns, expectColumn, sampleDiagonal, scoreColumns } from "./diagonal-rows.ts"
import { diagonalPrior, diagonalValue, isInside, solveSlots, spreadOf } from "./diagonal-solve.ts"
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
  const layout = diagonalLayout(columns, places, slots, spread, kappa)
  const { width, reach, d, fixed, variances, within, step, tops } = layout

  const prior: Leaf["prior"] = (stats, strength, spread, around) =>
    diagonalPrior(layout, stats, strength, spread, around)
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
    score: (block, params, out, _upToConstant, reuse) => scoreColumns(layout, block, params, out, reuse),
    absorb: (block, _params, weights, stats, work) => absorbColumns(layout, block, weights, stats, work),
    solve: (stats, strength, params, spread = spreadOf(layout, stats)) =>
      solveSlots(layout, withPrior(stats, strength, spread), params, spread),
    inside: (stats, slot, spread) => isInside(layout, stats, slot, spread),
    moving: {
      complete: (params, mass, stats) => completeMass(layout, params, mass, stats),
    },
    moments: (params, mass, stats) => diagonalMoments(layout, params, mass, stats),
    value: (stats, params) => diagonalValue(layout, stats, params),
    /** The mass of the column that is seen most. */
    mass: (stats, slot) => massOf(layout, stats, slot),
    describe: (params, slot) => describeDiagonal(layout, params, slot),
    adopt: (description, slot, mass, stats) => adoptDiagonal(layout, description, slot, mass, stats),
    sample: (params, slot, block, dice) => sampleDiagonal(layout, params, slot, block, dice),
    numbers: {
      expect: (_block, params, slot, place, mean, variance) =>
        expectColumn(layout, params, slot, place, mean, variance),
      cdf: normalBelow,
    },
    ...diagonalShares(columns, places, (slot, j) => ({
      mean: slot * reach + j,
      precision: slot * reach + d + j * step,
      top: slot * reach + tops + j * step,
    })),
  }
}
