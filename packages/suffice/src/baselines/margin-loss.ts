/**
 * Two classes, one weight vector: the penalised sum of a smooth loss of the margins, LIBLINEAR's primal problems.
 *
 *     f(w) = ½ Σ_j penalty_j w_j² + Σ_i cost_i · loss(m_i)        m_i = sign_i · x_i·w
 *     logistic: ln(1 + e^−m)  (-s 0)        squared hinge: max(0, 1 − m)²  (-s 2)
 *
 * penalty_j is 1, or 0 for a free intercept.
 */
import { exp } from "../kernels/exp.ts"
import { log1p } from "../kernels/log.ts"
import { type DesignMatrix, rowAdd, rowDot, rowSquares, sizeOf } from "./design-matrix.ts"
import type { Smooth } from "./lbfgs.ts"
import { Penalty } from "./penalty.ts"

/** A convex loss of the margin and its derivative; `bend` is its second derivative at 0. */
export interface MarginLoss {
  value(m: number): number
  slope(m: number): number
  readonly bend: number
}

export const logisticLoss: MarginLoss = {
  value: m => (m > 0 ? log1p(exp(-m)) : log1p(exp(m)) - m),
  slope: m => -1 / (1 + exp(m)),
  bend: 0.25,
}

export const squaredHinge: MarginLoss = {
  value: m => (m < 1 ? (1 - m) * (1 - m) : 0),
  slope: m => (m < 1 ? 2 * (m - 1) : 0),
  bend: 2,
}

export function marginProblem(
  x: DesignMatrix,
  signs: Float64Array,
  cost: Float64Array,
  loss: MarginLoss,
  freeIntercept: boolean,
): Smooth {
  const size = sizeOf(x)
  const penalty = new Penalty(x, 1, freeIntercept)
  const margins = new Float64Array(x.rows)
  const moves = new Float64Array(x.rows)
  return {
    size,
    at(w) {
      penalty.at(w)
      let value = 0
      for (let i = 0; i < x.rows; i++) {
        margins[i] = signs[i] * rowDot(x, i, w)
        value += cost[i] * loss.value(margins[i])
      }
      return value + penalty.value
    },
    gradient(out) {
      penalty.gradient(out)
      for (let i = 0; i < x.rows; i++) {
        const slope = loss.slope(margins[i])
        if (slope !== 0) rowAdd(x, i, cost[i] * signs[i] * slope, out)
      }
    },
    startBends(out) {
      penalty.bends(out)
      for (let i = 0; i < x.rows; i++) rowSquares(x, i, cost[i] * loss.bend, 1, out)
    },
    along(d) {
      const penalised = penalty.along(d)
      for (let i = 0; i < x.rows; i++) moves[i] = signs[i] * rowDot(x, i, d)
      return t => {
        let { value, slope } = penalised(t)
        for (let i = 0; i < x.rows; i++) {
          const m = margins[i] + t * moves[i]
          value += cost[i] * loss.value(m)
          slope += cost[i] * loss.slope(m) * moves[i]
        }
        return { value, slope }
      }
    },
    move(t) {
      penalty.move(t)
      for (let i = 0; i < x.rows; i++) margins[i] += t * moves[i]
    },
  }
}
