/**
 * One evaluator for every system: it is given the words of the topics φ and α, and nothing else.
 *
 *   perplexity of completion   θ of a held-out document from one half of its tokens, 100 steps of
 *                              n_k = Σ_w c_w θ_k φ_kw / Σ_j θ_j φ_jw,  θ_k = (n_k + α_k) / (N + α₀);
 *                              exp(−Σ c_w ln Σ_k θ_k φ_kw / Σ c_w) over the other half
 *   NPMI                       of the ten most probable words of a topic, over training documents: the mean over pairs of
 *                              ln(p(v, w) / p(v) p(w)) / −ln p(v, w); a pair that never meets counts −1
 */
import type { Counts, TopicCorpus } from "./corpora.ts"

export interface Topics {
  /** topics × words. */
  readonly phi: Float64Array
  readonly alpha: readonly number[]
}

export interface Quality {
  readonly perplexity: number
  readonly npmi: number
  /** The share of distinct words among the 25 first of every topic. */
  readonly diversity: number
}

const STEPS = 100

export function quality(corpus: TopicCorpus, topics: Topics): Quality {
  const tops = (count: number) => topWords(topics, corpus.words.length, count)
  const wide = tops(25)
  return {
    perplexity: perplexity(corpus, topics),
    npmi: npmi(corpus, tops(10)),
    diversity: new Set(wide.flat()).size / (25 * wide.length),
  }
}

function perplexity({ held, words }: TopicCorpus, topics: Topics): number {
  let [logarithms, tokens] = [0, 0]
  for (const { seen, asked } of held) {
    const theta = proportions(seen, topics, words.length)
    for (const [word, count] of asked) {
      logarithms += count * Math.log(Math.max(probability(theta, word, topics.phi, words.length), 1e-300))
      tokens += count
    }
  }
  return Math.exp(-logarithms / tokens)
}

function proportions(seen: Counts, { phi, alpha }: Topics, words: number): Float64Array {
  const total = alpha.reduce((a, b) => a + b, 0)
  const length = seen.reduce((sum, [, count]) => sum + count, 0)
  let theta = Float64Array.from(alpha, a => a / total)
  for (let step = 0; step < STEPS; step++) {
    const next = Float64Array.from(alpha)
    for (const [word, count] of seen) {
      const p = probability(theta, word, phi, words)
      if (p <= 0) continue
      for (let k = 0; k < alpha.length; k++) next[k] += (count * theta[k] * phi[k * words + word]) / p
    }
    theta = next.map(n => n / (length + total))
  }
  return theta
}

function probability(theta: Float64Array, word: number, phi: Float64Array, words: number): number {
  let p = 0
  for (let k = 0; k < theta.length; k++) p += theta[k] * phi[k * words + word]
  return p
}

function topWords({ phi, alpha }: Topics, words: number, count: number): number[][] {
  return alpha.map((_, k) => {
    const order = Array.from({ length: words }, (_, w) => w)
    return order.sort((a, b) => phi[k * words + b] - phi[k * words + a] || a - b).slice(0, count)
  })
}

function npmi({ train }: TopicCorpus, tops: readonly (readonly number[])[]): number {
  const documents = new Map<number, Set<number>>(tops.flat().map(word => [word, new Set<number>()]))
  for (const [i, document] of train.entries()) for (const [word] of document) documents.get(word)?.add(i)
  const scores = tops.map(top => {
    const pairs = top.flatMap((v, i) => top.slice(0, i).map(w => [v, w] as const))
    const sum = pairs.reduce((sum, [v, w]) => {
      const [a, b] = [documents.get(v)!, documents.get(w)!]
      const joint = [...a].filter(i => b.has(i)).length / train.length
      if (joint === 0) return sum - 1
      if (joint === 1) return sum + 1
      return sum + Math.log(joint / ((a.size / train.length) * (b.size / train.length))) / -Math.log(joint)
    }, 0)
    return sum / pairs.length
  })
  return scores.reduce((a, b) => a + b, 0) / scores.length
}
