/**
 * The linear SVM by coordinate descent on its dual (Hsieh, Chang, Lin, Keerthi & Sundararajan 2008; LIBLINEAR -s 3 and -s 1).
 *
 *     plain     P(w) = ½‖w‖² + Σ_i cost_i · max(0, 1 − m_i)      D(α) = Σ_i α_i − ½‖w(α)‖²                      0 ≤ α_i ≤ cost_i
 *     squared   P(w) = ½‖w‖² + Σ_i cost_i · max(0, 1 − m_i)²     D(α) = Σ_i α_i − ½‖w(α)‖² − Σ_i α_i²/(4 cost_i)      0 ≤ α_i
 *     m_i = sign_i · x_i·w        w(α) = Σ_i α_i sign_i x_i        D ≤ min P ≤ P
 *
 * One α at a time is solved exactly, in a random order that is drawn again for each epoch. Rows that stay at a bound are set aside (shrinking) until
 * the others are solved. The gap P − D bounds how far the objective can still fall. The intercept is a feature, so it is penalised.
 */
import type { Dice } from "../contract/dice.ts"
import { type DesignMatrix, rowAdd, rowDot, rowNorms, sizeOf } from "./design-matrix.ts"
import type { Stopping } from "./lbfgs.ts"

/** The gap that suffices to rank values of C. */
export const LOOSE_GAP = 1e-3

export interface DualMinimum {
  readonly w: Float64Array
  readonly alpha: Float64Array
  /** P(w) */
  readonly objective: number
  /** P − D ≥ 0, up to rounding */
  readonly dualityGap: number
  readonly iterations: number
  readonly converged: boolean
}

/** The violation of the optimality conditions at which the gap is computed, and its divisor if the gap is still too large. */
const FIRST_VIOLATION = 0.1
const TIGHTER = 4

interface DualProblem {
  readonly x: DesignMatrix
  readonly signs: Float64Array
  readonly cost: Float64Array
  readonly squared: boolean
  /** 1/(2 cost_i) of the squared hinge, else 0. */
  readonly ridge: Float64Array
  /** The largest α_i. */
  readonly top: Float64Array
  /** −∂²D/∂α_i² */
  readonly bends: Float64Array
}

function problemOf(
  x: DesignMatrix,
  signs: Float64Array,
  cost: Float64Array,
  hinge: "plain" | "squared",
): DualProblem {
  const squared = hinge === "squared"
  const ridge = squared ? cost.map(c => 1 / (2 * c)) : new Float64Array(x.rows)
  const top = squared ? new Float64Array(x.rows).fill(Infinity) : cost
  return { x, signs, cost, squared, ridge, top, bends: rowNorms(x).map((norm, i) => norm + ridge[i]) }
}

/** Yields after each epoch. Done when P − D ≤ tolerance·P. `from`: the α to start from, of a similar problem. */
export function* dualDescent(
  x: DesignMatrix,
  signs: Float64Array,
  cost: Float64Array,
  hinge: "plain" | "squared",
  { tolerance, maxIterations, from }: Stopping,
  dice: Dice,
): Generator<undefined, DualMinimum, void> {
  const { rows } = x
  const problem = problemOf(x, signs, cost, hinge)
  const { ridge, top, bends } = problem
  const alpha = from ? from.map((a, i) => Math.min(a, top[i])) : new Float64Array(rows)
  const order = Int32Array.from({ length: rows }, (_, i) => i)
  const w = new Float64Array(sizeOf(x))
  weightsOf(x, signs, alpha, w)
  let active = rows
  let violation = FIRST_VIOLATION
  // bounds of the last epoch: a row beyond them is unlikely to leave its own bound
  let low = -Infinity
  let high = Infinity
  for (let epoch = 1; ; epoch++) {
    dice.shuffle(order.subarray(0, active))
    let least = 0
    let most = 0
    for (let s = 0; s < active; s++) {
      const i = order[s]
      const slope = signs[i] * rowDot(x, i, w) - 1 + ridge[i] * alpha[i] // −∂D/∂α_i
      const atZero = alpha[i] === 0
      const atTop = alpha[i] === top[i]
      if ((atZero && slope > high) || (atTop && slope < low)) {
        active--
        order[s] = order[active]
        order[active] = i
        s--
        continue
      }
      if ((atZero && slope >= 0) || (atTop && slope <= 0)) continue
      if (slope > most) most = slope
      if (slope < least) least = slope
      const next = bends[i] > 0 ? Math.min(Math.max(alpha[i] - slope / bends[i], 0), top[i]) : top[i]
      rowAdd(x, i, (next - alpha[i]) * signs[i], w)
      alpha[i] = next
    }
    yield
    const last = epoch === maxIterations
    low = least < 0 ? least : -Infinity
    high = most > 0 ? most : Infinity
    const solved = most - least <= violation
    if (solved && active < rows && !last) {
      active = rows
      low = -Infinity
      high = Infinity
    } else if (solved || last) {
      const { objective, dualityGap } = certified(problem, alpha, w)
      const converged = dualityGap <= tolerance * objective
      if (converged || last) return { w, alpha, objective, dualityGap, iterations: epoch, converged }
      violation /= TIGHTER
    }
  }
}

/** w ← Σ_i α_i sign_i x_i, without the rounding of many small moves. */
function weightsOf(x: DesignMatrix, signs: Float64Array, alpha: Float64Array, w: Float64Array): void {
  w.fill(0)
  for (let i = 0; i < x.rows; i++) if (alpha[i] > 0) rowAdd(x, i, alpha[i] * signs[i], w)
}

/** P(w) and P − D at w(α). */
function certified(
  { x, signs, cost, squared, ridge }: DualProblem,
  alpha: Float64Array,
  w: Float64Array,
): { objective: number; dualityGap: number } {
  weightsOf(x, signs, alpha, w)
  let half = 0
  for (let j = 0; j < w.length; j++) half += 0.5 * w[j] * w[j]
  let loss = 0
  let dual = -half
  for (let i = 0; i < x.rows; i++) {
    const short = Math.max(0, 1 - signs[i] * rowDot(x, i, w))
    loss += cost[i] * short * (squared ? short : 1)
    dual += alpha[i] - 0.5 * ridge[i] * alpha[i] * alpha[i]
  }
  return { objective: half + loss, dualityGap: half + loss - dual }
}
