/** Prior, domain and value of a regression, from its statistics. */
import { triangle } from "../../kernels/triangle.ts"
import { rowsOfPrior } from "../within.ts"
import type { Line } from "./rows.ts"
import { GIVEN, RESIDUAL, TIGHTNESS } from "./spread.ts"

/** Steps of stochastic learners keep residual variances above this fraction of those within slots. */
const CLEAR = 1e-4

export function spreadOf({ within, slots }: Line, stats: Float64Array): Float64Array {
  return within.of(stats, slots, new Float64Array(within.length))
}

export function priorOfLine(
  line: Line,
  stats: Float64Array,
  strength: number = 1,
  spread: Float64Array | undefined,
  around: Float64Array = stats,
): void {
  const { pseudo, PRECISION, d, within, SPREAD, slots, size, last, MEAN, laid, kappa } = line
  const wide = spread ?? spreadOf(line, around)
  pseudo[PRECISION] = 1 / wide[RESIDUAL]
  for (let j = 0; j < d; j++) {
    pseudo[1 + j] = wide[within.slope + j]
    pseudo[SPREAD + triangle(j) + j] = wide[TIGHTNESS] * wide[GIVEN + j]
  }
  for (let p = 0; p < slots; p++) {
    const n = around[p * size]
    const mean = (j: number): number => (n > 0 ? around[p * size + triangle(j)] / n : 0) // of z_j
    pseudo[0] = mean(last)
    for (let j = 0; j < d; j++) {
      pseudo[MEAN + j] = mean(1 + j)
      pseudo[0] -= pseudo[1 + j] * mean(1 + j)
    }
    laid.addMoments(pseudo, 0, rowsOfPrior(1, strength * kappa), stats, p)
  }
}

export function momentsOfLine(
  { slots, laid, width }: Line,
  params: Float64Array,
  mass: Float64Array,
  stats: Float64Array,
): void {
  for (let p = 0; p < slots; p++) laid.addMoments(params, p * width, mass[p], stats, p)
}

export function isInside(
  line: Line,
  stats: Float64Array,
  slot: number,
  spread: Float64Array | undefined,
): boolean {
  const { size, laid, trial, width, PRECISION } = line
  if (!(stats[slot * size] > 0)) return false
  const wide = spread ?? spreadOf(line, stats)
  return !laid.solve(stats, slot, trial, wide) && 1 / trial[slot * width + PRECISION] > CLEAR * wide[RESIDUAL]
}

export function valueOfLine(line: Line, stats: Float64Array, params: Float64Array): number {
  const { slots, width, size, last, TOP, PRECISION } = line
  // Σ_p n·top − ½ vᵀ(Σw zzᵀ)v / σ², v = (−w, 1)
  let total = 0
  for (let p = 0; p < slots; p++) {
    const at = p * width
    let square = 0
    for (let j = 0, from = p * size; j <= last; j++) {
      const v = j === last ? -1 : params[at + j]
      let sum = 0 // Σ_{k<j} counts twice: zzᵀ is symmetric
      for (let k = 0; k < j; k++) sum += stats[from++] * params[at + k]
      square += v * (2 * sum + stats[from++] * v)
    }
    total += stats[p * size] * params[at + TOP] - 0.5 * params[at + PRECISION] * square
  }
  return total
}

/** θ of all slots; returns how many estimates were clamped. */
export function solveSlots(
  { slots, laid }: Line,
  stats: Float64Array,
  params: Float64Array,
  spread: Float64Array,
): number {
  let clamped = 0
  for (let p = 0; p < slots; p++) if (laid.solve(stats, p, params, spread)) clamped++
  return clamped
}
