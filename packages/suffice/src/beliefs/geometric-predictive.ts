/** Expected and predictive densities of a probability of success. */
import type { Block } from "../contract/block.ts"
import type { Dice } from "../contract/dice.ts"
import { log, log1p } from "../kernels/log.ts"
import { digamma, logRising } from "../kernels/log-gamma.ts"
import type { GeometricBelief } from "./geometric-posterior.ts"
import { leastVariable } from "./student.ts"

/** Counts stay whole numbers. */
const LARGEST = 1e15

export function fillExpected({ slots }: GeometricBelief, q: Float64Array, params: Float64Array): void {
  for (let p = 0; p < slots; p++) {
    const [a, b] = q.subarray(p * 2, p * 2 + 2)
    const both = digamma(a + b)
    params[p] = digamma(a) - both
    params[slots + p] = digamma(b) - both
  }
}

export function fillPredictive({ slots }: GeometricBelief, q: Float64Array, params: Float64Array): void {
  for (let p = 0; p < slots; p++) {
    const [a, b] = q.subarray(p * 2, p * 2 + 2)
    params[p] = -log1p((b - 1) / a)
    params[slots + 2 * p] = a
    params[slots + 2 * p + 1] = b
  }
}

export function scorePredictive(
  { place, slots }: GeometricBelief,
  block: Block,
  params: Float64Array,
  out: Float64Array,
): undefined {
  const x = block.cells[place] as Float64Array
  const { rows } = block
  for (let p = 0; p < slots; p++) {
    const [a, b] = [params[slots + 2 * p], params[slots + 2 * p + 1]]
    const top = log(b)
    for (let i = 0; i < rows; i++)
      if (x[i] === x[i]) out[p * rows + i] += top + logRising(a, x[i]) - logRising(a + b, x[i] + 1)
  }
  return undefined
}

export function samplePredictive(
  { place, slots }: GeometricBelief,
  params: Float64Array,
  slot: number,
  block: Block,
  dice: Dice,
): void {
  const x = block.cells[place] as Float64Array
  const [a, b] = [params[slots + 2 * slot], params[slots + 2 * slot + 1]]
  if (Number.isNaN(x[0]))
    x[0] = dice.poisson(Math.min((dice.gamma(1) * dice.gamma(a)) / dice.gamma(b), LARGEST))
}

export function expectPredictive(
  { slots }: GeometricBelief,
  params: Float64Array,
  slot: number,
  mean: Float64Array,
  variance: Float64Array,
  freedom: Float64Array | undefined,
): void {
  const [a, b] = [params[slots + 2 * slot], params[slots + 2 * slot + 1]]
  const m = a / (b - 1)
  // E[m + 2m²] − E[m]²
  variance.fill(m + 2 * m * ((a + 1) / (leastVariable(b) - 2)) - m * m)
  mean.fill(m)
  freedom?.fill(b)
}
