/** Places of the statistics and parameters of a diagonal normal. */
import { absorbDiagonal, scoreDiagonal } from "../../kernels/diagonal-rows.ts"
import { log } from "../../kernels/log.ts"
import { pin } from "../../kernels/pin.ts"
import { fastKernels, type Kernels } from "../../kernels/twins.ts"
import { type NumberColumn, pooledVariances, type Spread } from "./columns.ts"
import { diagonalSpread } from "./diagonal-spread.ts"

/** Layout of a diagonal normal, and memory within one call. */
export interface DiagonalLayout {
  readonly columns: readonly NumberColumn[]
  readonly places: readonly number[]
  readonly slots: number
  readonly spread: Spread
  readonly kappa: number
  readonly d: number
  readonly step: 1 | 0
  readonly variances: number
  readonly fixed: boolean
  readonly squares: number
  readonly width: number
  readonly tops: number
  readonly reach: number
  readonly logScale: number[]
  readonly covers: number
  readonly pooled: Float64Array
  readonly unit: number
  readonly within: (stats: Float64Array, out: Float64Array) => Float64Array
  readonly trial: Float64Array
  readonly kernels:
    | Kernels
    | {
        pin: (x: readonly Float64Array[], rows: number, d: number) => boolean
        scoreDiagonal: (
          x: readonly Float64Array[],
          rows: number,
          d: number,
          slots: number,
          step: number,
          params: Float64Array,
          out: Float64Array,
        ) => void
        absorbDiagonal: (
          x: readonly Float64Array[],
          rows: number,
          d: number,
          slots: number,
          step: number,
          weights: Float64Array,
          stats: Float64Array,
        ) => void
      }
  readonly scratch: Float64Array[]
}

export function diagonalLayout(
  columns: readonly NumberColumn[],
  places: readonly number[],
  slots: number,
  spread: Spread,
  kappa: number,
): DiagonalLayout {
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

  const within = diagonalSpread(d, slots, pooled)

  const trial = new Float64Array(slots * reach)
  const kernels = fastKernels() ?? { pin, scoreDiagonal, absorbDiagonal }
  const scratch: Float64Array[] = new Array(d)
  return {
    columns,
    places,
    slots,
    spread,
    kappa,
    d,
    step,
    variances,
    fixed,
    squares,
    width,
    tops,
    reach,
    logScale,
    covers,
    pooled,
    unit,
    within,
    trial,
    kernels,
    scratch,
  }
}
