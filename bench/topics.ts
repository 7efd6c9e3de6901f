import { published, stemmed } from "./corpora.ts"
import { topicCorpus } from "./topics/corpora.ts"
import { quality } from "./topics/evaluator.ts"
import { type Peer, peerAccuracy, peerTopics } from "./topics/peers.ts"
const SEEDS = [0, 1, 2]
const tomotopy = (sweeps: number): Peer => ({ system: "tomotopy", name: `tomotopy, ${sweeps} sweeps`, settings: { sweeps } })
const GENSIM: Peer = { system: "gensim", name: "gensim, α and η learned, 20 passes", settings: { passes: 20, eta: "auto" } }
const GENSIM_FIXED: Peer = { system: "gensim", name: "gensim, α learned, η = 0.01, 20 passes", settings: { passes: 20, eta: 0.01 } }
const SKLEARN: Peer = { system: "scikit-learn", name: "scikit-learn, batch, 100", settings: { max_iter: 100 } }
const J: [string, number, Peer[]][] = [
  ["ap", 50, [tomotopy(500), GENSIM, GENSIM_FIXED]],
  ["reuters-lda", 20, [tomotopy(1000), GENSIM, GENSIM_FIXED, SKLEARN]],
  ["nips-small", 20, [tomotopy(500), GENSIM, SKLEARN]],
  ["ap", 50, [SKLEARN]],
]
for (const [name, k, peers] of J) {
  const c = topicCorpus(name)
  for (const p of peers) for (const seed of SEEDS) {
    const r = peerTopics(c, k, p, seed)
    console.log(name, p.name, seed, JSON.stringify(quality(c, r)), r.seconds)
  }
}
for (const name of ["webkb", "r8"]) {
  const s = published(name, stemmed(name)).splits[0]
  for (const [n, k, w] of [["tomotopy LDA + LR", 20, 300], ["tomotopy LLDA", 4, 100], ["tomotopy SLDA", 20, 100]] as const)
    for (const seed of SEEDS) console.log(name, n, seed, peerAccuracy(s, n, k, w, seed))
}
{
  const c = topicCorpus("20ng")
  console.log(c.words.length, c.train.length)
  for (const seed of SEEDS) {
    const r = peerTopics(c, 50, tomotopy(500), seed)
    console.log("20ng", seed, JSON.stringify(quality(c, r)), r.seconds)
  }
  for (const p of [GENSIM, SKLEARN]) {
    const r = peerTopics(c, 50, p, 0)
    console.log("20ng", p.name, JSON.stringify(quality(c, r)), r.seconds)
  }
}
