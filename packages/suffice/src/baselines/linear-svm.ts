/**
 * The linear support vector machine, one of the two discriminative references of the lectures. In LIBLINEAR's terms, for each level l:
 *
 *     squared hinge   min_w  ½‖w‖² + C Σ_i weight_i · max(0, 1 − y_i w·x_i)²        y_i = ±1 for label_i = l or not        (-s 1)
 *     plain hinge     min_w  ½‖w‖² + C Σ_i weight_i · max(0, 1 − y_i w·x_i)                                                  (-s 3)
 *
 * With two levels one problem is solved, otherwise one for each level against the rest. The intercept is a feature that is always 1. "regularised" (the
 * default, true): its weight is in the penalty, as with LIBLINEAR's -B 1. "free": it is not; only with the squared hinge, which
 * has a gradient for L-BFGS. Dual descent, which solves all others, needs a dual without an equality.
 */
import type { Data } from "../data/read.ts"
import { given, list, refuseUnknown, SufficeError } from "../errors.ts"
import { dice } from "../random.ts"
import { dualDescent, LOOSE_GAP } from "./dual-descent.ts"
import { LOOSE_GRADIENT, lbfgs } from "./lbfgs.ts"
import { type Examples, learnLine, oneVersusRest, type Solution, type SolveHow, warm } from "./learn-line.ts"
import { type Baseline, LinearClassifier } from "./linear-classifier.ts"
import { marginProblem, squaredHinge } from "./margin-loss.ts"
import { type C, check, checkSolver, type Intercept } from "./options.ts"

export interface LinearSvmOptions {
  /** C: how much the rows count against the penalty. "cv": chosen by cross-validated accuracy. */
  readonly c?: C
  /** The number of folds for c: "cv". */
  readonly folds?: number
  readonly hinge?: "squared" | "plain"
  readonly intercept?: Intercept
  /** Stop when the duality gap is this fraction of the objective; with a free intercept, when the gradient is this fraction of its norm at w = 0. */
  readonly tolerance?: number
  /** The most passes over the rows per problem; with a free intercept, steps. */
  readonly maxIterations?: number
}

export type LinearSvm = Baseline<"linearSvm", "scores">

const HINGES = ["squared", "plain"] as const
/** The order of coordinates is random, but matters only within the tolerance: not an option. */
const SEED = 0

export function linearSvm(options: LinearSvmOptions = {}): LinearSvm {
  return made(given("linearSvm", options))
}

function made({
  c = 1,
  folds = 5,
  hinge = "squared",
  intercept = true,
  tolerance = intercept === "free" ? 1e-6 : 1e-4,
  maxIterations = 10_000,
  ...rest
}: LinearSvmOptions): LinearSvm {
  const name = "linearSvm"
  refuseUnknown(name, rest, ["c", "folds", "hinge", "intercept", "tolerance", "maxIterations"])
  checkSolver(name, { c, folds, intercept, tolerance, maxIterations })
  check(name, "hinge", hinge, HINGES.includes(hinge), `be one of ${list(HINGES)}`)
  if (hinge === "plain" && intercept === "free") {
    throw new SufficeError(
      "option",
      'linearSvm: the intercept is "free" and the hinge "plain". Dual descent moves one row at a time, and a free intercept ties them together. Choose intercept "regularised", or hinge "squared".',
      { option: "intercept", value: intercept },
    )
  }

  function* solver(examples: Examples, how: SolveHow): Generator<undefined, Solution, void> {
    const { x, weights } = examples
    const cost = weights.map(weight => how.c * weight)
    const root = dice(SEED)
    const solution = yield* oneVersusRest(examples, function* (signs, problem) {
      const least = how.loose ? (intercept === "free" ? LOOSE_GRADIENT : LOOSE_GAP) : 0
      const stopping = { tolerance: Math.max(tolerance, least), maxIterations, ...warm(how, problem) }
      if (intercept === "free") {
        const found = yield* lbfgs(marginProblem(x, signs, cost, squaredHinge, true), stopping)
        return { ...found, state: found.w }
      }
      const { alpha, ...found } = yield* dualDescent(x, signs, cost, hinge, stopping, root.fork(problem))
      return { ...found, state: alpha }
    })
    return { ...solution, isDual: intercept !== "free" }
  }

  return {
    name,
    async fit(model, data, options = {}) {
      return new LinearClassifier(
        await learnLine(model, data as Data, options, {
          learner: {
            name,
            options: { c, ...(c === "cv" && { folds }), hinge, intercept, tolerance, maxIterations },
          },
          intercept: intercept !== false,
          link: () => undefined,
          solver,
        }),
      )
    },
  }
}
