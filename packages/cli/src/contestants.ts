/**
 * The ways of learning that are compared: three of the same model, and the two discriminative references. These get the cells that sdEM gets, and a C
 * chosen on the rows they learn from: a reference that is worse than it could be makes a comparison worth nothing.
 */
import { type Columns, em, fit, type Learner } from "suffice"
import { linearSvm, logisticRegression } from "suffice/baselines"
import { sdem } from "suffice/learn"
import { evaluate } from "suffice/measure"
import { breathing } from "./learner.ts"
import type { LooseFitted, LooseModel } from "./loose.ts"
import { type TrainingAnswer, trainingAnswer } from "./training.ts"

/** What was measured on one fold. */
export interface Score {
  readonly accuracy: number
  /** Absent for a model that gives no probabilities. */
  readonly logLoss?: number
  /** Of a reference: the C that was chosen by cross-validation on the rows it learned from. */
  readonly c?: number
  /** Of a learner that climbs: how it went. */
  readonly training?: TrainingAnswer
}

export interface Contestant {
  readonly name: string
  readonly kind: "generative" | "discriminative"
  /** Learn from some rows, answer for others. */
  play(model: LooseModel, train: Columns, test: Columns, seed: number, signal: AbortSignal): Promise<Score>
}

export const CONTESTANTS: readonly Contestant[] = [
  learnedBy("counting (EM)", "generative", em()),
  learnedBy("sdEM, NCLL", "discriminative", sdem({ loss: "ncll" })),
  learnedBy("sdEM, hinge", "discriminative", sdem({ loss: "hinge" })),
  {
    name: "logistic regression",
    kind: "discriminative",
    async play(model, train, test, seed, signal) {
      const learned = await logisticRegression({ c: "cv" }).fit(model, train, { signal, seed })
      const { accuracy, logLoss } = evaluate(learned, test)
      return { accuracy, logLoss, c: learned.learner.options.c as number }
    },
  },
  {
    name: "linear SVM",
    kind: "discriminative",
    async play(model, train, test, seed, signal) {
      const learned = await linearSvm({ c: "cv" }).fit(model, train, { signal, seed })
      const { accuracy } = evaluate(learned, test)
      return { accuracy, c: learned.learner.options.c as number }
    },
  },
]

function learnedBy(name: string, kind: Contestant["kind"], learner: Learner): Contestant {
  return {
    name,
    kind,
    async play(model, train, test, seed, signal) {
      const fitted = await fit(model, train, { learner: breathing(learner), seed, signal })
      const { accuracy, logLoss } = evaluate(fitted, test)
      const { training } = fitted as LooseFitted
      return { accuracy, logLoss, ...(training && { training: trainingAnswer(training) }) }
    },
  }
}
