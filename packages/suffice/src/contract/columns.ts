/** What a family asks of a column (`Need`), and the column as the first pass over the data leaves it (`Column`). */
import type { Level } from "./cells.ts"
import type { Reading } from "./door.ts"

/** Where the numbers of a column live: everywhere, at x ≥ 0, at x > 0, or at 0 < x < 1. Each lies within the one before it. */
export type Support = "any" | "notNegative" | "positive" | "share"

/** What a family asks the door to make of a cell. */
export type Need =
  /**
   * A real number, held as (x − shift)/scale. "own": each column by its own spread; "common": one scale for the leaf's columns. With a
   * support, cells elsewhere are refused, and nothing is shifted: held as x/scale, scale being the mean, and a share as it is.
   */
  | { readonly kind: "number"; readonly scale: "own" | "common"; readonly support?: Support }
  /** A non-negative integer, held as it is. */
  | { readonly kind: "count" }
  /** One of finitely many levels, held as a code. "binary": booleans, or 0 and 1. "named": the levels are given as text, whatever the type of the cells. */
  | {
      readonly kind: "level"
      readonly levels?: readonly Level[]
      readonly binary?: boolean
      readonly named?: boolean
    }
  /** A bag of words, held as word codes and counts. */
  | {
      readonly kind: "bag"
      readonly text: TextOptions
      readonly words?: readonly string[]
      readonly reading: Reading
    }
  /** A list of rows that a body models: its own columns, none of which stands outside. */
  | { readonly kind: "steps"; readonly uses: readonly Use[] }

/** How text becomes words. The choices travel with the model. */
export interface TextOptions {
  readonly lowercase: boolean
  /** Runs of up to so many neighbouring words are words too; absent: 1. */
  readonly ngrams?: number
  /** Words that are dropped before anything is made of them. */
  readonly stopWords?: readonly string[]
  /** The name of the stemmer: the function itself is no data. */
  readonly stem?: string
  /** Only words that stand in at least so many documents of the training rows, by weight, in at most this share of them, and so many of the most frequent. */
  readonly minDocuments?: number
  readonly maxDocuments?: number
  readonly maxWords?: number
  /** Buckets in place of words: see text/hash.ts. */
  readonly hash?: number
  /** A bag without a known word is seen: all of them are absent. Else it is missing. */
  readonly empty?: "seen"
  /** What a count weighs; absent in a need: as the learner likes it. */
  readonly scaling?: "raw" | "log" | "l2" | "tfidf"
  /** tfidf: the documents of the training rows, and in how many of them each word stands; both by weight. */
  readonly documents?: number
  readonly frequencies?: readonly number[]
}

/** Cuts the ending of a word. */
export type Stem = (word: string) => string

/**
 * A column after the first pass over the data. Numbers: x = shift + scale·held; `variance` is the pooled variance of the held values, 1 where
 * they do not differ; `empty`: no row holds one; `within`: where they live, unless that is everywhere.
 */
export type Column =
  | {
      readonly kind: "number"
      readonly name: string
      readonly shift: number
      readonly scale: number
      readonly variance: number
      readonly empty?: true
      readonly within?: Within
    }
  | { readonly kind: "count"; readonly name: string; readonly mean: number }
  | { readonly kind: "level"; readonly name: string; readonly levels: readonly Level[] }
  | {
      readonly kind: "bag"
      readonly name: string
      readonly words: readonly string[]
      readonly text: TextOptions
    }
  /** The columns of the steps. */
  | { readonly kind: "steps"; readonly name: string; readonly columns: readonly Column[] }

/** A support other than the whole line, and the pooled moments of what is held there; of an empty column they are those of 1, of a share ½. */
export interface Within {
  readonly support: Exclude<Support, "any">
  readonly mean: number
  /** Of ln x, where x > 0; else 0. */
  readonly logMean: number
  readonly logVariance: number
  /** Of ln(1 − x), of shares; else 0. */
  readonly restLogMean: number
}

/**
 * A column as one place of the tree uses it. Columns with the same `group` share their scale, where the need says so.
 * "read": nothing models the column, something is modelled given it.
 */
export interface Use {
  readonly column: string
  readonly need: Need
  readonly measure: "density" | "mass"
  readonly group: string
  readonly role: "cell" | "label" | "hidden" | "read"
  /** The columns it is modelled given: where the cell is seen, so must they be, or the leaf refuses the row. */
  readonly reads?: readonly string[]
}
