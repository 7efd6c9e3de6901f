/** Expected and predictive densities of a rate of counts. */
import type { Block } from "../contract/block.ts"
import type { Dice } from "../contract/dice.ts"
import { log, log1p } from "../kernels/log.ts"
import { digamma, logFactorial, logRising } from "../kernels/log-gamma.ts"
import { type PoissonBelief, WIDTH } from "./poisson-posterior.ts"

export function fillExpected({ slots }: PoissonBelief, q: Float64Array, params: Float64Array): void {
  for (let p = 0; p < slots; p++) {
    params[p] = digamma(q[p * WIDTH]) - log(q[p * WIDTH + 1])
    params[slots + p] = q[p * WIDTH] / q[p * WIDTH + 1]
  }
}

export function scoreExpected(
  { place, slots }: PoissonBelief,
  block: Block,
  params: Float64Array,
  out: Float64Array,
): undefined {
  const x = block.cells[place] as Float64Array
  const { rows } = block
  for (let i = 0; i < rows; i++) {
    if (x[i] !== x[i]) continue
    const base = logFactorial(x[i])
    for (let p = 0; p < slots; p++) out[p * rows + i] += x[i] * params[p] - params[slots + p] - base
  }
  return undefined
}

export function valueExpected({ slots }: PoissonBelief, stats: Float64Array, params: Float64Array): number {
  let sum = 0
  for (let p = 0; p < slots; p++) {
    const at = p * WIDTH
    sum += stats[at + 1] * params[p] - stats[at] * params[slots + p] - stats[at + 2]
  }
  return sum
}

export function fillPredictive({ slots }: PoissonBelief, q: Float64Array, params: Float64Array): void {
  for (let p = 0; p < slots; p++) {
    const [a, b] = q.subarray(p * WIDTH, p * WIDTH + 2)
    params[p] = log(a / b)
    params[slots + 2 * p] = a
    params[slots + 2 * p + 1] = b
  }
}

export function scorePredictive(
  { place, slots }: PoissonBelief,
  block: Block,
  params: Float64Array,
  out: Float64Array,
): undefined {
  const x = block.cells[place] as Float64Array
  const { rows } = block
  for (let p = 0; p < slots; p++) {
    const [a, b] = [params[slots + 2 * p], params[slots + 2 * p + 1]]
    const top = -a * log1p(1 / b)
    const each = log1p(b)
    for (let i = 0; i < rows; i++)
      if (x[i] === x[i]) out[p * rows + i] += top + logRising(a, x[i]) - logFactorial(x[i]) - x[i] * each
  }
  return undefined
}

export function samplePredictive(
  { place, slots }: PoissonBelief,
  params: Float64Array,
  slot: number,
  block: Block,
  dice: Dice,
): void {
  const x = block.cells[place] as Float64Array
  if (Number.isNaN(x[0]))
    x[0] = dice.poisson(dice.gamma(params[slots + 2 * slot]) / params[slots + 2 * slot + 1])
}

export function expectPredictive(
  { slots }: PoissonBelief,
  params: Float64Array,
  slot: number,
  mean: Float64Array,
  variance: Float64Array,
): void {
  const [a, b] = [params[slots + 2 * slot], params[slots + 2 * slot + 1]]
  mean.fill(a / b)
  variance.fill((a / b) * (1 + 1 / b))
}
