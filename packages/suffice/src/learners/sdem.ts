/**
 * Stochastic discriminative EM (Masegosa 2014, UAI): any model, learned to predict one column.
 *
 *     η ← η + ρ_t·mean( E[s | row] − E[s | row without the target] )          loss "ncll": −ln p(target | rest)
 *     η ← η + ρ_t·mean( E[s | y] − E[s | ȳ] ), ȳ the best wrong value           loss "hinge": max(0, margin − ln p(y, row)/p(ȳ, row))
 *
 * It is natural-gradient descent on θ: with tied normals "ncll" is logistic regression, with counts of words "hinge" is a linear
 * SVM, and both take missing cells and hidden switches. η has total mass 1, which is what makes ρ a step size that depends
 * neither on the number of rows nor on the units. It starts where EM ends: from η = 0 it could not move.
 */
import type { Learner, LearnerStep, Regime } from "../contract.ts"
import { unknownOption } from "../errors.ts"
import { descend } from "./descend.ts"
import { em } from "./em.ts"
import { onlineEm } from "./online-em.ts"
import { counted, option, positive, share, withPrior } from "./options.ts"
import { type StepSize, stepSizes } from "./schedule.ts"

export interface SdemOptions {
  readonly loss?: "ncll" | "hinge"
  /** The column to predict, if not the model's label. */
  readonly target?: string
  /** By how much the right value must beat the best wrong one, in nats (hinge). */
  readonly margin?: number
  readonly epochs?: number
  readonly batch?: number
  readonly stepSize?: StepSize
  readonly average?: boolean
  /** λ: the weight of the plain log-likelihood mixed in, so that rows without a label count; 1 is online EM. */
  readonly generative?: number
  readonly prior?: number
}

export function sdem({
  loss = "ncll",
  target,
  margin = 1,
  epochs = 20,
  batch = 16,
  stepSize = { kind: "decay", rho: 0.03, decay: 0.003 },
  average = true,
  generative = 0,
  prior = 1,
  ...rest
}: SdemOptions = {}): Learner {
  const wrong = unknownOption("sdem", rest, [
    "loss",
    "target",
    "margin",
    "epochs",
    "batch",
    "stepSize",
    "average",
    "generative",
    "prior",
  ])
  if (wrong) throw wrong
  option("sdem", "loss", loss, loss === "ncll" || loss === "hinge", '"ncll" or "hinge"')
  option("sdem", "margin", margin, Number.isFinite(margin) && margin > 0, "a finite number above 0")
  counted("sdem", "epochs", epochs)
  counted("sdem", "batch", batch)
  share("sdem", "generative", generative)
  positive("sdem", "prior", prior)
  const rho = stepSizes("sdem", stepSize)
  return {
    name: "sdem",
    options: {
      loss,
      ...(target !== undefined && { target }),
      margin,
      epochs,
      batch,
      stepSize: { ...stepSize },
      average,
      generative,
      prior,
    },
    async *learn(problem, dice) {
      const column = problem.target(target, loss === "hinge" ? "rival" : "hidden")
      const regime: Regime =
        loss === "hinge"
          ? { against: "rival", target: column, margin }
          : { against: "hidden", target: column }
      if (generative === 1) {
        yield* onlineEm({ epochs, batch, stepSize, average, prior }).learn(problem, dice)
        return
      }
      let last: LearnerStep | undefined
      for await (const step of em({ prior }).learn(problem, dice.fork(0))) {
        last = step
        const { stopped: _, ...going } = step
        yield going
      }
      const first = withPrior(last!.stats, problem.prior, last!.prior)
      const run = last!.run + 1
      yield* descend(problem, first, dice.fork(1), {
        regime,
        generative,
        prior,
        epochs,
        batch,
        rho,
        average,
        run,
      })
    },
  }
}
