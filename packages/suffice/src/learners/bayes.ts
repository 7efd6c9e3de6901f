/**
 * Bayesian learning: a posterior over the parameters, by conjugate counting, variational EM (Attias 2000; Beal 2003) or stochastic variational inference
 * (Hoffman, Blei, Wang & Paisley 2013).
 *
 *     E   stats = Σ_i w_i E[s | row i, E_q[θ]]          M   q(θ) = posterior(stats), conjugate
 *     objective = Σ_i ln Z_i(E_q[θ]) − value(stats, E_q[θ]) + B(α + stats) − B(α)          ≤ ln p(rows), and never falls
 *
 * It is EM with another solve: the problem it is given solves for expected parameters and adds what makes a bound of the log-likelihood (engine/believe.ts). If nothing is
 * hidden, one sweep is exact, and the objective is ln p(rows). With `batch` it is online EM with that solve: η ← (1 − ρ)η + ρ·(the mean of the batch).
 */
import type { BeliefKind } from "../contract/belief.ts"
import type { Learner, LearnerStep } from "../contract/learner.ts"
import type { Description } from "../contract/report.ts"
import { given, refuseUnknown, SufficeError } from "../errors.ts"
import { em } from "./em.ts"
import { onlineEm } from "./online-em.ts"
import { counted, isRecord, option, positive, share } from "./options.ts"
import { type StepSize, stepSizes } from "./schedule.ts"

export interface BayesOptions {
  /** Steps per run, at most. */
  readonly maxIterations?: number
  /** A run ends when a step gains less than this, in nats per row. */
  readonly tolerance?: number
  /** Further runs from other first guesses; `fit` keeps the one with the highest bound. */
  readonly restarts?: number
  /** A factor on the strength of every prior, above 0 and at most 1e9. */
  readonly prior?: number
  /** Parameters to start from, as `describe()` prints them, instead of a guess. */
  readonly start?: Description | undefined
  /** λ: the weight of a row without a label relative to one with a label, as in em(). */
  readonly unlabelled?: number
  /** Rows per step: then learning is stochastic, and works on streams. */
  readonly batch?: number
  /** ρ of a stochastic step; the default is that of onlineEm(). */
  readonly stepSize?: StepSize
  /** Passes over the data, if it is stochastic. */
  readonly epochs?: number
  /** The first rows of a stream: they determine columns, levels and words, and give the first guesses. */
  readonly warmup?: number
}

const KNOWN = [
  "maxIterations",
  "tolerance",
  "restarts",
  "prior",
  "start",
  "unlabelled",
  "batch",
  "stepSize",
  "epochs",
  "warmup",
] as const

/** Evidence is a difference of terms as large as the prior is strong: at 1e10 its fourth decimal is rounding, at 1e16 all of it. */
const STRONGEST = 1e9

/** Trials are compared with each other: they need not converge fully. */
const TRIAL = { maxIterations: 20, tolerance: 1e-3 }

/** The learner with these beliefs; `bayes()` of the package knows all (fit/bayes.ts). */
export function bayesWith(beliefs: readonly BeliefKind[], options: BayesOptions = {}): Learner {
  return made(beliefs, given("bayes", options))
}

function made(beliefs: readonly BeliefKind[], options: BayesOptions): Learner {
  refuseUnknown("bayes", options, KNOWN)
  check(options)
  const { prior = 1, batch, stepSize, epochs, warmup, unlabelled, ...sweeping } = options
  const isStochastic = (batch ?? stepSize ?? epochs ?? warmup) !== undefined
  if (isStochastic) refuseMixed(sweeping)
  const weight = unlabelled !== undefined ? { unlabelled } : {}
  const stochastic = {
    ...(batch !== undefined && { batch }),
    ...(stepSize && { stepSize }),
    ...(epochs !== undefined && { epochs }),
    ...(warmup !== undefined && { warmup }),
  }
  const inner = isStochastic
    ? onlineEm({ ...stochastic, prior, ...weight })
    : em({ ...sweeping, prior, ...weight })
  return {
    ...inner,
    name: "bayes",
    beliefs,
    unlabelled:
      unlabelled === undefined
        ? { trial: weight => bayesWith(beliefs, { ...TRIAL, prior, unlabelled: weight }) }
        : { weight: unlabelled },
    async *learn(problem, dice, from) {
      for await (const step of inner.learn(problem, dice, from)) {
        if (!isStochastic) {
          // a start that was described has no strength of its own
          yield step.prior > 0 ? step : { ...step, prior }
          continue
        }
        yield step.stopped && !problem.stream ? await bounded(step) : step
      }

      /** The last step, with the bound of the posterior it ends with. */
      async function bounded(step: LearnerStep): Promise<LearnerStep> {
        const { stats } = step
        const spread = step.spread ?? problem.spread(stats)
        const { params } = problem.solve(stats, prior, spread)
        const swept = await problem.sweep(params)
        const logLikelihood = swept.logLikelihood ?? problem.value(swept.stats, params)
        const objective = logLikelihood + prior * problem.logPrior(params, spread)
        const { iteration, run, change, rows, diagnostics, stopped } = step
        return {
          iteration,
          run,
          change,
          rows,
          diagnostics,
          ...(stopped && { stopped }),
          ...(step.of !== undefined && { of: step.of }),
          stats,
          prior,
          spread,
          objective,
          logLikelihood,
          entropy: swept.entropy,
          ...(step.state && { state: () => step.state!() }),
        }
      }
    },
  }
}

function check({
  maxIterations,
  tolerance,
  restarts,
  prior,
  start,
  unlabelled,
  batch,
  stepSize,
  epochs,
  warmup,
}: BayesOptions): void {
  for (const [name, value] of Object.entries({ maxIterations, batch, epochs, warmup }))
    if (value !== undefined) counted("bayes", name, value)
  if (tolerance !== undefined) positive("bayes", "tolerance", tolerance)
  if (restarts !== undefined)
    option(
      "bayes",
      "restarts",
      restarts,
      Number.isSafeInteger(restarts) && restarts >= 0,
      "a whole number ≥ 0",
    )
  if (prior !== undefined)
    option(
      "bayes",
      "prior",
      prior,
      Number.isFinite(prior) && prior > 0 && prior <= STRONGEST,
      "a number above 0, as evidence needs a proper prior, and at most 1e9, beyond which it is lost to rounding",
    )
  option(
    "bayes",
    "start",
    start,
    start === undefined || isRecord(start),
    "parameters by name, as describe() gives them",
  )
  if (unlabelled !== undefined) share("bayes", "unlabelled", unlabelled)
  if (stepSize !== undefined) stepSizes("bayes", stepSize)
}

/** Options of sweeps mean nothing to small steps. */
function refuseMixed(sweeping: object): void {
  const [name] = Object.keys(sweeping)
  if (name === undefined) return
  throw new SufficeError(
    "option",
    `bayes: ${name} is given beside options of small steps. batch, stepSize, epochs and warmup make learning stochastic, and it then takes no sweeps. Give one or the other.`,
    { option: name },
  )
}
