/** Weighted rows: their mean, and how many equal rows they are worth. A row of weight 0 does not count, whatever it holds. */

/** Σ w v / Σ w; some weight must be above 0. */
export function weightedMean(values: ArrayLike<number>, weights: ArrayLike<number>): number {
  let sum = 0
  let total = 0
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue // 0 · ∞ is not a number
    sum += weights[i] * values[i]
    total += weights[i]
  }
  return sum / total
}

/** (Σ w)² / Σ w²: the number of equally weighted rows whose mean varies as much (Kish 1965, Survey Sampling, §11.7). */
export function effectiveRows(weights: ArrayLike<number>): number {
  let largest = 0
  for (let i = 0; i < weights.length; i++) largest = Math.max(largest, weights[i])
  let sum = 0
  let squares = 0
  for (let i = 0; i < weights.length; i++) {
    const w = weights[i] / largest // so that weights of 1e±200 can be squared
    sum += w
    squares += w * w
  }
  return (sum * sum) / squares
}
