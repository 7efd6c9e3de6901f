/** The ways of learning that are compared: three of the same model, and the two discriminative references. */
import { type Columns, em, evaluate, fit, type Learner, linearSvm, logisticRegression, sdem } from "suffice"
import { breathing } from "./learner.ts"
import type { LooseModel } from "./loose.ts"

/** What was measured on one fold. */
export interface Score {
  readonly accuracy: number
  /** Absent for a model that gives no probabilities. */
  readonly logLoss?: number
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
    async play(model, train, test, _, signal) {
      const { accuracy, logLoss } = evaluate(await logisticRegression().fit(model, train, { signal }), test)
      return { accuracy, logLoss }
    },
  },
  {
    name: "linear SVM",
    kind: "discriminative",
    async play(model, train, test, _, signal) {
      const { accuracy } = evaluate(await linearSvm().fit(model, train, { signal }), test)
      return { accuracy }
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
      return { accuracy, logLoss }
    },
  }
}
