/** What `suffice topics` finds, as data: the topics and their words, documents for each, a map of them, and what tells classes apart. */
import type { Columns, Row } from "suffice"
import { clipped } from "./format.ts"
import type { LooseFitted } from "./loose.ts"
import { rowsOf } from "./tabular.ts"
import { distancesOf, scaled } from "./topic-map.ts"

export interface TopicAnswer {
  readonly topic: number
  readonly share: number
  readonly alpha: number
  /** NPMI of its ten most probable words. */
  readonly coherence: number
  /** Most relevant first, λ = 0.6. */
  readonly words: readonly { readonly word: string; readonly probability: number; readonly lift: number }[]
  /** Where it lies among the others: classical scaling of the distances between topics. */
  readonly x: number
  readonly y: number
  /** The documents that it makes up most of. */
  readonly documents: readonly DocumentAnswer[]
}

export interface DocumentAnswer {
  /** Counted from 1, as in predictions. */
  readonly row: number
  /** What identifies it, if the data has such a column: of a folder, its file. */
  readonly id?: string
  readonly proportion: number
  readonly text: string
}

/** One class: how much of its documents each topic makes up, and its words by two models. */
export interface ClassAnswer {
  readonly level: string
  readonly rows: number
  /** By topic. */
  readonly proportions: readonly number[]
  /** The most probable words of the generative model. */
  readonly generative: readonly string[]
  /** The words that the discriminative model goes by: the largest p(word | class) / p(word | other classes). */
  readonly discriminative: readonly string[]
}

/** Words that stand in a list of a topic. */
const LISTED = 10
/** Words that can be looked at on the page, for any λ; documents per topic. */
export const LOOKED_AT = 30
const DOCUMENTS = 4
const SNIPPET = 180
/** λ between which the slider of the page moves: words among the first for one of them are kept. */
const LAMBDAS = [0, 0.2, 0.4, 0.6, 0.8, 1]

/** A word of a topic with its probability there and in all topics. */
export interface WordOnPage {
  readonly word: string
  readonly inTopic: number
  readonly overall: number
}

export interface FoundTopics {
  readonly words: number
  /** The column that identifies documents. */
  readonly named: string | undefined
  readonly topics: readonly TopicAnswer[]
  /** By topic: words among the first for some λ. */
  readonly onPage: readonly (readonly WordOnPage[])[]
}

export function foundTopics(
  fitted: LooseFitted,
  column: string,
  documents: Columns,
  coherences: readonly number[],
  named?: string,
): FoundTopics {
  const words = vocabularyOf(fitted, column)
  const all = fitted.topics({ top: words, relevance: 1 })
  const listed = fitted.topics({ top: Math.min(LISTED, words) })
  const phi = all.map(topic => new Map(topic.words.map(({ word, probability }) => [word, probability])))
  const places = scaled(distancesOf(phi.map(probabilities => [...sortedByWord(probabilities)])))
  const rows = rowsOf(documents)
  const shown = documentsOf(fitted, column, rows, all.length, named)
  return {
    words,
    named,
    topics: listed.map(({ topic, share, alpha, words }, t) => ({
      topic,
      share,
      alpha,
      coherence: coherences[t],
      words: words.map(({ word, probability, lift }) => ({ word, probability, lift })),
      x: places[t][0],
      y: places[t][1],
      documents: shown[t],
    })),
    onPage: all.map(({ words }) => {
      const kept = new Set<string>()
      for (const lambda of LAMBDAS) {
        const relevance = ({ probability, lift }: (typeof words)[number]): number =>
          lambda * Math.log(probability) + (1 - lambda) * Math.log(lift)
        const first = words.toSorted((a, b) => relevance(b) - relevance(a)).slice(0, LOOKED_AT)
        for (const { word } of first) kept.add(word)
      }
      return words
        .filter(({ word }) => kept.has(word))
        .map(({ word, probability, lift }) => ({ word, inTopic: probability, overall: probability / lift }))
    }),
  }
}

export function vocabularyOf(fitted: LooseFitted, column: string): number {
  const found = fitted.columns.find(({ name }) => name === column)
  return found?.kind === "bag" ? found.words.length : 0
}

function* sortedByWord(probabilities: ReadonlyMap<string, number>): Generator<number> {
  for (const word of [...probabilities.keys()].sort()) yield probabilities.get(word)!
}

/** The documents highest in each topic. */
function documentsOf(
  fitted: LooseFitted,
  column: string,
  rows: readonly Row[],
  topics: number,
  named: string | undefined,
): DocumentAnswer[][] {
  const { values } = fitted.proportions(rows)
  return Array.from({ length: topics }, (_, t) =>
    rows
      .map((_, i) => i)
      .sort((a, b) => values[b * topics + t] - values[a * topics + t] || a - b)
      .slice(0, DOCUMENTS)
      .map(i => ({
        row: i + 1,
        ...(named !== undefined && { id: String(rows[i][named] ?? "") }),
        proportion: values[i * topics + t],
        text: clipped(String(rows[i][column] ?? ""), SNIPPET),
      })),
  )
}

/** The classes of a label: `fitted` has shared topics; `apart` the same, learned to tell classes apart. */
export function classesIn(
  fitted: LooseFitted,
  apart: LooseFitted,
  label: string,
  documents: Columns,
): ClassAnswer[] {
  const rows = rowsOf(documents)
  const { topics, values } = fitted.proportions(rows)
  const generative = wordsByClass(fitted, label)
  const discriminative = wordsByClass(apart, label)
  return [...generative.keys()].map(level => {
    const own = rows.flatMap((row, i) => (String(row[label]) === level ? [i] : []))
    const mean = (t: number): number =>
      own.reduce((sum, i) => sum + values[i * topics + t], 0) / Math.max(own.length, 1)
    const words = discriminative.get(level)!
    const others = [...discriminative].filter(([other]) => other !== level).map(([, one]) => one)
    const elsewhere = (word: string): number =>
      others.reduce((sum, one) => sum + one.get(word)!, 0) / Math.max(others.length, 1)
    return {
      level,
      rows: own.length,
      proportions: Array.from({ length: topics }, (_, t) => mean(t)),
      generative: firstWords(generative.get(level)!, probability => probability),
      discriminative: firstWords(words, (probability, word) => probability / elsewhere(word)),
    }
  })
}

/** p(word | class) = Σ_t (α_t / Σα) φ_t of the class. */
function wordsByClass(fitted: LooseFitted, label: string): Map<string, Map<string, number>> {
  const [column] = fitted.model.uses.filter(use => use.need.kind === "bag").map(use => use.column)
  const topics = fitted.topics({ top: vocabularyOf(fitted, column), relevance: 1 })
  const contexts = Object.keys(topics[0]?.alphas ?? {})
  return new Map(
    contexts.map(context => {
      const alphas = topics.map(({ alphas }) => alphas![context])
      const total = alphas.reduce((sum, alpha) => sum + alpha, 0)
      const words = new Map<string, number>()
      topics.forEach((topic, t) => {
        for (const { word, probability } of topic.words)
          words.set(word, (words.get(word) ?? 0) + (alphas[t] / total) * probability)
      })
      return [context.slice(label.length + 1), words]
    }),
  )
}

function firstWords(
  words: ReadonlyMap<string, number>,
  value: (probability: number, word: string) => number,
): string[] {
  return [...words]
    .map(([word, probability]) => ({ word, value: value(probability, word) }))
    .sort((a, b) => b.value - a.value || (a.word < b.word ? -1 : 1))
    .slice(0, LISTED)
    .map(({ word }) => word)
}
