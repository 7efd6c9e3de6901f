/** Expected and predictive densities of a log-normal number. */
import type { Block } from "../contract/block.ts"
import type { Dice } from "../contract/dice.ts"
import { aboveZero } from "../families/natural.ts"
import { exp, expm1 } from "../kernels/exp.ts"
import { log, log1p } from "../kernels/log.ts"
import { logOnePlusSquare, studentBelow } from "../kernels/student.ts"
import { type LogNormalBelief, put, STATISTICS, WIDTH } from "./log-normal-posterior.ts"
import { expectedTop } from "./spreads.ts"
import { putStudent, STUDENT } from "./student.ts"

/** e^σ² and its square are still finite. */
const WIDEST = 300

/** ln x; NaN if it is missing. */
export function logs(belief: LogNormalBelief, x: Float64Array, rows: number): Float64Array {
  const { logsOf } = belief
  const out = logsOf(rows)
  for (let i = 0; i < rows; i++) out[i] = log(x[i])
  return out
}

export function fillExpected(belief: LogNormalBelief, q: Float64Array, params: Float64Array): void {
  const { slots, logScale } = belief
  for (let p = 0; p < slots; p++) {
    const [kappa, m, nu, s] = q.subarray(p * WIDTH, p * WIDTH + WIDTH)
    put(belief, params, p, m, s / nu)
    params.set([m, nu / s, expectedTop(nu, s, kappa) - logScale], slots * 2 + p * 3)
  }
}

export function scoreExpected(
  belief: LogNormalBelief,
  block: Block,
  params: Float64Array,
  out: Float64Array,
): undefined {
  const { place, slots } = belief
  const { rows } = block
  const x = logs(belief, block.cells[place] as Float64Array, rows)
  for (let p = 0; p < slots; p++) {
    const [m, precision, top] = params.subarray(slots * 2 + p * 3, slots * 2 + p * 3 + 3)
    for (let i = 0; i < rows; i++) {
      const off = x[i] - m
      if (off === off) out[p * rows + i] += top - 0.5 * precision * off * off - x[i]
    }
  }
  return undefined
}

export function valueExpected({ slots }: LogNormalBelief, stats: Float64Array, params: Float64Array): number {
  let total = 0
  for (let p = 0; p < slots; p++) {
    const [n, sum, squares] = stats.subarray(p * STATISTICS, p * STATISTICS + STATISTICS)
    const [m, precision, top] = params.subarray(slots * 2 + p * 3, slots * 2 + p * 3 + 3)
    total += n * top - 0.5 * precision * (squares - 2 * m * sum + n * m * m) - sum
  }
  return total
}

export function fillPredictive(belief: LogNormalBelief, q: Float64Array, params: Float64Array): void {
  const { slots, logScale } = belief
  for (let p = 0; p < slots; p++) {
    const [kappa, m, nu, s] = q.subarray(p * WIDTH, p * WIDTH + WIDTH)
    put(belief, params, p, m, s / nu)
    putStudent(params, slots * 2 + p * STUDENT, m, (s / nu) * ((kappa + 1) / kappa), nu, logScale)
  }
}

export function scorePredictive(
  belief: LogNormalBelief,
  block: Block,
  params: Float64Array,
  out: Float64Array,
): undefined {
  const { place, slots } = belief
  const { rows } = block
  const x = logs(belief, block.cells[place] as Float64Array, rows)
  for (let p = 0; p < slots; p++) {
    const own = slots * 2 + p * STUDENT
    const [m, unit, half, top] = params.subarray(own, own + STUDENT)
    for (let i = 0; i < rows; i++) {
      const off = x[i] - m
      if (off === off) out[p * rows + i] += top - half * logOnePlusSquare(off * unit) - x[i]
    }
  }
  return undefined
}

export function samplePredictive(
  { place, slots }: LogNormalBelief,
  params: Float64Array,
  slot: number,
  block: Block,
  dice: Dice,
): void {
  const x = block.cells[place] as Float64Array
  if (!Number.isNaN(x[0])) return
  const [m, unit, , , nu] = params.subarray(slots * 2 + slot * STUDENT, slots * 2 + (slot + 1) * STUDENT)
  const drawn = m + dice.normal() / (unit * Math.sqrt(2 * dice.gamma(0.5 * nu)))
  x[0] = aboveZero(exp(Math.min(drawn, WIDEST)))
}

export function expectPredictive(
  { slots }: LogNormalBelief,
  params: Float64Array,
  slot: number,
  mean: Float64Array,
  variance: Float64Array,
  freedom: Float64Array | undefined,
): void {
  const [m, unit, , , nu] = params.subarray(slots * 2 + slot * STUDENT, slots * 2 + (slot + 1) * STUDENT)
  const square = Math.min(1 / unit / unit / nu, WIDEST)
  const centre = exp(m + 0.5 * square)
  mean.fill(centre)
  variance.fill(centre * centre * expm1(square))
  freedom?.fill(nu)
}

export function cdfPredictive(
  _belief: LogNormalBelief,
  x: number,
  mean: number,
  variance: number,
  nu: number = 1,
): number {
  const square = log1p(variance / (mean * mean))
  return x > 0 ? studentBelow((log(x) - log(mean) + 0.5 * square) / Math.sqrt(square), nu) : 0
}
