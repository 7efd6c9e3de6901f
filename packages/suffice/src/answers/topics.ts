/**
 * What the topics of a model are about: their words, most relevant first.
 *
 *     relevance_w = λ ln φ_w + (1 − λ) ln(φ_w / p_w)        lift_w = φ_w / p_w        (Sievert & Shirley 2014)
 *
 * φ_w: probability of the word in the topic; p_w: in all topics, by their shares.
 */
import { refuseUnknown, wrongOption } from "../errors.ts"
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"
import { expected } from "../option-checks.ts"
import type { SolvedModel } from "./knowledge.ts"
import { type TopicPlace, topicSpace, wordsOf } from "./topic-space.ts"

/** Options of `fitted.topics`. */
export interface TopicsQuestion {
  /** How many words of each topic. The default is 10. */
  readonly top?: number
  /** λ: 1 ranks words by their probability, 0 by how much more frequent they are in the topic than elsewhere. The default is 0.6. */
  readonly relevance?: number
  /** The column of the documents, if the model has topics of several. */
  readonly column?: string
}

/** One topic: its share of all words, its α, and its words. */
export interface Topic {
  /** Its place in this list, and in a row of `proportions`. */
  readonly topic: number
  /** The context that it belongs to, as "label=spam"; absent: there is one context, or the topic is shared by all. */
  readonly context?: string
  /** The share of all words that it explains. */
  readonly share: number
  /** α: the prior of its proportion. Of a shared topic: the mean over contexts, by their rows. */
  readonly alpha: number
  /** Of a topic shared by several contexts: α in each. */
  readonly alphas?: Readonly<Record<string, number>>
  readonly words: readonly TopicWord[]
}

/** A word of a topic. */
export interface TopicWord {
  readonly word: string
  readonly probability: number
  readonly lift: number
  readonly relevance: number
}

export function topicsOf(solved: SolvedModel, options: TopicsQuestion): Topic[] {
  refuseUnknown("topics", options, ["top", "relevance", "column"])
  const { relevance = 0.6 } = options
  const weighs = typeof relevance === "number" && relevance >= 0 && relevance <= 1
  expected("topics", "relevance", relevance, weighs, "be a number from 0 to 1", "{ relevance: 0.6 }")
  const space = topicSpace("topics", solved, options.column)
  const { words } = space.column
  const { top = Math.min(10, words.length) } = options
  checkTop("topics", top, words.length)
  const { stats } = solved.known
  const phi = wordsOf(space, solved)
  const tokens = space.topics.map(
    ({ part, topics, slots, k }) => topics.tokens(part.ranges.statsOf(stats), slots[0])[k],
  )
  const all = tokens.reduce((sum, count) => sum + count, 0)
  const shares = tokens.map(count => (all > 0 ? count / all : 1 / tokens.length))
  // ln p_w
  const logs = Float64Array.from(words, (_, w) =>
    log(shares.reduce((sum, share, t) => sum + share * phi[t * words.length + w], 0)),
  )
  return space.topics.map((place, t) => {
    const own = Float64Array.from(phi.subarray(t * words.length, (t + 1) * words.length), log)
    const lift = (w: number): number => own[w] - logs[w]
    const relevant = own.map((value, w) => relevance * value + (1 - relevance) * lift(w))
    return {
      topic: t,
      ...(place.context !== undefined && { context: place.context }),
      share: shares[t],
      ...alphaOf(place, solved, space.contexts(place.part)),
      words: highest(relevant, top).map(w => {
        const probability = phi[t * words.length + w]
        return {
          word: words[w],
          probability,
          lift: probability / exp(logs[w]),
          relevance: relevant[w],
        }
      }),
    }
  })
}

function alphaOf(
  { part, topics, slots, k }: TopicPlace,
  { known, params }: SolvedModel,
  contexts: readonly string[],
): Pick<Topic, "alpha" | "alphas"> {
  const alphas = slots.map(slot => topics.alpha(part.ranges.paramsOf(params), slot)[k])
  if (slots.length === 1) return { alpha: alphas[0] }
  const masses = slots.map(slot => part.leaf.mass(part.ranges.statsOf(known.stats), slot))
  const mass = masses.reduce((sum, n) => sum + n, 0)
  const mean = alphas.reduce(
    (sum, alpha, s) => sum + alpha * (mass > 0 ? masses[s] / mass : 1 / slots.length),
    0,
  )
  return { alpha: mean, alphas: Object.fromEntries(slots.map((slot, s) => [contexts[slot], alphas[s]])) }
}

/** The places of the highest values, the first of equal ones first. */
export function highest(values: Float64Array, count: number): number[] {
  const order = Array.from(values.keys()).sort((a, b) => values[b] - values[a] || a - b)
  return order.slice(0, count)
}

export function checkTop(where: string, top: number, words: number): void {
  if (Number.isSafeInteger(top) && top >= 1 && top <= words) return
  throw wrongOption(
    where,
    "top",
    top,
    Number.isSafeInteger(top) && top > words
      ? `The vocabulary has ${words} ${words === 1 ? "word" : "words"}. Ask for at most that many, or keep more words.`
      : "It counts words, so it must be a whole number ≥ 1. Write for example { top: 10 }.",
  )
}
