/**
 * Confidence intervals for what was measured on a sample of rows. z = Φ⁻¹(½ + ½ coverage).
 *
 *     Wilson (1927), a share p of n rows:  ( p + z²/2n ± z √(p(1−p)/n + z²/4n²) ) / (1 + z²/n)
 *     normal approximation, a mean m:      m ± z s,   s² = n/(n−1) · Σ w²(v − m)² / (Σ w)²   (Cochran 1977, §6.3; equal weights: sd²/n)
 *     percentile bootstrap (Efron 1979):   quantiles of the means of samples drawn from the rows, with replacement
 *
 * Weights are importance weights: a row is drawn once, whatever it weighs, so scaling all weights changes no interval. A
 * weight that counts copies of a row would make intervals narrower: repeat the row instead.
 *
 * Wilson's interval stays inside [0, 1] and does not vanish at p = 0 or 1, as p ± z √(p(1−p)/n) does.
 */
import { SufficeError, show } from "../errors.ts"
import { normalQuantile } from "../kernels/normal-cdf.ts"
import { dice } from "../random.ts"
import { weightedMean } from "./weighted.ts"

export type Interval = readonly [low: number, high: number]

/** For a share of n independent rows, or of weighted rows worth n (`effectiveRows`). */
export function wilsonInterval(share: number, n: number, coverage = 0.95): Interval {
  check(
    "wilsonInterval",
    "the share",
    share,
    Number.isFinite(share) && share >= 0 && share <= 1,
    "lies between 0 and 1",
    "a count by the rows: 181 / 240",
  )
  check("wilsonInterval", "n", n, Number.isFinite(n) && n > 0, "is a number of rows above 0", "240")
  const z = deviations("wilsonInterval", coverage)
  const centre = share + (z * z) / (2 * n)
  const reach = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))
  const scale = 1 + (z * z) / n
  // if the share is 0 or 1, so is the end of the interval; rounding would only come close
  const low = share === 0 ? 0 : Math.max((centre - reach) / scale, 0)
  const high = share === 1 ? 1 : Math.min((centre + reach) / scale, 1)
  return [low, high]
}

/**
 * For the mean of weighted values. One row shows no spread: the interval is then the whole line. If a value is infinite, so
 * is every mean that includes it: [∞, ∞].
 */
export function meanInterval(
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
  coverage = 0.95,
): Interval {
  const z = deviations("meanInterval", coverage)
  const mean = weightedMean(values, weights)
  if (mean - mean !== 0) return [mean, mean]
  let total = 0
  for (let i = 0; i < weights.length; i++) total += weights[i]
  let n = 0
  let squares = 0
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue
    n++
    const gap = (weights[i] / total) * (values[i] - mean)
    squares += gap * gap
  }
  return reaching(mean, squares, n, z)
}

/** The same from sums: `spread` is Σ w²(v − m)² / (Σ w)², of n rows with weight. */
export function meanReach(mean: number, spread: number, n: number, coverage = 0.95): Interval {
  return reaching(mean, spread, n, deviations("meanReach", coverage))
}

function reaching(mean: number, spread: number, n: number, z: number): Interval {
  if (n < 2) return [-Infinity, Infinity]
  const reach = z * Math.sqrt((spread * n) / (n - 1))
  return [mean - reach, mean + reach]
}

export interface BootstrapOptions {
  readonly coverage?: number
  /** How many samples are drawn. 1,000 determine the ends of a 95 % interval (Efron & Tibshirani 1993, §13.3). */
  readonly draws?: number
  readonly seed?: number
}

/** For the mean of weighted values, without assuming that it is normal: losses have long tails. */
export function bootstrapInterval(
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
  { coverage = 0.95, draws = 1000, seed = 0 }: BootstrapOptions = {},
): Interval {
  deviations("bootstrapInterval", coverage)
  check(
    "bootstrapInterval",
    "draws",
    draws,
    Number.isSafeInteger(draws) && draws > 0,
    "is a count above 0",
    "1000",
  )
  const d = dice(seed)
  const rows = Array.from({ length: weights.length }, (_, i) => i).filter(i => weights[i] > 0)
  const means = Float64Array.from({ length: draws }, () => {
    let sum = 0
    let total = 0
    for (let j = 0; j < rows.length; j++) {
      const i = rows[d.integer(rows.length)]
      sum += weights[i] * values[i]
      total += weights[i]
    }
    return sum / total
  }).sort()
  const tail = Math.floor(0.5 * (1 - coverage) * draws)
  return [means[tail], means[draws - 1 - tail]]
}

/** z: how many standard deviations hold this share of a normal. */
function deviations(where: string, coverage: number): number {
  check(
    where,
    "coverage",
    coverage,
    Number.isFinite(coverage) && coverage > 0 && coverage < 1,
    "lies between 0 and 1",
    "0.95",
  )
  return normalQuantile(0.5 + 0.5 * coverage)
}

function check(
  where: string,
  what: string,
  value: number,
  fine: boolean,
  must: string,
  example: string,
): void {
  if (fine) return
  throw new SufficeError(
    "option",
    `${where}: ${what} is ${show(value)}. It ${must}. Give for example ${example}.`,
    { value },
  )
}
