/** Our side of the study of chains: fits at default settings. */
import { chain, em, fit, gaussian, independent, multinomial, poisson } from "suffice"
import { sdem } from "suffice/learn"
import { evaluate } from "suffice/measure"
import { cpu } from "../clock.ts"
import type { Sentence, Series } from "./corpora.ts"
import type { Features } from "./features.ts"

export type How = "counting" | "ncll" | "hinge"

export interface TaggedAnswer {
  /** By the most probable path. */
  readonly predicted: readonly (readonly string[])[]
  /** −ln p(all tags | words) of a sentence, per token. */
  readonly logLoss: number
  /** Processor time of the fit, reading included. */
  readonly seconds: number
}

const stepsOf = (sentences: readonly Sentence[], features: Features) =>
  sentences.map(sentence => ({
    tokens: { features: features(sentence), tag: sentence.map(({ tag }) => tag) },
  }))

/** Counts of words: raw with few pseudo-counts for counting, the default for the other learners. */
const RAW = { scaling: "raw", prior: 0.1 } as const

export async function tagged(
  train: readonly Sentence[],
  test: readonly Sentence[],
  features: Features,
  how: How,
  seed: number,
): Promise<TaggedAnswer> {
  const words = multinomial(how === "counting" ? RAW : {})
  const model = chain("tag", independent({ features: words }), { column: "tokens", ends: true })
  const rows = stepsOf(train, features)
  const learner = how === "counting" ? em() : sdem({ loss: how })
  const start = cpu()
  const fitted = await fit(model, rows as never, { learner, seed, threads: 1 })
  const seconds = cpu() - start
  const measured = stepsOf(test, features)
  const asked = measured.map(({ tokens }) => ({ tokens: { features: tokens.features } }))
  return {
    predicted: fitted.path(asked as never).map(({ values }) => values.map(String)),
    logLoss: evaluate(fitted, measured as never).sequences.logLoss,
    seconds,
  }
}

const NONE = { prior: 0 }
const bodyOf = (kind: Series["kind"]) =>
  independent({ x: kind === "poisson" ? poisson(NONE) : gaussian(NONE) })

/** The best log-likelihood of many starts, without priors. */
export async function optimumOf({ kind, states, values }: Series, restarts: number): Promise<number> {
  const learner = em({ prior: 0, restarts, maxIterations: 1000, tolerance: 1e-8 })
  const fitted = await fit(chain(states, bodyOf(kind) as never, NONE), [{ steps: values }] as never, {
    learner,
    seed: 1,
  })
  return fitted.training!.logLikelihood
}
