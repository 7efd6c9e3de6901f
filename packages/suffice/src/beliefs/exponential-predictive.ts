/** Expected and predictive densities of a rate of waiting. */
import type { Block } from "../contract/block.ts"
import type { Dice } from "../contract/dice.ts"
import { log, log1p } from "../kernels/log.ts"
import { digamma } from "../kernels/log-gamma.ts"
import { type ExponentialBelief, WIDTH } from "./exponential-posterior.ts"
import { leastVariable } from "./student.ts"

export function fillExpected(
  { slots, logScale }: ExponentialBelief,
  q: Float64Array,
  params: Float64Array,
): void {
  for (let p = 0; p < slots; p++) {
    const [a, b] = q.subarray(p * WIDTH, p * WIDTH + 2)
    params[p] = -a / b
    params[slots + p] = digamma(a) - log(b) - logScale
  }
}

export function fillPredictive({ slots }: ExponentialBelief, q: Float64Array, params: Float64Array): void {
  for (let p = 0; p < slots; p++) {
    const [a, b] = q.subarray(p * WIDTH, p * WIDTH + 2)
    params[p] = -(a - 1) / b
    params[slots + 2 * p] = a
    params[slots + 2 * p + 1] = b
  }
}

export function scorePredictive(
  { place, slots, logScale }: ExponentialBelief,
  block: Block,
  params: Float64Array,
  out: Float64Array,
): undefined {
  const x = block.cells[place] as Float64Array
  const { rows } = block
  for (let p = 0; p < slots; p++) {
    const [a, b] = [params[slots + 2 * p], params[slots + 2 * p + 1]]
    const top = log(a / b) - logScale
    for (let i = 0; i < rows; i++) if (x[i] === x[i]) out[p * rows + i] += top - (a + 1) * log1p(x[i] / b)
  }
  return undefined
}

export function samplePredictive(
  { place, slots }: ExponentialBelief,
  params: Float64Array,
  slot: number,
  block: Block,
  dice: Dice,
): void {
  const x = block.cells[place] as Float64Array
  if (Number.isNaN(x[0]))
    x[0] = (dice.gamma(1) / dice.gamma(params[slots + 2 * slot])) * params[slots + 2 * slot + 1]
}

export function expectPredictive(
  { slots }: ExponentialBelief,
  params: Float64Array,
  slot: number,
  mean: Float64Array,
  variance: Float64Array,
  freedom: Float64Array | undefined,
): void {
  const [a, b] = [params[slots + 2 * slot], params[slots + 2 * slot + 1]]
  const m = b / (a - 1)
  const least = leastVariable(a)
  mean.fill(m)
  variance.fill(m * m * (least / (least - 2)))
  freedom?.fill(a)
}
