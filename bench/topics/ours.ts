/** Our side: fits at default settings. */
import { classes, fit, topics } from "suffice"
import { sdem } from "suffice/learn"
import { evaluate } from "suffice/measure"
import { cpu } from "../clock.ts"
import type { Document } from "../corpora.ts"
import type { TopicCorpus } from "./corpora.ts"
import type { Topics } from "./evaluator.ts"

export interface OurTopics extends Topics {
  /** Processor time of the fit, reading the documents included. */
  readonly seconds: number
}

export const rowsOf = ({ words, train }: TopicCorpus) =>
  train.map(document => ({ words: new Map(document.map(([word, count]) => [words[word], count])) }))

export async function ourTopics(corpus: TopicCorpus, k: number, seed: number): Promise<OurTopics> {
  const { words } = corpus
  const rows = rowsOf(corpus)
  const start = cpu()
  const fitted = await fit(topics(k, "words"), rows, { seed, threads: 1 })
  const seconds = cpu() - start
  const number = new Map(words.map((word, w) => [word, w]))
  const phi = new Float64Array(k * words.length)
  const found = fitted.topics({ top: words.length, relevance: 1 })
  for (const { topic, words: each } of found) {
    for (const { word, probability } of each) phi[topic * words.length + number.get(word)!] = probability
  }
  return { phi, alpha: found.map(({ alpha }) => alpha), seconds }
}

export const OUR_MODELS = {
  "own topics(2)": classes("label", topics(2, "text")),
  "20 shared topics": classes("label", topics(0, "text", { shared: 20 })),
} as const
export type OurModel = keyof typeof OUR_MODELS

export async function ourAccuracy(
  { train, test }: { readonly train: readonly Document[]; readonly test: readonly Document[] },
  model: OurModel,
  loss: "ncll" | "hinge",
  seed: number,
): Promise<number> {
  const fitted = await fit(OUR_MODELS[model], train, { seed, learner: sdem({ loss }) })
  return evaluate(fitted, test).accuracy
}
