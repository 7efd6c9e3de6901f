/** The other systems: one question per corpus, system and seed, each answer kept. */
import type { Document } from "../corpora.ts"
import { ask, askOnce, type Versions } from "../peer.ts"
import { type Counts, counted, type TopicCorpus } from "./corpora.ts"
import type { Topics } from "./evaluator.ts"

const PINS = "topics/requirements.txt"

export interface Peer {
  readonly system: "tomotopy" | "gensim" | "scikit-learn"
  /** As the page names it. */
  readonly name: string
  readonly settings: Readonly<Record<string, number | string>>
}

export interface PeerTopics extends Topics {
  /** Processor time of the fit. */
  readonly seconds: number
  readonly versions: Readonly<Record<string, string>>
}

interface Answer extends Versions {
  readonly phi: string
  readonly alpha: readonly number[]
  readonly seconds: number
  readonly peers: Readonly<Record<string, string>>
}

/** The topics of a peer; `timed` asks it anew, since times are never kept. */
export function peerTopics(
  { train, words }: TopicCorpus,
  topics: number,
  { system, settings }: Peer,
  seed: number,
  timed = false,
): PeerTopics {
  const question = { system, settings, topics, seed, words: words.length, train }
  const answer = (timed ? ask : askOnce)<Answer>("topics.py", question, PINS)
  const bytes = Buffer.from(answer.phi, "base64")
  return {
    phi: new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)),
    alpha: answer.alpha,
    seconds: answer.seconds,
    versions: { ...answer.versions, ...answer.peers },
  }
}

export type PeerClassifier = "tomotopy LDA + LR" | "tomotopy LLDA" | "tomotopy SLDA"

/** The accuracy of a peer's classifier; of several readings of its topics, the best one on the test rows. */
export function peerAccuracy(
  { train, test }: { readonly train: readonly Document[]; readonly test: readonly Document[] },
  system: PeerClassifier,
  topics: number,
  sweeps: number,
  seed: number,
): number {
  const number = new Map<string, number>()
  const encode = ({ text }: Document, grow: boolean): Counts =>
    [...counted(text)]
      .filter(([word]) => grow || number.has(word))
      .map(([word, count]) => {
        if (!number.has(word)) number.set(word, number.size)
        return [number.get(word)!, count] as const
      })
  const learned = train.map(document => encode(document, true))
  const question = {
    system,
    settings: { sweeps },
    topics,
    seed,
    train: learned,
    trainLabels: train.map(document => document.label),
    test: test.map(document => encode(document, false)),
  }
  const { predicted } = askOnce<{ readonly predicted: Readonly<Record<string, readonly string[]>> }>(
    "topics.py",
    question,
    PINS,
  )
  const right = (answers: readonly string[]) =>
    answers.filter((answer, i) => answer === test[i].label).length / test.length
  return Math.max(...Object.values(predicted).map(right))
}
