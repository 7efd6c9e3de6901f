/** Domain of topics: valid statistics, and messages for invalid ones. */
import { SufficeError, show } from "../../errors.ts"
import type { BagColumn } from "../bag.ts"
import type { BoundTopics, TopicSize } from "./bound.ts"
import { column as columnOf } from "./layout.ts"

export function inside({ shape }: BoundTopics, stats: Float64Array, slot: number): boolean {
  const { words, topics, n, tables, exposure } = shape
  if (!(stats[n + slot] > 0 && stats[exposure + slot] > 0)) return false
  for (let k = 0; k < topics; k++) {
    if (!(stats[tables + slot * topics + k] > 0)) return false
    const { at: from, stride } = columnOf(shape, slot, k)
    for (let j = from, w = 0; w < words; w++, j += stride) if (!(stats[j] > 0)) return false
  }
  return true
}

export function damage({ shape, column, fixed }: BoundTopics, stats: Float64Array): string | undefined {
  const { slots, words, topics, tables, exposure } = shape
  for (let p = 0; p < slots; p++) {
    for (let k = 0; k < topics; k++) {
      const { at: from, stride } = columnOf(shape, p, k)
      for (let j = from, w = 0; w < words; w++, j += stride)
        if (stats[j] < 0) return damagedWord(column.name, column.words[w], k, stats[j])
      const [table, exposed] = [stats[tables + p * topics + k], stats[exposure + p]]
      if (!fixed && (exposed < 0 || (exposed > 0 && !(table > 0))))
        return damagedAlpha(column.name, k, table / exposed)
    }
  }
  return undefined
}

function damagedWord(column: string, word: string, topic: number, count: number): string {
  return `${show(count)} of the word ${show(word)} in topic ${topic} of ${show(column)}, so that its probabilities do not add up to 1: no count is below 0`
}

function damagedAlpha(column: string, topic: number, alpha: number): string {
  return `an alpha of ${show(alpha)} for topic ${topic} of ${show(column)}, where a number above 0 belongs`
}

/** Throws if the text options drop every word of the column. */
export function checkWords({ name, words, text }: BagColumn): void {
  const { minDocuments, maxDocuments, maxWords, stopWords } = text
  const isChosen = [minDocuments, maxDocuments, maxWords, stopWords].some(option => option !== undefined)
  if (words.length > 0 || !isChosen) return
  throw new SufficeError(
    "data",
    `topics: no word of column ${show(name)} is left. Its text options (minDocuments, maxDocuments, stopWords) drop all of them. Keep more words, or look whether the column holds the texts.`,
    { column: name },
  )
}

export function notADensity({ name, text: { scaling } }: BagColumn): never {
  throw new SufficeError(
    "model",
    `the documents in ${show(name)} are scaled (${show(scaling)}), so their score is a weighted log-likelihood. It is no density: there is nothing to sample from, and no likelihood to compare. Use topics(…, { scaling: "raw" }) and a generative learner for that.`,
    { column: name, scaling },
  )
}

export function notShared({ own, shared }: TopicSize): SufficeError {
  return new SufficeError(
    "model",
    `topics: ${shared} topics are shared, but there is one context. Contexts share topics below classes() or mixture(), and here is nothing to share them with. Write topics(${own + shared}, …), or put it below classes().`,
    { family: "topics", option: "shared", value: shared },
  )
}
