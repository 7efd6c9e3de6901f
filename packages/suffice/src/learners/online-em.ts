/**
 * Online EM (Cappé & Moulines 2009): EM in mini-batches.
 *
 *     η ← (1 − ρ_t)·η + ρ_t·mean E[s | row, θ]        θ ← θ(n·η + prior·α)
 *
 * With ρ_t = 1/t on complete rows it is counting; with ρ = 1 on all rows at once it is EM. A short batch takes a proportionally smaller step (descend.ts).
 */
import type { Learner, LearnerState } from "../contract/learner.ts"
import { given, refuseUnknown } from "../errors.ts"
import { descend } from "./descend.ts"
import { weighing } from "./em.ts"
import { counted, option, positive, share } from "./options.ts"
import { type StepSize, stepSizes } from "./schedule.ts"
import { stateReader } from "./state.ts"

export interface OnlineEmOptions {
  /** Passes over the data. */
  readonly epochs?: number
  /** Rows per step. */
  readonly batch?: number
  readonly stepSize?: StepSize
  /** Return the average of η over the second half of the steps. */
  readonly average?: boolean
  /** The first rows of a stream: they determine columns, levels and words, and give the first guesses. */
  readonly warmup?: number
  /** Strength of the prior: 0 = maximum likelihood. */
  readonly prior?: number
  /** λ: the weight of a row without a label, as in em(); on a stream it is chosen on the warm-up. */
  readonly unlabelled?: number
}

export function onlineEm(options: OnlineEmOptions = {}): Learner {
  return made(given("onlineEm", options))
}

function made({
  epochs = 5,
  batch = 64,
  stepSize = { kind: "power", power: 0.6, delay: 2 },
  average = true,
  warmup = 4096,
  prior = 1,
  unlabelled,
  ...rest
}: OnlineEmOptions): Learner {
  refuseUnknown("onlineEm", rest, ["epochs", "batch", "stepSize", "average", "warmup", "prior", "unlabelled"])
  counted("onlineEm", "epochs", epochs)
  counted("onlineEm", "batch", batch)
  counted("onlineEm", "warmup", warmup)
  option("onlineEm", "average", average, typeof average === "boolean", "true or false")
  positive("onlineEm", "prior", prior)
  if (unlabelled !== undefined) share("onlineEm", "unlabelled", unlabelled)
  const rho = stepSizes("onlineEm", stepSize)
  return {
    name: "onlineEm",
    options: {
      epochs,
      batch,
      stepSize: { ...stepSize },
      average,
      warmup,
      prior,
      ...(unlabelled !== undefined && { unlabelled }),
    },
    warmup,
    unlabelled: weighing(unlabelled, prior),
    effort: rows => ({ rows: epochs * rows, solves: epochs * Math.ceil(rows / batch) }),
    async *learn(problem, dice, from) {
      const state = from && stateReader("onlineEm", from, problem)
      let spread = state?.has("spread") ? state.spread() : undefined
      let first: Float64Array | LearnerState | undefined = from
      if (!first) {
        const start = await problem.start(dice.fork(0).fork(0))
        // as in EM: the spread of the start if something is hidden, else that of the counts so far
        spread = problem.certain ? undefined : problem.spread(start)
        first = problem.withPrior(start, prior, spread)
      }
      yield* descend(problem, first, dice.fork(1), {
        name: "onlineEm",
        regime: { against: "nothing" },
        generative: 1,
        prior,
        spread,
        epochs,
        batch,
        rho,
        rounds: { stepSize },
        average,
        run: 0,
        added: prior,
      })
    },
  }
}
