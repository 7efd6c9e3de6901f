/** Expected and predictive densities of uncorrelated normal columns. */
import type { Block } from "../contract/block.ts"
import type { Dice } from "../contract/dice.ts"
import { log } from "../kernels/log.ts"
import { logOnePlusSquare, studentTop } from "../kernels/student.ts"
import { type DiagonalBelief, nuOf, precisionOf, scatterOf } from "./diagonal-posterior.ts"
import { expectedTop, LN_2PI } from "./spreads.ts"
import { shareOf, studentVariance } from "./student.ts"

export function fillExpected(belief: DiagonalBelief, q: Float64Array, params: Float64Array): void {
  const { slots, d, step, numbers, isFixed, logScale } = belief
  for (let p = 0; p < slots; p++) {
    for (let j = 0; j < d; j++) {
      const v = j * step
      const kappa = q[p * numbers + j]
      params[p * 3 * d + j] = q[p * numbers + d + j]
      params[p * 3 * d + d + j] = precisionOf(belief, q, p, v)
      params[p * 3 * d + 2 * d + j] = isFixed
        ? -0.5 * LN_2PI - 0.5 / kappa
        : expectedTop(nuOf(belief, q, p, v), scatterOf(belief, q, p, v), kappa) - logScale[j]
    }
  }
}

export function valueExpected(
  { slots, width, d, variances }: DiagonalBelief,
  stats: Float64Array,
  params: Float64Array,
): number {
  let sum = 0
  for (let p = 0; p < slots; p++) {
    const from = p * width
    const at = p * 3 * d
    for (let v = 0; v < variances; v++) sum -= 0.5 * params[at + d + v] * stats[from + 2 * d + v]
    for (let j = 0; j < d; j++) {
      const [n, s, m] = [stats[from + j], stats[from + d + j], params[at + j]]
      sum += n * params[at + 2 * d + j] - 0.5 * params[at + d + j] * m * (n * m - 2 * s)
    }
  }
  return sum
}

function putPoint(belief: DiagonalBelief, q: Float64Array, params: Float64Array): void {
  const { d, variances, slots, numbers, isFixed, logScale } = belief
  const reach = d + 2 * variances
  for (let p = 0; p < slots; p++) {
    for (let j = 0; j < d; j++) params[p * reach + j] = q[p * numbers + d + j]
    for (let v = 0; v < variances; v++) {
      const precision = precisionOf(belief, q, p, v)
      params[p * reach + d + v] = precision
      params[p * reach + d + variances + v] = isFixed
        ? -0.5 * LN_2PI
        : 0.5 * (log(precision) - LN_2PI) - logScale[v]
    }
  }
}

export function fillPredictive(belief: DiagonalBelief, q: Float64Array, params: Float64Array): void {
  const { slots, reach, more, d, numbers, step, variances, isFixed } = belief
  putPoint(belief, q, params)
  for (let p = 0; p < slots; p++) {
    const at = reach + p * more
    for (let j = 0; j < d; j++) {
      const kappa = q[p * numbers + j]
      params[at + j] = q[p * numbers + d + j]
      params[at + d + j] = (kappa + 1) / kappa / precisionOf(belief, q, p, j * step)
    }
    for (let v = 0; v < variances; v++) params[at + 2 * d + v] = isFixed ? Infinity : nuOf(belief, q, p, v)
  }
}

export function scorePredictive(
  belief: DiagonalBelief,
  block: Block,
  params: Float64Array,
  out: Float64Array,
): undefined {
  const { slots } = belief
  const { rows } = block
  for (let p = 0; p < slots; p++) {
    for (let i = 0; i < rows; i++)
      out[p * rows + i] += scoreRow(belief, block.cells as Float64Array[], i, params, p)
  }
  return undefined
}

function scoreRow(
  belief: DiagonalBelief,
  cells: readonly Float64Array[],
  row: number,
  params: Float64Array,
  slot: number,
): number {
  const { variances } = belief
  let sum = 0
  for (let v = 0; v < variances; v++) sum += scoreOf(belief, cells, row, params, slot, v)
  return sum
}

/** The log-density of the seen columns of a variance. */
function scoreOf(
  belief: DiagonalBelief,
  cells: readonly Float64Array[],
  row: number,
  params: Float64Array,
  slot: number,
  v: number,
): number {
  const { reach, more, covers, places, logScale, d, isFixed } = belief
  const at = reach + slot * more
  const [square, seen] = distance(belief, cells, row, params, slot, v)
  if (seen === 0) return 0
  let units = 0
  for (let j = v * covers; j < (v + 1) * covers; j++) {
    if (cells[places[j]][row] === cells[places[j]][row]) units += logScale[j] + 0.5 * log(params[at + d + j])
  }
  if (isFixed) return -0.5 * (seen * LN_2PI + square) - units
  const f = params[at + 2 * d + v]
  return studentTop(f, seen) - units - 0.5 * (f + seen) * logOnePlusSquare(Math.sqrt(square / f))
}

/** Σ (x_j − m_j)²/scale_j² over the seen columns of a variance but one, and how many they are. */
function distance(
  belief: DiagonalBelief,
  cells: readonly Float64Array[],
  row: number,
  params: Float64Array,
  slot: number,
  v: number,
  but: number = -1,
): readonly [square: number, seen: number] {
  const { reach, more, covers, places, d } = belief
  const at = reach + slot * more
  let square = 0
  let seen = 0
  for (let j = v * covers; j < (v + 1) * covers; j++) {
    const gap = cells[places[j]][row] - params[at + j]
    if (j === but || gap !== gap) continue
    square += (gap / params[at + d + j]) * gap
    seen++
  }
  return [square, seen]
}

export function samplePredictive(
  belief: DiagonalBelief,
  params: Float64Array,
  slot: number,
  block: Block,
  dice: Dice,
): void {
  const { reach, more, variances, isFixed, d, covers, places } = belief
  const at = reach + slot * more
  for (let v = 0; v < variances; v++) {
    const [square, seen] = isFixed
      ? [0, 0]
      : distance(belief, block.cells as Float64Array[], 0, params, slot, v)
    const f = params[at + 2 * d + v]
    const times = isFixed ? 1 : Math.sqrt((f + square) / (2 * dice.gamma(0.5 * (f + seen))))
    for (let j = v * covers; j < (v + 1) * covers; j++) {
      const x = block.cells[places[j]] as Float64Array
      if (Number.isNaN(x[0])) x[0] = params[at + j] + times * Math.sqrt(params[at + d + j]) * dice.normal()
    }
  }
}

export function expectPredictive(
  belief: DiagonalBelief,
  block: Block,
  params: Float64Array,
  slot: number,
  place: number,
  mean: Float64Array,
  variance: Float64Array,
  freedom: Float64Array | undefined,
): void {
  const { places, reach, more, d, isFixed, step } = belief
  const j = places.indexOf(place)
  const at = reach + slot * more
  for (let i = 0; i < block.rows; i++) {
    mean[i] = params[at + j]
    variance[i] = params[at + d + j]
    if (isFixed) continue
    const [square, seen] = distance(belief, block.cells as Float64Array[], i, params, slot, j * step, j)
    const f = params[at + 2 * d + j * step]
    variance[i] *= ((f + square) / (f + seen)) * studentVariance(f + seen)
    if (freedom) freedom[i] = f + seen
  }
}

export function contributions(
  belief: DiagonalBelief,
  block: Block,
  params: Float64Array,
  slot: number,
  out: Float64Array,
): void {
  const { reach, more, variances, d, isFixed, covers, places, logScale } = belief
  const cells = block.cells as Float64Array[]
  const at = reach + slot * more
  for (let v = 0; v < variances; v++) {
    const [square, seen] = distance(belief, cells, 0, params, slot, v)
    const f = params[at + 2 * d + v]
    const shared = isFixed || seen === 0 ? -0.5 * LN_2PI : studentTop(f, seen) / seen
    const tail = isFixed ? 0.5 * square : 0.5 * (f + seen) * logOnePlusSquare(Math.sqrt(square / f))
    for (let j = v * covers; j < (v + 1) * covers; j++) {
      const gap = cells[places[j]][0] - params[at + j]
      const variance = params[at + d + j]
      if (gap !== gap) continue
      out[j] += shared - logScale[j] - 0.5 * log(variance)
      out[j] -= tail * shareOf((gap / variance) * gap, square, seen)
    }
  }
}
