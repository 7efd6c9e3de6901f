/**
 * Expectation–maximisation (Dempster, Laird & Rubin 1977), maximum likelihood or MAP.
 *
 *     E   stats = Σ_i w_i E[s | row i, θ]          M   θ ← θ(stats + prior·α)
 *     objective = Σ_i w_i ln p(row i | θ) + prior·value(α, θ)          never falls
 *
 * With nothing hidden the weights do not depend on θ: EM is counting, and ends after one step.
 */
import type {
  Description,
  Diagnostic,
  Dice,
  Learnable,
  Learner,
  LearnerState,
  LearnerStep,
} from "../contract.ts"
import { unknownOption } from "../errors.ts"
import { option, withPrior } from "./options.ts"

export interface EmOptions {
  /** M-steps per run, at most. */
  readonly maxIterations?: number
  /** A run ends when a step gains less than this, in nats per row. */
  readonly tolerance?: number
  /** Further runs from other first guesses; `fit` keeps the best of all, and prefers those that end inside the domain. */
  readonly restarts?: number
  /** Strength of the prior: 0 = maximum likelihood, 1 = one pseudo-row per slot. */
  readonly prior?: number
  /** Parameters to start from, as `describe()` prints them, instead of a guess. */
  readonly start?: Description | undefined
}

/** A starved component is put elsewhere and the run goes on as a new one, at most so often. */
const RESEEDS = 3

export function em({
  maxIterations = 200,
  tolerance = 1e-6,
  restarts = 0,
  prior = 1,
  start,
  ...rest
}: EmOptions = {}): Learner {
  const wrong = unknownOption("em", rest, ["maxIterations", "tolerance", "restarts", "prior", "start"])
  if (wrong) throw wrong
  option(
    "em",
    "maxIterations",
    maxIterations,
    Number.isSafeInteger(maxIterations) && maxIterations >= 1,
    "a whole number ≥ 1",
  )
  option("em", "tolerance", tolerance, Number.isFinite(tolerance) && tolerance >= 0, "a finite number ≥ 0")
  option("em", "restarts", restarts, Number.isSafeInteger(restarts) && restarts >= 0, "a whole number ≥ 0")
  option(
    "em",
    "prior",
    prior,
    Number.isFinite(prior) && prior >= 0,
    "a finite number ≥ 0 (0 = maximum likelihood)",
  )

  async function* learn(
    problem: Learnable,
    dice: Dice,
    from?: LearnerState,
  ): AsyncGenerator<LearnerStep, void, void> {
    let at: Place = from ? placeOf(from) : { restart: 0, reseeds: 0, run: 0 }
    for (; at.restart <= restarts; at = { restart: at.restart + 1, reseeds: 0, run: at.run }) {
      const runDice = dice.fork(at.restart)
      let goOn = at.goOn ?? {
        stats: start ? problem.adopt(start) : await problem.start(runDice.fork(0)),
        strength: start ? 0 : prior,
        iteration: 0,
        before: Number.NEGATIVE_INFINITY,
      }
      for (; ; at = { ...at, reseeds: at.reseeds + 1 }) {
        const ended: Float64Array | "counted" = at.ended ?? (yield* climb(problem, goOn, at))
        if (ended === "counted") return
        at = { restart: at.restart, reseeds: at.reseeds, run: at.run + 1 }
        if (at.reseeds === RESEEDS || problem.starved(ended) === 0) break
        const { params } = problem.solve(withPrior(ended, problem.prior, prior))
        const seeded = await problem.reseed(ended, params, runDice.fork(1 + at.reseeds))
        if (!seeded) break
        // One row has no spread: without a pseudo-row beside it the new component would be a spike, and stay one.
        const strength = Math.max(prior, 1)
        goOn = { stats: seeded, strength, iteration: 0, before: Number.NEGATIVE_INFINITY }
      }
      if (start) return
    }
  }

  /** One run, to its end: the statistics it ended with. */
  async function* climb(
    problem: Learnable,
    first: GoOn,
    at: Place,
  ): AsyncGenerator<LearnerStep, Float64Array | "counted", void> {
    let { stats, strength, before } = first
    for (let { iteration } = first; ; iteration++) {
      const { params, held } = problem.solve(withPrior(stats, problem.prior, strength))
      const swept = await problem.sweep(params)
      if (!swept.guessed) {
        yield counted(problem, swept.stats, at.run)
        return "counted"
      }
      const logLikelihood = swept.logLikelihood ?? problem.value(swept.stats, params)
      const objective = logLikelihood + logPrior(problem, params)
      const change = objective - before
      // −∞ → −∞ is no progress either
      const done = iteration > 0 && !(change > tolerance * problem.weight)
      const stopped = done ? "tolerance" : iteration === maxIterations ? "maxIterations" : undefined
      yield {
        iteration,
        run: at.run,
        objective,
        logLikelihood,
        entropy: swept.entropy,
        change: iteration === 0 ? Number.POSITIVE_INFINITY : change,
        rows: problem.rows,
        stats,
        prior: strength,
        diagnostics: diagnose(problem, stats, held, stopped),
        ...(stopped && { stopped }),
        state: stopped
          ? stateOf({ ...at, ended: stats })
          : stateOf({
              ...at,
              goOn: { stats: swept.stats, strength: prior, iteration: iteration + 1, before: objective },
            }),
      }
      if (stopped) return stats
      before = objective
      stats = swept.stats
      strength = prior
    }
  }

  /** prior·value(α, θ); without a prior 0, also where θ leaves a pseudo-row no chance (0 · −∞). */
  function logPrior(problem: Learnable, params: Float64Array): number {
    return prior === 0 ? 0 : prior * problem.value(problem.prior, params)
  }

  /** Nothing was guessed: the statistics are the counts, θ(counts) is the answer. */
  function counted(problem: Learnable, stats: Float64Array, run: number): LearnerStep {
    const { params, held } = problem.solve(withPrior(stats, problem.prior, prior))
    const logLikelihood = problem.value(stats, params)
    return {
      iteration: 1,
      run,
      objective: logLikelihood + logPrior(problem, params),
      logLikelihood,
      entropy: 0,
      change: Number.POSITIVE_INFINITY,
      rows: problem.rows,
      stats,
      prior,
      diagnostics: diagnose(problem, stats, held, "counted"),
      stopped: "counted",
    }
  }

  return {
    name: "em",
    options: { maxIterations, tolerance, restarts, prior, ...(start && { start }) },
    learn,
  }
}

/** Where a run goes on: the statistics of the next parameters. */
interface GoOn {
  readonly stats: Float64Array
  readonly strength: number
  readonly iteration: number
  readonly before: number
}

/** Which run of which restart; in the middle of it, or at its end. */
interface Place {
  readonly restart: number
  readonly reseeds: number
  readonly run: number
  readonly goOn?: GoOn
  readonly ended?: Float64Array
}

function stateOf({ restart, reseeds, run, goOn, ended }: Place): LearnerState {
  const numbers = { restart, reseeds, run }
  if (!goOn) return { numbers, arrays: { ended: ended! } }
  const { stats, ...rest } = goOn
  return { numbers: { ...numbers, ...rest }, arrays: { stats } }
}

function placeOf({ numbers, arrays }: LearnerState): Place {
  const { restart, reseeds, run, strength, iteration, before } = numbers
  const at = { restart, reseeds, run }
  if (arrays.ended) return { ...at, ended: arrays.ended }
  return { ...at, goOn: { stats: arrays.stats, strength, iteration, before } }
}

function diagnose(
  problem: Learnable,
  stats: Float64Array,
  held: number,
  stopped: LearnerStep["stopped"],
): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  if (held > 0) {
    diagnostics.push({
      code: "held-at-floor",
      message: `${held} ${held === 1 ? "parameter set was" : "parameter sets were"} held at the edge of the domain (a variance near 0). More rows, fewer components or a larger prior would help.`,
    })
  }
  const starved = stopped === "counted" ? 0 : problem.starved(stats)
  if (starved > 0 && stopped) {
    diagnostics.push({
      code: "starved-component",
      message: `${starved} ${starved === 1 ? "component holds" : "components hold"} less than one row. Fewer components may be enough.`,
    })
  }
  if (stopped === "maxIterations") {
    diagnostics.push({
      code: "not-converged",
      message:
        "the run ended at maxIterations while the objective was still rising. Give it more, or a larger tolerance.",
    })
  }
  return diagnostics
}
