/** Option checks shared by both baselines. */
import { list, wrongOption } from "../errors.ts"

/** true: the default of the baseline. */
export type Intercept = boolean | "free" | "regularised"

/** A number, or "cv": chosen by cross-validation on the training rows. */
export type C = number | "cv"

export interface SolverOptions {
  readonly c: C
  readonly folds: number
  readonly intercept: Intercept
  readonly tolerance: number
  readonly maxIterations: number
}

export function checkSolver(where: string, options: SolverOptions): void {
  const { c, folds, intercept, tolerance, maxIterations } = options
  check(where, "c", c, c === "cv" || isPositive(c), 'be a finite number > 0, or "cv"')
  check(where, "folds", folds, Number.isSafeInteger(folds) && folds >= 2, "be a whole number ≥ 2")
  const known = ["free", "regularised", true, false]
  check(where, "intercept", intercept, known.includes(intercept), `be one of ${list(known)}`)
  check(where, "tolerance", tolerance, isPositive(tolerance), "be a finite number > 0")
  const whole = Number.isSafeInteger(maxIterations) && maxIterations >= 1
  check(where, "maxIterations", maxIterations, whole, "be a whole number ≥ 1")
}

function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0
}

export function check(where: string, option: string, value: unknown, fine: boolean, what: string): void {
  if (fine) return
  throw wrongOption(where, option, value, `It must ${what}. Leave it out for the default.`)
}
