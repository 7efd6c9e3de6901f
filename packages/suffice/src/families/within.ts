/**
 * The variance v within slots: what the prior shrinks variances towards, and what their floors are relative to.
 *
 *     W = ( ΣS_p + T ) / ( Σf_p + 1 )         all slots, and one row of the total variance T
 *     M = the lower median of S_p / f_p        over the slots with S_p > 0
 *     v = min( W, 4·(1 + (10/D)²)·M )          D: Σf_p of the slots up to the median
 *
 * S_p = Σw(x − x̄_p)² and f_p = max(n_p − 1, 0). Distances between slots do not count. Outliers in a few slots inflate W, but not M; the
 * cap is looser with few rows. If no slot has S_p > 0: v = T.
 */
export function withinSlots(squares: Float64Array, freedom: Float64Array, total: number): number {
  let sum = total
  let rows = 1
  const spreading: number[] = []
  for (let p = 0; p < squares.length; p++) {
    sum += squares[p]
    rows += freedom[p]
    if (freedom[p] >= 1 && squares[p] > 0) spreading.push(p)
  }
  if (spreading.length === 0) return total
  const varianceOf = (p: number): number => squares[p] / freedom[p]
  // ties by f, so that D does not depend on the order of slots
  spreading.sort((p, q) => varianceOf(p) - varianceOf(q) || freedom[p] - freedom[q])
  const middle = (spreading.length - 1) >> 1
  let below = 0 // D
  for (let s = 0; s <= middle; s++) below += freedom[spreading[s]]
  const loose = LOOSE / below
  const within = Math.min(sum / rows, CAP * (1 + loose * loose) * varianceOf(spreading[middle]))
  // skip squares that overflow or underflow
  return within > 0 && within < Infinity ? within : total
}

const CAP = 4
const LOOSE = 10

/** Σwx² − n x̄², or 0 if it is only rounding error. */
export function squaresLeft(squares: number, taken: number): number {
  const left = squares - taken
  return left > ROUNDING * squares ? left : 0
}

const ROUNDING = 1e-12

/**
 * Pseudo-rows of a prior over a covariance of this many columns, times a factor: columns + 5. With columns + 2, the fewest for which the prior has a mean,
 * Gaussian naive Bayes is as accurate but overconfident: from 3 to all rows per class its log-loss is 15 % above that of one pseudo-row at the total
 * variance on the nine tables it was chosen on, with columns + 5 it is 2 % above; on the eight others 1 % and 12 % below (bench/studies/prior.md).
 */
export function rowsOfPrior(columns: number, factor: number): number {
  return Math.min(factor * (columns + 5), ENDLESS)
}

/** So large that it outweighs all rows, and its square is still finite. */
export const ENDLESS = 1e150
