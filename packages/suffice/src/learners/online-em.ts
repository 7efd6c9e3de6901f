/**
 * Online EM (Cappé & Moulines 2009): EM that sees a few rows at a time.
 *
 *     η ← (1 − ρ_t)·η + ρ_t·mean E[s | row, θ]        θ ← θ(n·η + prior·α)
 *
 * With ρ_t = 1/t on complete rows it is counting; with ρ = 1 on all rows at once it is EM.
 */
import type { Learner } from "../contract.ts"
import { refuseUnknown } from "../errors.ts"
import { descend } from "./descend.ts"
import { weighing } from "./em.ts"
import { counted, positive, share, withPrior } from "./options.ts"
import { type StepSize, stepSizes } from "./schedule.ts"

export interface OnlineEmOptions {
  /** Passes over the data. */
  readonly epochs?: number
  /** Rows per step. */
  readonly batch?: number
  readonly stepSize?: StepSize
  /** Hand out the average of η over the second half of the steps. */
  readonly average?: boolean
  /** Rows of a stream to begin with: columns, levels and words are found in them, and first guesses made. */
  readonly warmup?: number
  /** Strength of the prior: 0 = maximum likelihood. */
  readonly prior?: number
  /** λ: what a row without a label weighs, as in em(); on a stream it is chosen on the warm-up. */
  readonly unlabelled?: number
}

export function onlineEm({
  epochs = 5,
  batch = 64,
  stepSize = { kind: "power", power: 0.6, delay: 2 },
  average = true,
  warmup = 4096,
  prior = 1,
  unlabelled,
  ...rest
}: OnlineEmOptions = {}): Learner {
  refuseUnknown("onlineEm", rest, ["epochs", "batch", "stepSize", "average", "warmup", "prior", "unlabelled"])
  counted("onlineEm", "epochs", epochs)
  counted("onlineEm", "batch", batch)
  counted("onlineEm", "warmup", warmup)
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
    async *learn(problem, dice, from) {
      const first = from ?? withPrior(await problem.start(dice.fork(0).fork(0)), problem.prior, prior)
      yield* descend(problem, first, dice.fork(1), {
        regime: { against: "nothing" },
        generative: 1,
        prior,
        epochs,
        batch,
        rho,
        average,
        run: 0,
        added: prior,
      })
    },
  }
}
