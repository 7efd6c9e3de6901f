/** Time of a fit on ap by turns with the peers, and of one question. */
import { fit, topics } from "suffice"
import { atLeast, atMost, type Bar } from "../bars.ts"
import { kept } from "../kept.ts"
import { median } from "../page.ts"
import { topicCorpus } from "./corpora.ts"
import { ourTopics, rowsOf } from "./ours.ts"
import { peerTopics } from "./peers.ts"
import { GENSIM, SEEDS, tomotopy } from "./quality.ts"

interface Turn {
  readonly ours: number
  readonly tomotopy: number
  readonly gensim: number
}

export interface Times extends Turn {
  /** Milliseconds. */
  readonly question: number
}

/** Processor time, one thread; by turns, so that other load of the machine affects all sides. */
export async function times(): Promise<Times> {
  const corpus = topicCorpus("ap")
  const turns: Turn[] = []
  for (const seed of SEEDS) {
    const compute = async (): Promise<Turn> => ({
      ours: (await ourTopics(corpus, 50, seed)).seconds,
      tomotopy: peerTopics(corpus, 50, tomotopy(500), seed, true).seconds,
      gensim: peerTopics(corpus, 50, GENSIM, seed, true).seconds,
    })
    turns.push(await kept("topics", ["times", seed], compute))
    console.log(`  times, turn ${seed}: ${JSON.stringify(turns.at(-1))}`)
  }
  const of = (side: keyof Turn) => median(turns.map(turn => turn[side]))
  const milliseconds = await kept("topics", ["question"], question)
  return { ours: of("ours"), tomotopy: of("tomotopy"), gensim: of("gensim"), question: milliseconds }
}

/** Proportions of one document of 100 words among 50 topics, in milliseconds: the median of many calls. */
async function question(): Promise<number> {
  const corpus = topicCorpus("reuters-lda")
  const fitted = await fit(topics(50, "words"), rowsOf(corpus), { threads: 1 })
  const first = corpus.train.flatMap(document => document.slice(0, 2).map(([word]) => corpus.words[word]))
  const text = first.slice(0, 100)
  const each: number[] = []
  for (let i = 0; i < 500; i++) {
    const start = performance.now()
    fitted.proportions([{ words: text }])
    each.push(performance.now() - start)
  }
  return median(each.slice(100))
}

export function timeBars({ ours, tomotopy, gensim, question }: Times): Bar[] {
  return [
    atLeast("ap: time of tomotopy, 500 sweeps / ours", 3, tomotopy / ours, 1),
    atLeast("ap: time of gensim, 20 passes / ours", 5, gensim / ours, 1),
    atMost("proportions of one document of 100 words, 50 topics, ms", 0.2, question),
  ]
}

export function timeText({ ours, tomotopy, gensim }: Times): string[] {
  const seconds = [ours, tomotopy, gensim].map(x => x.toFixed(1))
  return [
    "## Time",
    `ap, 50 topics, processor time of the fit, one thread, by turns, medians of three seeds: ours ${seconds[0]} s (reading included), tomotopy ${seconds[1]} s, gensim ${seconds[2]} s.`,
  ]
}
