/** The ways of learning that are compared: three of the same model, and the two discriminative references. */
import { type Columns, em, evaluate, fit, sdem } from "suffice"
import { breathing } from "./learner.ts"
import type { LooseFitted, LooseModel } from "./loose.ts"

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
  {
    name: "counting (EM)",
    kind: "generative",
    play: async (model, train, test, seed, signal) =>
      scored(await fit(model, train, { learner: breathing(em()), seed, signal }), test),
  },
  {
    name: "sdEM, NCLL",
    kind: "discriminative",
    play: async (model, train, test, seed, signal) =>
      scored(await fit(model, train, { learner: breathing(sdem({ loss: "ncll" })), seed, signal }), test),
  },
  {
    name: "sdEM, hinge",
    kind: "discriminative",
    play: async (model, train, test, seed, signal) =>
      scored(await fit(model, train, { learner: breathing(sdem({ loss: "hinge" })), seed, signal }), test),
  },
]

function scored(fitted: LooseFitted, test: Columns): Score {
  const { accuracy, logLoss } = evaluate(fitted, test)
  return { accuracy, logLoss }
}
