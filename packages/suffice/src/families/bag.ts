/** What the families over bags of words share: their options and what they ask of the door. */
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
import { checkOptions } from "./bag-options.ts"

export interface BagOptions {
  /** Whether text is lower-cased when it is cut into words. */
  readonly lowercase?: boolean
  /** Runs of up to this many neighbouring words, joined by a space, are words too. Of text and of lists; 1 unless it is given. */
  readonly ngrams?: number
  /** Words to drop, before runs are made. */
  readonly stopWords?: readonly string[]
  /** Cuts the endings of words. A saved model holds the name only: load(json, { stemmers: { [name]: stem } }) hands the function back. */
  readonly stem?: { readonly name: string; readonly stem: Stem }
  /** Only words that stand in at least this many documents of the training rows. */
  readonly minDocuments?: number
  /** Only words that stand in at most this share of them. */
  readonly maxDocuments?: number
  /** Only this many words: those in most documents, of equals the first in code order. */
  readonly maxWords?: number
  /** This many buckets in place of words, "#0", "#1" …: for vocabularies without end. Words that share a bucket are one. */
  readonly hash?: number
  /** The vocabulary, where the data should not decide it. Other words are ignored. */
  readonly words?: readonly string[]
}

export interface ScaledBagOptions extends BagOptions {
  /** What a count weighs: see scaling.ts. Without it: raw for generative learners, tfidf for discriminative ones. */
  readonly scaling?: Scaling
}

/** What says how words are found. */
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

/** The names of the options, for kinds. */
export const BAG_OPTIONS = [...FOUND, "words"] as const
const TEXT = [...FOUND, "empty"] as const

export type BagColumn = Extract<Column, { kind: "bag" }>
type BagNeed = Extract<Need, { kind: "bag" }>

/** What a family over bags of words asks of the door. `isEmptySeen`: they are evidence. */
export function bagNeed(family: string, options: ScaledBagOptions, isEmptySeen = false): BagNeed {
  const { lowercase = true, scaling, ngrams, stopWords, stem, words } = options
  const { minDocuments, maxDocuments, maxWords, hash } = options
  checkOptions(family, options)
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

/** Options from a file: the function of a stemmer is put in the place of its name. */
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

/** The options as saving writes them down. */
export function bagOptions({ text, words }: BagNeed): Description {
  const { lowercase, scaling, ...others } = text
  return { lowercase, ...(scaling !== undefined && { scaling }), ...(words && { words }), ...others }
}

/** The column as a family over bags needs it. Only a model file that was changed by hand can hold another. */
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

/** Row 0 of the block gets this bag: a count for each word of the vocabulary. */
export function putBag(block: Block, place: number, drawn: Float64Array): void {
  const words = Int32Array.from(drawn.keys()).filter(w => drawn[w] > 0)
  const counts = Float64Array.from(words, w => drawn[w])
  ;(block.cells as Encoded[])[place] = bagsOf(Int32Array.of(0, words.length), words, counts)
}

/** A few words out of six, some more than once: for the laws. */
export function someWords(dice: Dice): string[] {
  const words = ["sun", "moon", "rain", "wind", "snow", "fog"]
  return Array.from({ length: 1 + dice.integer(5) }, () => words[dice.integer(words.length)])
}
