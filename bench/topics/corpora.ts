/**
 * The corpora: documents as (word, count) pairs in order of their words, and those held out, whose tokens are cut
 * into two halves at random. Words are numbered by the training documents; those that only held-out documents have are left out.
 */
import { dice } from "suffice"
import { published, stemmed } from "../corpora.ts"
import { read } from "../datasets.ts"

/** Pairs of a word's number and its count. */
export type Counts = readonly (readonly [word: number, count: number])[]

export interface HeldOut {
  readonly seen: Counts
  readonly asked: Counts
}

export interface TopicCorpus {
  readonly name: string
  /** The word of each number. */
  readonly words: readonly string[]
  readonly train: readonly Counts[]
  readonly held: readonly HeldOut[]
}

interface Raw {
  readonly words: readonly string[]
  readonly documents: readonly Counts[]
}

/** `M id:count id:count …` per line, ids from 0 (LDA-C). */
function ldac(documents: string, words: string): Raw {
  const pair = (text: string) => text.split(":").map(Number) as [number, number]
  return {
    words: lines(words),
    documents: lines(documents).map(line => line.trim().split(" ").slice(1).map(pair)),
  }
}

/** `document word count` per line after three lines of header, ids from 1 (UCI). */
function docword(documents: string, words: string): Raw {
  const found: [number, number][][] = []
  for (const line of lines(documents).slice(3)) {
    const [document, word, count] = line.split(" ").map(Number)
    found[document - 1] ??= []
    found[document - 1].push([word - 1, count])
  }
  return { words: lines(words), documents: found }
}

/** The training documents of 20ng; words in at least five of them. */
function newsgroups(): Raw {
  const bags = published("20ng", stemmed("20ng")).splits[0].train.map(({ text }) => counted(text))
  const documents = new Map<string, number>()
  for (const bag of bags) for (const word of bag.keys()) documents.set(word, (documents.get(word) ?? 0) + 1)
  const words = [...documents.keys()].filter(word => documents.get(word)! >= 5)
  const number = new Map(words.map((word, i) => [word, i]))
  return {
    words,
    documents: bags.map(bag =>
      [...bag].filter(([word]) => number.has(word)).map(([word, count]) => [number.get(word)!, count]),
    ),
  }
}

export function counted(text: string): Map<string, number> {
  const bag = new Map<string, number>()
  for (const word of text.split(" ")) if (word !== "") bag.set(word, (bag.get(word) ?? 0) + 1)
  return bag
}

const lines = (path: string) => read(path).replace(/\n$/, "").split("\n")

const RAW: Readonly<Record<string, () => Raw>> = {
  ap: () => ldac("ap/ap.dat.gz", "ap/vocab.txt.gz"),
  "reuters-lda": () => ldac("reuters-lda/reuters.ldac.gz", "reuters-lda/reuters.tokens.gz"),
  "nips-small": () => docword("nips-small/docword.nips-small.txt.gz", "nips-small/vocab.nips.txt.gz"),
  "20ng": newsgroups,
}

/** 10 % of the documents are held out: at least 40, at most a quarter. Which, and how they are halved, is the same for every system. */
export function topicCorpus(name: string): TopicCorpus {
  const { words, documents } = RAW[name]()
  const draws = dice(20240921)
  const n = documents.length
  const order = shuffled(
    documents.map((_, i) => i),
    draws,
  )
  const aside = Math.min(Math.max(Math.ceil(n / 10), 40), Math.floor(n / 4))
  const chosen = new Set(order.slice(0, aside))

  const number = new Map<number, number>()
  for (const [i, document] of documents.entries()) {
    if (!chosen.has(i)) for (const [word] of document) if (!number.has(word)) number.set(word, number.size)
  }
  const renumbered = (document: Counts): Counts =>
    document
      .filter(([word]) => number.has(word))
      .map(([word, count]) => [number.get(word)!, count] as const)
      .toSorted(([a], [b]) => a - b)
  return {
    name,
    words: [...number.keys()].map(word => words[word]),
    train: documents.filter((_, i) => !chosen.has(i)).map(renumbered),
    held: documents.filter((_, i) => chosen.has(i)).map(document => halved(renumbered(document), draws)),
  }
}

type Draws = ReturnType<typeof dice>

function halved(document: Counts, draws: Draws): HeldOut {
  const tokens = shuffled(
    document.flatMap(([word, count]) => Array.from({ length: count }, () => word)),
    draws,
  )
  const half = Math.ceil(tokens.length / 2)
  return { seen: counts(tokens.slice(0, half)), asked: counts(tokens.slice(half)) }
}

function counts(tokens: readonly number[]): Counts {
  const bag = new Map<number, number>()
  for (const word of tokens) bag.set(word, (bag.get(word) ?? 0) + 1)
  return [...bag].toSorted(([a], [b]) => a - b)
}

function shuffled<T>(items: readonly T[], draws: Draws): T[] {
  const out = [...items]
  for (let i = out.length - 1; i > 0; i--) {
    const j = draws.integer(i + 1)
    const item = out[i]
    out[i] = out[j]
    out[j] = item
  }
  return out
}
