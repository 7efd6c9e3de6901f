/**
 * Proper scores, row by row; their weighted mean is the measure. A true level ≥ `levels` is one the model has never seen:
 * its probability is 0.
 *
 *     log-loss = −ln p(truth)                         (Good 1952); Infinity if p = 0
 *     Brier = Σ_l (p(l) − 1[l = truth])², in [0, 2]   (Brier 1950, his own form: summed over all levels)
 */
import { log } from "../kernels/log.ts"

export function logLosses(
  truth: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  levels: number,
): Float64Array {
  return Float64Array.from({ length: truth.length }, (_, i) =>
    truth[i] < levels ? 0 - log(probabilities[i * levels + truth[i]]) : Infinity,
  )
}

export function brierScores(
  truth: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  levels: number,
): Float64Array {
  return Float64Array.from({ length: truth.length }, (_, i) => {
    let sum = truth[i] < levels ? 0 : 1
    for (let l = 0; l < levels; l++) {
      const gap = probabilities[i * levels + l] - (l === truth[i] ? 1 : 0)
      sum += gap * gap
    }
    return sum
  })
}
