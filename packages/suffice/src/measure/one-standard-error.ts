/**
 * Which of several candidates to take, from what each lost on the same rows.
 *
 *     d̄ = Σ w (loss − loss of the best) / Σ w        se² = n/(n−1) · Σ w²(d − d̄)² / (Σ w)²
 *
 * Losses are compared row by row: what every candidate finds hard cancels, so se is mostly far below that of either mean. Of those whose d̄ is at most
 * one se the simplest is taken (the one-standard-error rule of Breiman, Friedman, Olshen & Stone 1984, §3.4.3). se is that of the difference, but no more than
 * that of the best's own mean, which is theirs: a candidate that fails badly on a row or two would else excuse itself by the spread it makes.
 */

/** Less than this, in nats per row, is no difference: where every candidate is nearly always right, the simplest is. */
export const HARDLY = 0.005

/** How much more one loses than the other, per row. */
export interface LossDifference {
  readonly difference: number
  readonly standardError: number
}

/** Mean and standard error of what one lost; a row whose loss is NaN was not judged. */
export function meanLoss(losses: ArrayLike<number>, weights: ArrayLike<number>): LossDifference {
  return differenceOf(losses, undefined, weights)
}

/** `losses` against `best`, over the rows that were judged in both. */
export function lossDifference(
  losses: ArrayLike<number>,
  best: ArrayLike<number>,
  weights: ArrayLike<number>,
): LossDifference {
  return differenceOf(losses, best, weights)
}

function differenceOf(
  losses: ArrayLike<number>,
  best: ArrayLike<number> | undefined,
  weights: ArrayLike<number>,
): LossDifference {
  let total = 0
  let sum = 0
  let n = 0
  const gap = (i: number): number => {
    const other = best ? best[i] : 0
    return losses[i] === other ? 0 : losses[i] - other // ∞ − ∞: equally bad
  }
  for (let i = 0; i < losses.length; i++) {
    const d = gap(i)
    if (weights[i] === 0 || Number.isNaN(d)) continue
    total += weights[i]
    sum += weights[i] * d
    n++
  }
  const difference = sum / total
  if (!Number.isFinite(difference) || n < 2) return { difference, standardError: Infinity }
  let squares = 0
  for (let i = 0; i < losses.length; i++) {
    const d = gap(i)
    if (weights[i] === 0 || Number.isNaN(d)) continue
    const off = (weights[i] / total) * (d - difference)
    squares += off * off
  }
  return { difference, standardError: Math.sqrt((squares * n) / (n - 1)) }
}

/** What one candidate lost, and how simple it is: compared number by number, the lower the simpler. */
export interface Rival {
  readonly losses: ArrayLike<number>
  readonly simplicity: readonly number[]
}

/** The best of them, the one to take, and how many the rule let in: places in the list. */
export interface Taken {
  readonly best: number
  readonly taken: number
  readonly tied: readonly number[]
}

export function oneStandardError(rivals: readonly Rival[], weights: ArrayLike<number>): Taken {
  const means = rivals.map(({ losses }) => meanLoss(losses, weights).difference)
  let best = 0
  for (let r = 1; r < means.length; r++) if (means[r] < means[best]) best = r
  const own = meanLoss(rivals[best].losses, weights).standardError
  const tied = rivals.flatMap(({ losses }, r) => {
    if (r === best) return [r]
    const { difference, standardError } = lossDifference(losses, rivals[best].losses, weights)
    const reach = Math.max(Math.min(standardError, own), HARDLY)
    return difference <= reach && reach < Infinity ? [r] : []
  })
  const taken = tied.reduce((one, r) => (isSimpler(rivals[r], rivals[one]) ? r : one))
  return { best, taken, tied }
}

function isSimpler(one: Rival, other: Rival): boolean {
  for (let j = 0; j < one.simplicity.length; j++) {
    if (one.simplicity[j] !== other.simplicity[j]) return one.simplicity[j] < other.simplicity[j]
  }
  return false
}

/**
 * What a model that lost `held` on rows it had not seen, and `seen` on the n it had learned from, will lose once it learns from m > n. Both tend to
 * the same limit, one from above, the other from below, by about free/2n each (the argument of Akaike 1974):
 *
 *     limit ≈ (held + seen)/2        held(m) ≈ limit + (held − seen)/2 · n/m
 */
export function expectedLoss(held: number, seen: number, n: number, m: number): number {
  const excess = (held - seen) / 2
  return excess > 0 && Number.isFinite(excess) ? held - excess * (1 - n / m) : held
}
