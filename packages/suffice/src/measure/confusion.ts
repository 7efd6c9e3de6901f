/**
 * Confusion of levels: counts[truth · levels + predicted], in weight.
 *
 *     accuracy = Σ_l counts[l,l] / Σ counts      precision_l = counts[l,l] / predicted_l      recall_l = counts[l,l] / support_l
 *     F1_l = 2 counts[l,l] / (predicted_l + support_l), the harmonic mean of the two (van Rijsbergen 1979, ch. 7)
 */

/** The most probable level of each row, the first among equals. Probabilities are rows × levels. */
export function winners(probabilities: ArrayLike<number>, levels: number): Int32Array {
  return Int32Array.from({ length: probabilities.length / levels }, (_, i) => {
    let best = 0
    for (let l = 1; l < levels; l++) {
      if (probabilities[i * levels + l] > probabilities[i * levels + best]) best = l
    }
    return best
  })
}

export function confusion(
  truth: ArrayLike<number>,
  predicted: ArrayLike<number>,
  weights: ArrayLike<number>,
  levels: number,
): Float64Array {
  const counts = new Float64Array(levels * levels)
  for (let i = 0; i < truth.length; i++) counts[truth[i] * levels + predicted[i]] += weights[i]
  return counts
}

export function accuracy(counts: ArrayLike<number>, levels: number): number {
  let right = 0
  let total = 0
  for (let t = 0; t < levels; t++) {
    right += counts[t * levels + t]
    for (let p = 0; p < levels; p++) total += counts[t * levels + p]
  }
  return Math.min(right / total, 1) // the two sums are rounded differently
}

/** A level that was never predicted has precision 0, one that never occurred recall 0: `predicted` and `support` tell. */
export interface LevelScores {
  readonly precision: number
  readonly recall: number
  readonly f1: number
  /** Weight of the rows that are of this level. */
  readonly support: number
  /** Weight of the rows predicted to be of this level. */
  readonly predicted: number
}

export function levelScores(counts: ArrayLike<number>, levels: number): LevelScores[] {
  return Array.from({ length: levels }, (_, l) => {
    let support = 0
    let predicted = 0
    for (let other = 0; other < levels; other++) {
      support += counts[l * levels + other]
      predicted += counts[other * levels + l]
    }
    const right = counts[l * levels + l]
    return {
      precision: share(right, predicted),
      recall: share(right, support),
      f1: share(2 * right, predicted + support),
      support,
      predicted,
    }
  })
}

/** The mean F1 of the levels that occur, as truth or as prediction (as scikit-learn does without `labels`). */
export function macroF1(scores: readonly LevelScores[]): number {
  const occur = scores.filter(({ support, predicted }) => support + predicted > 0)
  return occur.reduce((sum, { f1 }) => sum + f1, 0) / occur.length
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}
