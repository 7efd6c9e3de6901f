/** Options of families over bags of words, and their combinations. */
import { list, SufficeError, show } from "../errors.ts"
import type { Option, Table } from "../option-table.ts"
import { SCALINGS, type Scaling } from "../text/scaling.ts"
import { MOST_WORDS } from "../text/word-table.ts"
import type { BagOptions, ScaledBagOptions } from "./bag.ts"

/** `advice` follows the invalid value in a message. */
function bagOption<T>(fallback: T, isValid: (value: never) => boolean, advice: string): Option<T> {
  return {
    fallback,
    read(family, option, value) {
      if (isValid(value as never)) return value as T
      throw new SufficeError("option", `${family}: ${option} is ${show(value)}. ${advice}`, {
        family,
        option,
        value,
      })
    },
  }
}

/** How words are found. */
export const BAG = {
  lowercase: bagOption(
    true,
    (value: unknown) => typeof value === "boolean",
    "It says whether text is lower-cased, so it must be true or false. Leave it out for true.",
  ),
  ngrams: bagOption<number | undefined>(
    undefined,
    (value: number) => isWhole(value, 1, 100),
    "It says how many neighbouring words are a word together, from 1 to 100. Give 2 for pairs, or leave it out for single words.",
  ),
  stopWords: bagOption<readonly string[] | undefined>(
    undefined,
    isWordList,
    'Stop words are a list of words. Write for example ["the", "of"], or take stopWords("english") of "suffice-files/text" as a list.',
  ),
  stem: bagOption<BagOptions["stem"]>(
    undefined,
    (value: { name: unknown; stem: unknown } | null) =>
      typeof value === "object" &&
      value !== null &&
      typeof value.name === "string" &&
      typeof value.stem === "function",
    'A stemmer has a name, which is saved, and a function. Write for example { name: "english", stem: stemmer("english") }, with stemmer from "suffice-files/text".',
  ),
  minDocuments: bagOption<number | undefined>(
    undefined,
    (value: number) => isWhole(value, 1),
    "It says in how many documents a word must stand, so it must be a whole number ≥ 1. Leave it out to keep rare words.",
  ),
  maxDocuments: bagOption<number | undefined>(
    undefined,
    (value: unknown) => typeof value === "number" && value > 0 && value <= 1,
    "It is the share of the documents that a word may stand in, above 0 and at most 1. Write for example 0.5, or leave it out to keep frequent words.",
  ),
  maxWords: bagOption<number | undefined>(
    undefined,
    (value: number) => isWhole(value, 1),
    "It says how many words are kept, so it must be a whole number ≥ 1. Leave it out to keep all.",
  ),
  hash: bagOption<number | undefined>(
    undefined,
    (value: number) => isWhole(value, 1, MOST_WORDS),
    `It is a number of buckets, from 1 to ${MOST_WORDS}. Write for example 262144, or leave it out to tell all words apart.`,
  ),
  words: bagOption<readonly string[] | undefined>(
    undefined,
    (value: readonly string[]) =>
      isWordList(value) && value.length > 0 && new Set(value).size === value.length,
    "A vocabulary is a list of different words. Leave it out to take the words of the data.",
  ),
} satisfies Table<BagOptions>

export const scaling = bagOption<Scaling | undefined>(
  undefined,
  (value: never) => SCALINGS.includes(value),
  `It says what a count weighs: ${list(SCALINGS)}. Leave it out to let the learner choose.`,
)

function isWhole(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
}

function isWordList(value: unknown): boolean {
  return Array.isArray(value) && value.every(word => typeof word === "string")
}

const LIMITS: readonly (keyof BagOptions)[] = ["minDocuments", "maxDocuments", "maxWords"]

/** Throws if options exclude each other. */
export function checkTogether(family: string, options: ScaledBagOptions): void {
  const limit = LIMITS.find(name => options[name] !== undefined)
  if (options.hash !== undefined) {
    const other = options.words === undefined ? limit : "words"
    if (other !== undefined)
      throw together(family, "hash", other, "Buckets take every word, so no words are chosen.")
  }
  if (options.words !== undefined && limit !== undefined)
    throw together(family, "words", limit, "The vocabulary is given, so no words are chosen.")
}

function together(family: string, option: string, other: string, why: string): SufficeError {
  return new SufficeError(
    "option",
    `${family}: ${option} and ${other} are both given. ${why} Leave one of them out.`,
    { family, option, other },
  )
}
