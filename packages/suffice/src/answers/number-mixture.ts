/**
 * Moments and quantiles of a mixture of distributions of one number.
 *
 *     mean = Σ r m      variance = Σ r (v + (m − mean)²)      quantiles by bisection of Σ r P(X ≤ x | p)
 */
import type { Leaf } from "../contract/leaf.ts"
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"

/** The component of one slot: arrays over the rows of a block, in encoded units. */
export interface Share {
  readonly leaf: Leaf
  readonly weight: Float64Array
  readonly mean: Float64Array
  readonly variance: Float64Array
  /** Degrees of freedom of Student's t; 0 for any other distribution. */
  readonly freedom: Float64Array
}

export interface Belief {
  mean(row: number): number
  sd(row: number): number
  /** P(X ≤ x), in encoded units. */
  below(row: number, x: number): number
  /** x with P(X ≤ x) = probability; whole numbers for counts. */
  quantile(row: number, probability: number, whole: boolean): number
}

export function mixtureOf(shares: readonly Share[]): Belief {
  return {
    mean: row => meanOf(shares, row),
    sd: row => sdOf(shares, row),
    below: (row, x) => below(shares, row, x),
    quantile: (row, probability, whole) => quantile(shares, row, probability, whole),
  }
}

function meanOf(shares: readonly Share[], row: number): number {
  let total = 0
  for (const share of shares) total += share.weight[row] * share.mean[row]
  return total
}

// √Σ r (v + (m − mean)²), without the cancellation of Σ r (v + m²) − mean²
function sdOf(shares: readonly Share[], row: number): number {
  const centre = meanOf(shares, row)
  let total = 0
  for (const { weight, mean, variance } of shares) {
    const gap = mean[row] - centre
    total += weight[row] * (variance[row] + gap * gap)
  }
  return Math.sqrt(total)
}

function below(shares: readonly Share[], row: number, x: number): number {
  let total = 0
  for (const { leaf, weight, mean, variance, freedom } of shares) {
    if (weight[row] > 0) total += weight[row] * leaf.numbers!.cdf(x, mean[row], variance[row], freedom[row])
  }
  return total
}

function quantile(shares: readonly Share[], row: number, probability: number, whole: boolean): number {
  const centre = meanOf(shares, row)
  const reach = sdOf(shares, row)
  // Chebyshev: less than p lies outside centre ± reach/√p, on either side
  const far = reach / Math.sqrt(Math.min(probability, 1 - probability)) + (whole ? 1 : 0)
  let low = centre - far
  let high = centre + far
  // Student's t with few degrees of freedom has no variance
  if (shares.some(({ freedom }) => freedom[row] > 0)) {
    for (let wide = far; wide < 1e300 && below(shares, row, low) > probability; wide *= 2) low = centre - wide
    for (let wide = far; wide < 1e300 && below(shares, row, high) < probability; wide *= 2)
      high = centre + wide
    // a positive tail may span many orders of magnitude
    if (!whole && high > 0 && below(shares, row, 0) === 0)
      return positiveQuantile(shares, row, probability, high)
  }
  for (let step = 0; step < 200 && high - low > 1e-13 * (reach + Math.abs(centre)); step++) {
    const middle = 0.5 * (low + high)
    if (below(shares, row, middle) < probability) low = middle
    else high = middle
  }
  return whole ? Math.max(Math.round(high), 0) : 0.5 * (low + high)
}

/** By bisection of ln x. */
function positiveQuantile(shares: readonly Share[], row: number, probability: number, most: number): number {
  let low = -700
  let high = Math.min(log(most), 700)
  for (let step = 0; step < 200 && high - low > 1e-14 * Math.max(Math.abs(low), Math.abs(high)); step++) {
    const middle = 0.5 * (low + high)
    if (below(shares, row, exp(middle)) < probability) low = middle
    else high = middle
  }
  return exp(0.5 * (low + high))
}
