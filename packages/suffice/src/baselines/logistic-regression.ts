/**
 * L2-penalised logistic regression, one of the two discriminative references of the lectures. In LIBLINEAR's terms:
 *
 *     one-vs-rest   for each level l:  min_w  ½‖w‖² + C Σ_i weight_i · ln(1 + e^(−y_i w·x_i)),   y_i = ±1 for label_i = l or not     (-s 0)
 *     multinomial   min_w  ½ Σ_l ‖w_l‖² + C Σ_i weight_i · −ln p(label_i | x_i),   p(l | x) ∝ e^(w_l·x)
 *
 * With two levels both are the first problem, solved once. The intercept is a feature that is always 1. "free" (the default, true): its weight is not
 * in the penalty. "regularised": it is, as with LIBLINEAR's -B 1. Solved by L-BFGS.
 */
import type { Data } from "../data/read.ts"
import { given, list, refuseUnknown } from "../errors.ts"
import { sizeOf } from "./design-matrix.ts"
import { LOOSE_GRADIENT, lbfgs, type Stopping } from "./lbfgs.ts"
import { type Examples, learnLine, oneVersusRest, type Solution, type SolveHow, warm } from "./learn-line.ts"
import { type Baseline, LinearClassifier } from "./linear-classifier.ts"
import { logisticLoss, marginProblem } from "./margin-loss.ts"
import { type C, check, checkSolver, type Intercept } from "./options.ts"
import { softmaxProblem } from "./softmax-loss.ts"

export interface LogisticRegressionOptions {
  /** C: how much the rows count against the penalty. "cv": chosen by cross-validated log-loss. */
  readonly c?: C
  /** The number of folds for c: "cv". */
  readonly folds?: number
  readonly classes?: "multinomial" | "one-vs-rest"
  readonly intercept?: Intercept
  /** Stop when the norm of the gradient is this fraction of its norm at w = 0. */
  readonly tolerance?: number
  /** The most steps per problem. */
  readonly maxIterations?: number
}

export type LogisticRegression = Baseline<"logisticRegression", "probabilities">

const CLASSES = ["multinomial", "one-vs-rest"] as const

export function logisticRegression(options: LogisticRegressionOptions = {}): LogisticRegression {
  return made(given("logisticRegression", options))
}

function made({
  c = 1,
  folds = 5,
  classes = "multinomial",
  intercept = true,
  tolerance = 1e-6,
  maxIterations = 1000,
  ...rest
}: LogisticRegressionOptions): LogisticRegression {
  const name = "logisticRegression"
  refuseUnknown(name, rest, ["c", "folds", "classes", "intercept", "tolerance", "maxIterations"])
  checkSolver(name, { c, folds, intercept, tolerance, maxIterations })
  check(name, "classes", classes, CLASSES.includes(classes), `be one of ${list(CLASSES)}`)
  const free = intercept === true || intercept === "free"

  function solver(examples: Examples, how: SolveHow): Generator<undefined, Solution, void> {
    const { x, weights, met } = examples
    const cost = weights.map(weight => how.c * weight)
    const stopping = (problem: number) => ({
      tolerance: how.loose ? Math.max(tolerance, LOOSE_GRADIENT) : tolerance,
      maxIterations,
      ...warm(how, problem),
    })
    if (classes === "multinomial" && met.length > 2) return together(examples, cost, stopping(0))
    return oneVersusRest(examples, function* (signs, problem) {
      const found = yield* lbfgs(marginProblem(x, signs, cost, logisticLoss, free), stopping(problem))
      return { ...found, state: found.w }
    })
  }

  function* together(
    { x, labels, met }: Examples,
    cost: Float64Array,
    stopping: Stopping,
  ): Generator<undefined, Solution, void> {
    const k = met.length
    const { w, ...solved } = yield* lbfgs(softmaxProblem(x, labels, k, cost, free), stopping)
    if (x.intercept && free) centre(w.subarray((sizeOf(x) - 1) * k))
    return { weights: w, outputs: k, problems: [solved], states: [w] }
  }

  return {
    name,
    async fit(model, data, options = {}) {
      return new LinearClassifier(
        await learnLine(model, data as Data, options, {
          learner: {
            name,
            options: { c, ...(c === "cv" && { folds }), classes, intercept, tolerance, maxIterations },
          },
          intercept: intercept !== false,
          link: levels => (classes === "multinomial" && levels > 2 ? "softmax" : "sigmoid"),
          solver,
        }),
      )
    },
  }
}

/** Unpenalised intercepts are determined up to a constant: they are centred. */
function centre(bias: Float64Array): void {
  const mean = bias.reduce((sum, b) => sum + b, 0) / bias.length
  for (let c = 0; c < bias.length; c++) bias[c] -= mean
}
