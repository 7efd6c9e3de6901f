/**
 * Several classes at once: multinomial logistic regression with one weight vector w_c per class.
 *
 *     f(w) = ½ Σ_c Σ_j penalty_j w_cj² + Σ_i cost_i · ( ln Σ_c e^(x_i·w_c) − x_i·w_label(i) )
 *     ∂f/∂w_c = penalty·w_c + Σ_i cost_i · ( p_ic − [label(i) = c] ) · x_i        p_ic = e^(x_i·w_c) / Σ_c' e^(x_i·w_c')
 *
 * Adding the same vector to every w_c changes no probability, so the penalty makes Σ_c w_c = 0; free intercepts are centred at the end.
 */
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"
import { type DesignMatrix, rowScores, rowSpread, rowSquares, sizeOf } from "./design-matrix.ts"
import type { Smooth } from "./lbfgs.ts"
import { Penalty } from "./penalty.ts"

/** Weights by feature, then class: w[f·k + c]. */
export function softmaxProblem(
  x: DesignMatrix,
  labels: Int32Array,
  k: number,
  cost: Float64Array,
  freeIntercept: boolean,
): Smooth {
  const penalty = new Penalty(x, k, freeIntercept)
  const scores = new Float64Array(x.rows * k)
  const moves = new Float64Array(x.rows * k)
  const shifted = new Float64Array(x.rows * k)
  const row = new Float64Array(k)
  return {
    size: sizeOf(x) * k,
    at(w) {
      penalty.at(w)
      let value = 0
      for (let i = 0; i < x.rows; i++) {
        rowScores(x, i, w, k, row)
        scores.set(row, i * k)
        value += cost[i] * softmax(row, labels[i])
      }
      return value + penalty.value
    },
    gradient(out) {
      penalty.gradient(out)
      for (let i = 0; i < x.rows; i++) {
        for (let c = 0; c < k; c++) row[c] = scores[i * k + c]
        softmax(row, labels[i])
        row[labels[i]] -= 1
        for (let c = 0; c < k; c++) row[c] *= cost[i]
        rowSpread(x, i, row, k, out)
      }
    },
    startBends(out) {
      penalty.bends(out)
      for (let i = 0; i < x.rows; i++) rowSquares(x, i, (cost[i] * (k - 1)) / (k * k), k, out)
    },
    along(d) {
      const penalised = penalty.along(d)
      for (let i = 0; i < x.rows; i++) {
        rowScores(x, i, d, k, row)
        moves.set(row, i * k)
      }
      return t => {
        const { value, slope } = penalised(t)
        for (let at = 0; at < shifted.length; at++) shifted[at] = scores[at] + t * moves[at]
        return addLosses(shifted, moves, labels, cost, row, { value, slope })
      }
    },
    move(t) {
      penalty.move(t)
      for (let at = 0; at < scores.length; at++) scores[at] += t * moves[at]
    },
  }
}

/** Adds the loss of all rows at these scores, and its slope along the moves. `row`: scratch for one row. */
function addLosses(
  scores: Float64Array,
  moves: Float64Array,
  labels: Int32Array,
  cost: Float64Array,
  row: Float64Array,
  { value, slope }: { readonly value: number; readonly slope: number },
): { value: number; slope: number } {
  const k = row.length
  for (let i = 0; i < labels.length; i++) {
    const at = i * k
    for (let c = 0; c < k; c++) row[c] = scores[at + c]
    value += cost[i] * softmax(row, labels[i])
    let mean = 0
    for (let c = 0; c < k; c++) mean += row[c] * moves[at + c]
    slope += cost[i] * (mean - moves[at + labels[i]])
  }
  return { value, slope }
}

/** Turns scores into probabilities, in place; returns −ln p(label). */
function softmax(scores: Float64Array, label: number): number {
  const said = scores[label]
  let max = scores[0]
  for (let c = 1; c < scores.length; c++) if (scores[c] > max) max = scores[c]
  let sum = 0
  for (let c = 0; c < scores.length; c++) {
    scores[c] = exp(scores[c] - max)
    sum += scores[c]
  }
  for (let c = 0; c < scores.length; c++) scores[c] /= sum
  return log(sum) + (max - said)
}
