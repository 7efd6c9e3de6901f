/**
 * Expectation–maximisation (Dempster, Laird & Rubin 1977), maximum likelihood or MAP.
 *
 *     E   stats = Σ_i w_i E[s | row i, θ]          M   θ ← θ(stats + prior·α)
 *     objective = Σ_i w_i ln p(row i | θ) + prior·value(α, θ)          never falls
 *
 * α shrinks variances towards the spread V within slots (Leaf.spread): that of the counts if nothing is hidden, else that of the statistics of
 * the first start, for all restarts. If V were recomputed in every step, each step would have another objective, which could fall.
 *
 * If nothing is hidden, the weights do not depend on θ: EM is counting, and ends after one step. If something hides inside a leaf (topics), passes of online EM
 * come first (passes.ts), and a few sweeps are enough.
 *
 * Long because runs, restarts and reseeds share a state that can be resumed.
 */
import type { Dice } from "../contract/dice.ts"
import type { Learnable } from "../contract/learnable.ts"
import type { Learner, LearnerState, LearnerStep, Unlabelled } from "../contract/learner.ts"
import type { Description } from "../contract/report.ts"
import { given, refuseUnknown } from "../errors.ts"
import { diagnose } from "./em-diagnostics.ts"
import { counted, isRecord, option, positive, share } from "./options.ts"
import { type StateReader, stateReader } from "./state.ts"

export interface EmOptions {
  /** M-steps per run, at most. The default is 200, or 3 after passes of online EM, where something hides inside a leaf (topics). */
  readonly maxIterations?: number
  /** A run ends when a step gains less than this, in nats per row. */
  readonly tolerance?: number
  /** Further runs from other first guesses; `fit` keeps the best one, and prefers runs that end inside the domain. */
  readonly restarts?: number
  /** Strength of the prior: 0 = maximum likelihood, 1 = as the families have it. */
  readonly prior?: number
  /** Parameters to start from, as `describe()` prints them, instead of a guess. */
  readonly start?: Description | undefined
  /**
   * λ, from 0 to 1: the weight of a row without a label relative to one with a label. The default is 1 if no row has a label or a declared class has none; 0
   * with fewer than five labelled rows per class; else the one with the lowest cross-validated log-loss on labelled rows, 0 unless another is clearly better.
   */
  readonly unlabelled?: number
}

/** How often starved components are moved elsewhere at most; each time a new run begins. */
const RESEEDS = 3
const ITERATIONS = 200
/** Sweeps after the passes of online EM. */
const POLISH = 3

export function em(options: EmOptions = {}): Learner {
  return made(given("em", options))
}

function made({
  maxIterations,
  tolerance = 1e-6,
  restarts = 0,
  prior = 1,
  start,
  unlabelled,
  ...rest
}: EmOptions): Learner {
  refuseUnknown("em", rest, ["maxIterations", "tolerance", "restarts", "prior", "start", "unlabelled"])
  if (maxIterations !== undefined) counted("em", "maxIterations", maxIterations)
  positive("em", "tolerance", tolerance)
  option("em", "restarts", restarts, Number.isSafeInteger(restarts) && restarts >= 0, "a whole number ≥ 0")
  option(
    "em",
    "prior",
    prior,
    Number.isFinite(prior) && prior >= 0,
    "a finite number ≥ 0 (0 = maximum likelihood)",
  )
  const isDescribed = start === undefined || isRecord(start)
  option("em", "start", start, isDescribed, "parameters by name, as describe() gives them")
  if (unlabelled !== undefined) share("em", "unlabelled", unlabelled)

  async function* learn(
    problem: Learnable,
    dice: Dice,
    from?: LearnerState,
  ): AsyncGenerator<LearnerStep, void, void> {
    if (problem.certain && !start) {
      yield countedStep(problem, (await problem.sweep()).stats, 0)
      return
    }
    if (unlabelled !== undefined && problem.countSeen && !start) {
      const isWhole = unlabelled === 0 || unlabelled === 1
      option("em", "unlabelled", unlabelled, isWhole, "0 or 1 for the tags of steps: a step counts or not")
      const stats = unlabelled === 0 ? await problem.countSeen() : undefined
      if (stats) {
        yield countedStep(problem, stats, 0)
        return
      }
    }
    const begun = from && readState(stateReader("em", from, problem), problem, from)
    let passing = begun?.passing
    let at: RunPosition = begun?.at ?? { restart: 0, reseeds: 0, run: 0 }
    let resumed = begun?.resumed
    let ended = begun?.ended
    let spread = begun?.spread
    for (; at.restart <= restarts; at = { ...at, restart: at.restart + 1, reseeds: 0 }) {
      const runDice = dice.fork(at.restart)
      for (;;) {
        let last: Float64Array | "counted" | undefined = ended
        if (!last) {
          if (!resumed && problem.hidesInLeaves && !start) {
            const first = passing ?? (await problem.start(runDice.fork(0)))
            passing = undefined
            // only programs that have topics load it
            const { passes } = await import("./passes.ts")
            const stats = yield* passes(problem, first, runDice.fork(PASSES_FORK), prior, { ...at })
            at = { ...at, run: at.run + 1 }
            resumed = { ...FIRST, stats, strength: prior }
          }
          resumed ??= await begin(problem, runDice.fork(0), at.restart > 0)
          spread ??= problem.spread(
            start ? resumed.stats.map(share => share * problem.weight) : resumed.stats,
          )
          last = yield* climb(problem, resumed, at, spread)
        }
        if (last === "counted") return
        const seeded =
          at.reseeds < RESEEDS
            ? await reseeded(problem, last, runDice.fork(1 + at.reseeds), spread!)
            : undefined
        at = { ...at, run: at.run + 1 }
        resumed = ended = undefined
        if (!seeded) break
        at = { ...at, reseeds: at.reseeds + 1 }
        resumed = seeded
      }
      if (start) return
    }
  }

  async function begin(problem: Learnable, dice: Dice, isAgain: boolean): Promise<RunState> {
    return start
      ? { ...FIRST, stats: problem.adopt(start), strength: 0 }
      : { ...FIRST, stats: await problem.start(dice, isAgain), strength: prior }
  }

  /** The start of the next run if some component of this one starved, and there is a row for it. */
  async function reseeded(
    problem: Learnable,
    ended: Float64Array,
    dice: Dice,
    spread: Float64Array,
  ): Promise<RunState | undefined> {
    if (problem.starved(ended) === 0) return undefined
    const { params } = problem.solve(ended, prior, spread)
    const stats = await problem.reseed(ended, params, dice)
    // one row has no variance: without a pseudo-row the new component would be a spike, and stay one
    return stats && { ...FIRST, stats, strength: Math.max(prior, 1) }
  }

  /** One run; returns the statistics it ended with. */
  async function* climb(
    problem: Learnable,
    first: RunState,
    at: RunPosition,
    spread: Float64Array,
  ): AsyncGenerator<LearnerStep, Float64Array | "counted", void> {
    let { stats, strength, before } = first
    const last = limitOf(problem)
    // the few sweeps after passes are not meant to converge
    const limited = problem.hidesInLeaves && maxIterations === undefined ? "epochs" : "maxIterations"
    for (let { iteration } = first; ; iteration++) {
      const { params, clamped } = problem.solve(stats, strength, spread)
      const swept = await problem.sweep(params)
      if (!swept.guessed) {
        yield countedStep(problem, swept.stats, at.run)
        return "counted"
      }
      const logLikelihood = swept.logLikelihood ?? problem.value(swept.stats, params)
      const objective = logLikelihood + logPrior(problem, params, spread)
      const change = objective - before
      // NaN, from −∞ to −∞, is no progress either
      const done = iteration > 0 && !(change > tolerance * problem.weight)
      const stopped = done ? "tolerance" : iteration === last ? limited : undefined
      const state: LearnerState = stopped
        ? { numbers: { ...at, strength }, arrays: { ended: stats, spread } }
        : {
            numbers: { ...at, strength: prior, iteration: iteration + 1, before: objective },
            arrays: { stats: swept.stats, spread },
          }
      yield {
        iteration,
        run: at.run,
        objective,
        logLikelihood,
        entropy: swept.entropy,
        change: iteration === 0 ? Infinity : change,
        rows: problem.rows,
        stats,
        prior: strength,
        spread,
        diagnostics: diagnose(problem, stats, clamped, stopped),
        ...(stopped && { stopped }),
        state: () => state,
      }
      if (stopped) return stats
      before = objective
      stats = swept.stats
      strength = prior
    }
  }

  function limitOf({ hidesInLeaves }: Learnable): number {
    return maxIterations ?? (hidesInLeaves ? POLISH : ITERATIONS)
  }

  /** prior·value(α, θ); 0 without a prior, even if value(α, θ) = −∞. */
  function logPrior(problem: Learnable, params: Float64Array, spread: Float64Array): number {
    return prior === 0 ? 0 : prior * problem.logPrior(params, spread)
  }

  /** Nothing was guessed: the statistics are the counts, θ(counts) is the answer. */
  function countedStep(problem: Learnable, stats: Float64Array, run: number): LearnerStep {
    const spread = problem.spread(stats)
    const { params, clamped } = problem.solve(stats, prior, spread)
    const logLikelihood = problem.value(stats, params)
    return {
      iteration: 1,
      run,
      objective: logLikelihood + logPrior(problem, params, spread),
      logLikelihood,
      entropy: 0,
      change: Infinity,
      rows: problem.rows,
      stats,
      prior,
      // if nothing is hidden, V(stats) is the default
      ...(!problem.certain && { spread }),
      params,
      diagnostics: diagnose(problem, stats, clamped, "counted"),
      stopped: "counted",
    }
  }

  /** A state is in the middle of a run (`resumed`), or at the end of one (`ended`). */
  function readState(
    state: StateReader,
    problem: Learnable,
    from: LearnerState,
  ): {
    at: RunPosition
    spread?: Float64Array
    passing?: LearnerState
    resumed?: RunState
    ended?: Float64Array
  } {
    const restart = state.count("restart", 0, restarts)
    const reseeds = state.count("reseeds", 0, RESEEDS)
    // the passes of each restart are a run too
    const before = problem.hidesInLeaves ? 1 : 0
    const run = state.count("run", 0, restart * (RESEEDS + 1 + before) + reseeds + before)
    const at = { restart, reseeds, run }
    if (state.has("moments")) return { at, passing: from }
    const strength = state.amount("strength")
    const spread = state.spread()
    if (state.has("ended")) return { at, spread, ended: state.statistics("ended") }
    const iteration = state.count("iteration", 1, limitOf(problem))
    const objective = state.measured("before")
    return {
      at,
      spread,
      resumed: { stats: state.statistics("stats"), strength, iteration, before: objective },
    }
  }

  return {
    name: "em",
    options: {
      maxIterations: maxIterations ?? ITERATIONS,
      tolerance,
      restarts,
      prior,
      ...(start && { start }),
      ...(unlabelled !== undefined && { unlabelled }),
    },
    sweeps: true,
    unlabelled: weighing(unlabelled, prior),
    effort(rows, { certain }) {
      const sweeps = certain ? 1 : (restarts + 1) * Math.min(maxIterations ?? ITERATIONS, USUAL)
      return { rows: rows * sweeps, solves: sweeps }
    },
    learn,
  }
}

/** Sweeps that a run takes until nothing changes, more or less. */
const USUAL = 30

/** Trials are compared with each other: they need not converge fully. */
const TRIAL = { maxIterations: 20, tolerance: 1e-3 }

/** The given λ, or one to be chosen by trials of EM with this prior. */
export function weighing(weight: number | undefined, prior: number): Unlabelled {
  return weight === undefined ? { trial: weight => em({ ...TRIAL, prior, unlabelled: weight }) } : { weight }
}

/** The present run: of which restart, after how many reseeds. */
interface RunPosition {
  readonly restart: number
  readonly reseeds: number
  readonly run: number
}

/** Which of a restart's dice the passes throw: the first is for the start, one each for the reseeds. */
const PASSES_FORK = RESEEDS + 1

/** Where a run continues: θ(stats + strength·α) are its next parameters, `before` is the last objective. */
interface RunState {
  readonly stats: Float64Array
  readonly strength: number
  readonly iteration: number
  readonly before: number
}

const FIRST = { iteration: 0, before: -Infinity }

/** The result of a run, if the state is the end of one. */
export function endOfRun({
  numbers,
  arrays,
}: LearnerState): Pick<LearnerStep, "run" | "stats" | "prior" | "spread"> | undefined {
  const { ended, spread } = arrays
  return ended && { run: numbers.run, stats: ended, prior: numbers.strength, spread }
}
