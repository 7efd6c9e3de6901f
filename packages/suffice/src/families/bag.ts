/** What the families over bags of words share: their options, and what they need of a column. */
import { bagsOf } from "../blocks/encoded.ts"
import type { Block, Encoded } from "../contract/block.ts"
import type { Column, Need, Stem, TextOptions } from "../contract/columns.ts"
import type { Dice } from "../contract/dice.ts"
import type { Given } from "../contract/family.ts"
import type { Description } from "../contract/report.ts"
import { SufficeError, show } from "../errors.ts"
import { bucketName } from "../text/hash.ts"
import { readingOf } from "../text/reading.ts"
import { SCALINGS, type Scaling } from "../text/scaling.ts"
import { checkTogether } from "./bag-options.ts"

export interface BagOptions {
  /** Lower-case text before it is cut into words. */
  readonly lowercase?: boolean
  /** Sequences of up to this many consecutive words of a text or list, joined by spaces, are words too. The default is 1. */
  readonly ngrams?: number
  /** Words that are dropped before sequences are formed. */
  readonly stopWords?: readonly string[]
  /** Removes the endings of words. A saved model contains only its name: pass the function to load(json, { stemmers: { [name]: stem } }). */
  readonly stem?: { readonly name: string; readonly stem: Stem }
  /** Keep only words that occur in at least this many training documents. */
  readonly minDocuments?: number
  /** Keep only words that occur in at most this share of them. */
  readonly maxDocuments?: number
  /** Keep only this many words: those in the most documents, ties in code order. */
  readonly maxWords?: number
  /** Hash words into this many buckets, "#0", "#1" …, for unbounded vocabularies. Words that share a bucket are one. */
  readonly hash?: number
  /** The vocabulary, if it is not to be taken from the data. Other words are ignored. */
  readonly words?: readonly string[]
}

export interface ScaledBagOptions extends BagOptions {
  /** How counts are scaled: see scaling.ts. The default is raw for generative learners, tfidf for discriminative ones. */
  readonly scaling?: Scaling
}

/** The options of how words are found. */
const FOUND = [
  "lowercase",
  "ngrams",
  "stopWords",
  "stem",
  "minDocuments",
  "maxDocuments",
  "maxWords",
  "hash",
] as const

const TEXT = [...FOUND, "empty"] as const

export type BagColumn = Extract<Column, { kind: "bag" }>
type BagNeed = Extract<Need, { kind: "bag" }>

/** What a family over bags of words needs of its column. `isEmptySeen`: empty bags are evidence. */
export function bagNeed(family: string, options: ScaledBagOptions, isEmptySeen = false): BagNeed {
  const { lowercase = true, scaling, ngrams, stopWords, stem, words } = options
  const { minDocuments, maxDocuments, maxWords, hash } = options
  checkTogether(family, options)
  const text: TextOptions = {
    lowercase,
    ...(scaling !== undefined && { scaling }),
    ...(ngrams !== undefined && ngrams > 1 && { ngrams }),
    ...(stopWords !== undefined && { stopWords }),
    ...(stem !== undefined && { stem: stem.name }),
    ...(minDocuments !== undefined && { minDocuments }),
    ...(maxDocuments !== undefined && { maxDocuments }),
    ...(maxWords !== undefined && { maxWords }),
    ...(hash !== undefined && { hash }),
    ...(isEmptySeen && { empty: "seen" }),
  }
  return { kind: "bag", text, ...(words && { words }), reading: readingOf(text, stem?.stem) }
}

/** Options from a file, with the function of a stemmer in place of its name. */
export function bagGiven<T extends Record<string, unknown>>(
  family: string,
  options: T,
  given: Given = {},
): T {
  const { stem: name } = options
  if (typeof name !== "string") return options
  const { stemmers = {} } = given
  const stem = Object.hasOwn(stemmers, name) ? stemmers[name] : undefined
  if (typeof stem === "function") return { ...options, stem: { name, stem } }
  throw new SufficeError(
    "option",
    `${family}: its words are cut by the stemmer ${show(name)}, which was not passed. A file names its stemmer, it does not bring it along. Pass it: load(json, { stemmers: { ${name}: stemmer(${show(name)}) } }), with stemmer from "suffice-files/text".`,
    { family, option: "stem", value: name },
  )
}

/** The options as saving writes them. */
export function bagOptions({ text, words }: BagNeed): Description {
  const { lowercase, scaling, ...others } = text
  return { lowercase, ...(scaling !== undefined && { scaling }), ...(words && { words }), ...others }
}

/** The column as a bag. Only a model file that was changed by hand can have another kind. */
export function bagColumn(column: Column, need: BagNeed): BagColumn {
  const { name, words, text } = column as BagColumn
  const fine =
    typeof text === "object" &&
    text !== null &&
    TEXT.every(name => JSON.stringify(text[name]) === JSON.stringify(need.text[name])) &&
    (text.scaling === undefined || SCALINGS.includes(text.scaling)) &&
    (need.text.scaling === undefined || need.text.scaling === text.scaling) &&
    (text.scaling !== "tfidf" || isCounted(text, words.length)) &&
    (text.hash === undefined || isBuckets(words, text.hash)) &&
    Object.keys(text).every(key => KEYS.includes(key))
  if (fine) return column as BagColumn
  throw new SufficeError(
    "saved",
    `the text options of column ${show(name)} are not those of its model. How words are found and weighed must be as it was in training. Save the model again, or undo the change.`,
    { column: name },
  )
}

const KEYS: readonly string[] = [...TEXT, "scaling", "documents", "frequencies"]

function isBuckets(words: readonly string[], buckets: number): boolean {
  return words.length === buckets && words.every((word, bucket) => word === bucketName(bucket))
}

function isCounted({ documents, frequencies }: BagColumn["text"], words: number): boolean {
  const isCount = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0
  return (
    isCount(documents) &&
    Array.isArray(frequencies) &&
    frequencies.length === words &&
    frequencies.every(count => isCount(count) && count <= documents!)
  )
}

/** Writes a bag into row 0 of the block: a count for each word of the vocabulary. */
export function putBag(block: Block, place: number, drawn: Float64Array): void {
  const words = Int32Array.from(drawn.keys()).filter(w => drawn[w] > 0)
  const counts = Float64Array.from(words, w => drawn[w])
  ;(block.cells as Encoded[])[place] = bagsOf(Int32Array.of(0, words.length), words, counts)
}

/** For the laws: a few words out of six, some more than once. */
export function someWords(dice: Dice): string[] {
  const words = ["sun", "moon", "rain", "wind", "snow", "fog"]
  return Array.from({ length: 1 + dice.integer(5) }, () => words[dice.integer(words.length)])
}
