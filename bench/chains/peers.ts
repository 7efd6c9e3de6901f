/** The other systems: one question per system and setting, each answer kept. */
import { askOnce, type Versions } from "../peer.ts"
import type { Sentence, Series } from "./corpora.ts"
import type { Features } from "./features.ts"

const PINS = "chains/requirements.txt"

interface Named extends Versions {
  readonly peers: Readonly<Record<string, string>>
}

/** Versions of all peers of this run. */
export const peerVersions: Record<string, string> = {}

function answered<Answer extends object>(question: unknown): Answer {
  const { versions, peers, ...answer } = askOnce<Answer & Named>("chains.py", question, PINS)
  Object.assign(peerVersions, versions, peers)
  return answer as unknown as Answer
}

export interface PeerTags {
  readonly predicted: readonly (readonly string[])[]
  readonly seconds: number
  /** Of CRFsuite: −ln p(all tags | words) of a sentence, per token. */
  readonly logLoss?: number
}

export interface Crf {
  readonly algorithm: "lbfgs" | "averaged-perceptron"
  readonly params: Readonly<Record<string, number>>
}

export const PERCEPTRON: Crf = { algorithm: "averaged-perceptron", params: { max_iterations: 20 } }
export const lbfgs = (c2: number): Crf => ({ algorithm: "lbfgs", params: { c1: 0, c2 } })

/** CRFsuite, given the same strings as numbers. */
export function byCrfsuite(
  train: readonly Sentence[],
  test: readonly Sentence[],
  features: Features,
  settings: Crf,
): PeerTags {
  const codes = new Map<string, number>()
  const code = (feature: string): number => {
    const known = codes.get(feature) ?? codes.size
    codes.set(feature, known)
    return known
  }
  const coded = (sentences: readonly Sentence[]) => ({
    features: sentences.map(sentence => features(sentence).map(step => step.map(code))),
    tags: sentences.map(sentence => sentence.map(({ tag }) => tag)),
  })
  return answered({ system: "crfsuite", settings, train: coded(train), test: coded(test) })
}

/** NLTK's averaged perceptron: its own features of words, five passes, its default. */
export function byNltk(train: readonly Sentence[], test: readonly Sentence[], seed: number): PeerTags {
  const words = (sentences: readonly Sentence[]) => ({
    words: sentences.map(sentence => sentence.map(({ word }) => word)),
    tags: sentences.map(sentence => sentence.map(({ tag }) => tag)),
  })
  return answered({
    system: "nltk",
    settings: { iterations: 5 },
    seed,
    train: words(train),
    test: words(test),
  })
}

export function optimumByHmmlearn(
  { kind, states, values }: Series,
  restarts: number,
): { readonly best: number } {
  return answered({ system: "hmmlearn", kind, states, values, restarts })
}
