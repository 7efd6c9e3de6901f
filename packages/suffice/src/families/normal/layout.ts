/**
 * The layout of a dense normal's arrays. `share` slots have one matrix in common: 1 is "full", all of them "tied".
 *
 *     stats    slot by slot n, Σwx (1 + d);      then matrix by matrix Σwxxᵀ (a packed triangle)
 *     params   slot by slot μ (d);               then matrix by matrix Σ, L⁻¹ (packed, Σ = LLᵀ), ln of the density at μ;
 *              if slots share a matrix, max Σ_j |w_j|, then slot by slot b = −½ μᵀΣ⁻¹μ, w = Σ⁻¹μ (lines.ts)
 */
import { log } from "../../kernels/log.ts"
import { triangle } from "../../kernels/triangle.ts"
import { type NumberColumn, pooledVariances } from "./columns.ts"

export interface Layout {
  readonly columns: readonly NumberColumn[]
  readonly places: readonly number[]
  readonly slots: number
  readonly share: number
  readonly matrices: number
  /** The number of columns, and of entries of a packed triangle. */
  readonly d: number
  readonly size: number
  readonly statistics: number
  readonly parameters: number
  /** Pooled variance of each column in encoded units, and ln scale. */
  readonly variance: Float64Array
  readonly logScale: Float64Array
  /** n of slot p; Σwx follows. */
  sumsAt(slot: number): number
  meanAt(slot: number): number
  matrixOf(slot: number): number
  /** Σwxxᵀ of a matrix. */
  squaresAt(matrix: number): number
  covarianceAt(matrix: number): number
  inverseAt(matrix: number): number
  topAt(matrix: number): number
  /** max Σ_j |w_j|; the lines follow, 1 + d numbers each. */
  readonly linesAt: number
}

export function layout(
  columns: readonly NumberColumn[],
  places: readonly number[],
  slots: number,
  share: number,
): Layout {
  const d = columns.length
  const size = triangle(d)
  const matrices = slots / share
  const squares = slots * (1 + d)
  const means = slots * d
  const width = 2 * size + 1
  const lines = means + matrices * width
  return {
    columns,
    places,
    slots,
    share,
    matrices,
    d,
    size,
    statistics: squares + matrices * size,
    parameters: lines + (share > 1 ? 1 + slots * (1 + d) : 0),
    linesAt: lines,
    variance: pooledVariances(columns),
    logScale: Float64Array.from(columns, ({ scale }) => log(scale)),
    sumsAt: slot => slot * (1 + d),
    meanAt: slot => slot * d,
    matrixOf: slot => Math.floor(slot / share),
    squaresAt: matrix => squares + matrix * size,
    covarianceAt: matrix => means + matrix * width,
    inverseAt: matrix => means + matrix * width + size,
    topAt: matrix => means + matrix * width + 2 * size,
  }
}
