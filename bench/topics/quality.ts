/** Perplexity of completion, coherence and diversity beside tomotopy, gensim and scikit-learn. */
import { atLeast, atMost, type Bar } from "../bars.ts"
import { kept } from "../kept.ts"
import { median, table } from "../page.ts"
import { topicCorpus } from "./corpora.ts"
import { type Quality, quality } from "./evaluator.ts"
import { ourTopics } from "./ours.ts"
import { type Peer, peerTopics } from "./peers.ts"

export const SEEDS = [0, 1, 2]

export const tomotopy = (sweeps: number): Peer => ({
  system: "tomotopy",
  name: `tomotopy, ${sweeps} sweeps`,
  settings: { sweeps },
})
export const GENSIM: Peer = {
  system: "gensim",
  name: "gensim, α and η learned, 20 passes",
  settings: { passes: 20, eta: "auto" },
}
const GENSIM_FIXED: Peer = {
  system: "gensim",
  name: "gensim, α learned, η = 0.01, 20 passes",
  settings: { passes: 20, eta: 0.01 },
}
const SKLEARN: Peer = {
  system: "scikit-learn",
  name: "scikit-learn, batch, 100 sweeps",
  settings: { max_iter: 100 },
}

interface Task {
  readonly corpus: string
  readonly topics: number
  readonly peers: readonly { readonly peer: Peer; readonly seeds: readonly number[] }[]
}

const all = (peer: Peer) => ({ peer, seeds: SEEDS })
export const TASKS: readonly Task[] = [
  { corpus: "ap", topics: 50, peers: [tomotopy(500), GENSIM, GENSIM_FIXED, SKLEARN].map(all) },
  { corpus: "reuters-lda", topics: 20, peers: [tomotopy(1000), GENSIM, GENSIM_FIXED, SKLEARN].map(all) },
  { corpus: "nips-small", topics: 20, peers: [tomotopy(500), GENSIM, SKLEARN].map(all) },
  {
    corpus: "20ng",
    topics: 50,
    // minutes each
    peers: [all(tomotopy(500)), { peer: GENSIM, seeds: [0] }, { peer: SKLEARN, seeds: [0] }],
  },
]

interface Line extends Quality {
  readonly name: string
  readonly seeds: number
  readonly lowest: number
  readonly highest: number
}

export interface Measured {
  readonly task: Task
  readonly documents: number
  readonly words: number
  readonly ours: Line
  readonly peers: readonly Line[]
}

/** Medians over the seeds. */
function lineOf(name: string, each: readonly Quality[]): Line {
  const perplexities = each.map(({ perplexity }) => perplexity)
  return {
    name,
    seeds: each.length,
    perplexity: median(perplexities),
    lowest: Math.min(...perplexities),
    highest: Math.max(...perplexities),
    npmi: median(each.map(({ npmi }) => npmi)),
    diversity: median(each.map(({ diversity }) => diversity)),
  }
}

/** Adds the versions of the peers to `versions`. */
export async function measured(task: Task, versions: Record<string, string>): Promise<Measured> {
  const corpus = topicCorpus(task.corpus)
  const ours: Quality[] = []
  for (const seed of SEEDS) {
    const compute = async () => quality(corpus, await ourTopics(corpus, task.topics, seed))
    ours.push(await kept("topics", ["topics", task.corpus, task.topics, seed], compute))
  }
  const peers = task.peers.map(({ peer, seeds }) => {
    const each = seeds.map(seed => {
      const answer = peerTopics(corpus, task.topics, peer, seed)
      Object.assign(versions, answer.versions)
      return quality(corpus, answer)
    })
    return lineOf(peer.name, each)
  })
  const lines = [lineOf("**Suffice**", ours), ...peers]
  for (const { name, perplexity, npmi } of lines)
    console.log(`  ${task.corpus}, ${name}: ${perplexity.toFixed(0)}, ${npmi.toFixed(3)}`)
  return { task, documents: corpus.train.length, words: corpus.words.length, ours: lines[0], peers }
}

/** Perplexity beside the best settings of a system: at most this ratio; NaN: reported only. */
const RATIOS: readonly (readonly [corpus: string, system: string, most: number])[] = [
  ["ap", "tomotopy", 1.02],
  ["reuters-lda", "tomotopy", 1],
  ["nips-small", "tomotopy", 1.03],
  ["20ng", "tomotopy", Number.NaN],
  ["ap", "gensim", 0.97],
  ["ap", "scikit-learn", 0.97],
  ["reuters-lda", "gensim", 0.97],
  ["reuters-lda", "scikit-learn", 0.97],
]
/** NPMI above the best settings of a system, at least. */
const GAINS: readonly (readonly [corpus: string, system: string, least: number])[] = [
  ["ap", "tomotopy", -0.03],
  ["reuters-lda", "tomotopy", -0.06],
  ["ap", "gensim", 0.08],
]

export function qualityBars(measured: readonly Measured[]): Bar[] {
  const of = (corpus: string) => measured.filter(({ task }) => task.corpus === corpus)
  const named = ({ peers }: Measured, system: string) => peers.filter(({ name }) => name.startsWith(system))
  const ratios = RATIOS.flatMap(([corpus, system, most]) =>
    of(corpus).map((one): Bar => {
      const best = Math.min(...named(one, system).map(({ perplexity }) => perplexity))
      const what = `${corpus}, ${one.task.topics} topics: perplexity / ${system}'s`
      const value = one.ours.perplexity / best
      return Number.isNaN(most)
        ? [what, "reported", value.toFixed(3), undefined]
        : atMost(what, most, value, 3)
    }),
  )
  const gains = GAINS.flatMap(([corpus, system, least]) =>
    of(corpus).map(one => {
      const best = Math.max(...named(one, system).map(({ npmi }) => npmi))
      return atLeast(`${corpus}: NPMI minus ${system}'s`, least, one.ours.npmi - best, 3)
    }),
  )
  return [...ratios, ...gains]
}

export function qualityText(measured: readonly Measured[]): string[] {
  const rows = measured.flatMap(({ task, documents, words, ours, peers }) =>
    [ours, ...peers].map((line, i) => [
      i === 0 ? `${task.corpus}: ${documents} documents, ${words} words, ${task.topics} topics` : "",
      line.name,
      line.perplexity.toFixed(0),
      `${line.lowest.toFixed(0)} – ${line.highest.toFixed(0)}`,
      line.npmi.toFixed(3),
      line.diversity.toFixed(2),
      String(line.seeds),
    ]),
  )
  const heads = ["corpus", "system", "perplexity", "range", "NPMI", "diversity", "seeds"]
  return ["## Perplexity of completion, coherence, diversity", table(heads, rows)]
}
