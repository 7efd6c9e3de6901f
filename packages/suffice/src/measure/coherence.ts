/**
 * Coherence of a topic: do its most probable words occur together? Over shares p of documents, or of windows that slide over them.
 *
 *     npmi    mean over pairs of  ln(p(v, w) / (p(v) p(w))) / −ln p(v, w)      −1: never together … 1: always     (Bouma 2009; Lau et al. 2014)
 *     umass   mean over pairs, w the more probable, of  ln((p(v, w) + ε) / p(w))      ≤ 0                          (Mimno et al. 2011)
 *     c_v     mean over v of the cosine between u_v and Σ_w u_w, where u_v = (npmi(v, w))_w, by windows            (Röder, Both & Hinneburg 2015)
 *
 * umass and c_v smooth p(v, w) by ε = 1e-12, as gensim does. Under npmi a pair that never meets counts −1, its limit.
 */
import { log } from "../kernels/log.ts"

/** How two words of a topic are compared. */
export type CoherenceMeasure = "npmi" | "umass" | "c_v"

/** The size of the windows of a measure, in words; a shorter document is one window. */
export const WINDOWS: Readonly<Record<CoherenceMeasure, number>> = {
  npmi: Number.POSITIVE_INFINITY,
  umass: Number.POSITIVE_INFINITY,
  c_v: 110,
}

const EPSILON = 1e-12

/** How often the words of topics occur together: counts of windows. */
export class Occurrences {
  readonly #topics: readonly ArrayLike<number>[]
  readonly #window: number
  /** By word of some topic: the stretches of windows of the current document that hold it, as starts and ends in turn. */
  readonly #held = new Map<number, number[]>()
  readonly #together: readonly Float64Array[]
  #windows = 0

  /** `topics`: the codes of their words, most probable first. */
  constructor(topics: readonly ArrayLike<number>[], window: number) {
    this.#topics = topics
    this.#window = window
    this.#together = topics.map(words => new Float64Array(words.length * words.length))
    for (const words of topics) for (let i = 0; i < words.length; i++) this.#held.set(words[i], [])
  }

  /** A document: the codes of its words in their order. */
  add(codes: ArrayLike<number>): void {
    // windows begin at 0 … windows − 1; the word at i is in those that begin at i − window + 1 … i
    const windows = Math.max(codes.length - this.#window + 1, 1)
    this.#windows += windows
    for (let i = 0; i < codes.length; i++) {
      const held = this.#held.get(codes[i])
      if (held) extend(held, Math.max(i - this.#window + 1, 0), Math.min(i, windows - 1))
    }
    this.#topics.forEach((words, t) => {
      const together = this.#together[t]
      for (let i = 0; i < words.length; i++) {
        const one = this.#held.get(words[i])!
        for (let j = 0; one.length > 0 && j <= i; j++) {
          together[i * words.length + j] += overlap(one, this.#held.get(words[j])!)
        }
      }
    })
    for (let i = 0; i < codes.length; i++) {
      const held = this.#held.get(codes[i])
      if (held) held.length = 0
    }
  }

  /** The share of windows that hold both words i and j ≤ i of a topic; i = j: that hold the word. */
  share(topic: number, i: number, j: number): number {
    return this.#together[topic][i * this.#topics[topic].length + j] / this.#windows
  }

  /** The coherence of one topic. */
  coherence(topic: number, measure: CoherenceMeasure): number {
    const words = this.#topics[topic].length
    const p = (i: number, j: number): number => (i < j ? this.share(topic, j, i) : this.share(topic, i, j))
    if (measure === "c_v") return meanCosine(words, (i, j) => pointwise(p(i, j), p(i, i), p(j, j), EPSILON))
    let sum = 0
    for (let i = 1; i < words; i++) {
      for (let j = 0; j < i; j++) {
        const both = p(i, j)
        if (measure === "umass") sum += log((both + EPSILON) / p(j, j))
        else sum += both === 0 ? -1 : pointwise(both, p(i, i), p(j, j), 0)
      }
    }
    return sum / ((words * (words - 1)) / 2)
  }
}

/** ln(p(v, w) / (p(v) p(w))) / −ln p(v, w); of words that are in every window 1, its limit. */
function pointwise(both: number, one: number, other: number, epsilon: number): number {
  const smoothed = both + epsilon
  return both === 1 ? 1 : log(smoothed / (one * other)) / -log(smoothed)
}

/** The mean over i of cos(u_i, Σ_j u_j), u_i = (similar(i, j))_j. */
function meanCosine(words: number, similar: (i: number, j: number) => number): number {
  const vectors = Array.from({ length: words }, (_, i) =>
    Array.from({ length: words }, (_, j) => similar(i, j)),
  )
  const whole = vectors.reduce((sum, vector) => sum.map((value, j) => value + vector[j]))
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, x, j) => sum + x * b[j], 0)
  const cosines = vectors.map(
    vector => dot(vector, whole) / Math.sqrt(dot(vector, vector) * dot(whole, whole)),
  )
  return cosines.reduce((sum, cosine) => sum + cosine, 0) / words
}

/** Adds the stretch from … to, which begins no earlier than those before it. */
function extend(stretches: number[], from: number, to: number): void {
  const last = stretches.length - 1
  if (last >= 0 && from <= stretches[last] + 1) stretches[last] = Math.max(stretches[last], to)
  else stretches.push(from, to)
}

/** How many windows are in stretches of both. */
function overlap(a: readonly number[], b: readonly number[]): number {
  let count = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    count += Math.max(Math.min(a[i + 1], b[j + 1]) - Math.max(a[i], b[j]) + 1, 0)
    if (a[i + 1] < b[j + 1]) i += 2
    else j += 2
  }
  return count
}
