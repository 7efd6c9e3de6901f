/**
 * From the statistics of a slot to its parameters, and back. With x̄, ȳ the means, C = Σwxxᵀ/n − x̄x̄ᵀ and c = Σwxy/n − x̄ȳ:
 *
 *     β = C⁻¹c      w = (ȳ − β·x̄, β)      σ² = var y − β·c
 *     Σwxy/n = Cβ + x̄ȳ      Σwy²/n = σ² + βᵀCβ + ȳ²      ȳ = w·(1, x̄)
 */
import type { NumberColumn } from "../normal/columns.ts"
import { addMoments, poolSlot, slotLayout, solveSlot } from "./slot.ts"

/** The layout. Statistics of a slot: Σw zzᵀ, z = (1, x, y), packed. Parameters: w, then 1/σ², ln of the density at ŷ, x̄, C (packed). */
export interface Slots {
  /** The number of columns that are read; y is entry d + 1 of z. */
  readonly d: number
  /** Statistics and parameters per slot. */
  readonly size: number
  readonly width: number
  /** The places of 1/σ², ln of the density at ŷ, x̄, C. */
  readonly precision: number
  readonly top: number
  readonly mean: number
  readonly spread: number
  /** Pooled variances of y and of x, in encoded units. */
  readonly own: number
  readonly given: Float64Array
  /** θ of one slot; true if it was clamped to the edge of the domain, which is relative to the spread. */
  solve(stats: Float64Array, slot: number, params: Float64Array, spread: Float64Array): boolean
  /** The parameters at `to` of a slot without rows: slope 0, pooled variances. */
  pool(params: Float64Array, to: number): void
  /** stats of a slot += mass · E[zzᵀ | θ], θ at `to`. */
  addMoments(params: Float64Array, to: number, mass: number, stats: Float64Array, slot: number): void
}

export function linearSlots(columns: readonly NumberColumn[]): Slots {
  const layout = slotLayout(columns)
  const { d, size, width, PRECISION, TOP, MEAN, SPREAD, pooled, pooledGiven } = layout

  return {
    d,
    size,
    width,
    precision: PRECISION,
    top: TOP,
    mean: MEAN,
    spread: SPREAD,
    own: pooled[0],
    given: pooledGiven,
    solve: (stats, slot, params, spread) => solveSlot(layout, stats, slot, params, spread),
    pool: (params, to) => poolSlot(layout, params, to),
    addMoments: (params, to, mass, stats, slot) => addMoments(layout, params, to, mass, stats, slot),
  }
}
