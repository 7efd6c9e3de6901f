/** Requirements of a family for its columns (`Need`), and columns after the first pass (`Column`). */
import type { Level } from "./cells.ts"
import type { Reading } from "./door.ts"

/** Support of a numeric column: any number, x ≥ 0, x > 0, or 0 < x < 1. */
export type Support = "any" | "notNegative" | "positive" | "share"

/** Encoding of the cells of a family. */
export type Need =
  /** (x − shift)/scale, the scale per column or common to a leaf. With a support: x/mean, a share as it is; other values throw. */
  | { readonly kind: "number"; readonly scale: "own" | "common"; readonly support?: Support }
  /** A non-negative integer, not scaled. */
  | { readonly kind: "count" }
  /** A code. `binary`: booleans, or 0 and 1. `named`: `levels` are text, whatever the type of the cells. */
  | {
      readonly kind: "level"
      readonly levels?: readonly Level[]
      readonly binary?: boolean
      readonly named?: boolean
      /** Equal-frequency bins of numbers, or their cuts. */
      readonly bins?: number | readonly number[]
    }
  /** Word codes and counts. */
  | {
      readonly kind: "bag"
      readonly text: TextOptions
      readonly words?: readonly string[]
      readonly reading: Reading
    }
  /** Rows modelled by a body, with columns of their own. */
  | { readonly kind: "steps"; readonly uses: readonly Use[] }

/** One use of a column in the tree. */
export interface Use {
  readonly column: string
  readonly need: Need
  readonly measure: "density" | "mass"
  /** Columns of one group share their scale, if it is "common". */
  readonly group: string
  /** "read": conditioned on, not modelled. */
  readonly role: "cell" | "label" | "hidden" | "read"
  /** Columns it conditions on. Rows with a cell but without one of these throw. */
  readonly reads?: readonly string[]
}

/** Tokenisation of text, saved with the model. */
export interface TextOptions {
  readonly lowercase: boolean
  /** Longest n-grams (default 1). */
  readonly ngrams?: number
  /** Words dropped before n-grams are formed. */
  readonly stopWords?: readonly string[]
  /** Name of the stemmer. */
  readonly stem?: string
  /** Least document weight, largest document share, and number of the most frequent words to keep. */
  readonly minDocuments?: number
  readonly maxDocuments?: number
  readonly maxWords?: number
  /** Number of hash buckets: see text/hash.ts. */
  readonly hash?: number
  /** "seen": bags without a known word have every word absent. Undefined: they are missing. */
  readonly empty?: "seen"
  /** Scaling of counts. Undefined in a need: as the learner prefers. */
  readonly scaling?: "raw" | "log" | "l2" | "tfidf"
  /** For tfidf: weight of all training documents, and of those with each word. */
  readonly documents?: number
  readonly frequencies?: readonly number[]
}

/** Removes the ending of a word. */
export type Stem = (word: string) => string

/** A column after the first pass over the data. */
export type Column =
  | {
      readonly kind: "number"
      readonly name: string
      /** x = shift + scale·encoded */
      readonly shift: number
      readonly scale: number
      /** Pooled variance of the encoded values; 1 if all are equal. */
      readonly variance: number
      /** True if every cell is missing. */
      readonly empty?: true
      /** Undefined if the support is the whole line. */
      readonly within?: Within
    }
  | { readonly kind: "count"; readonly name: string; readonly mean: number }
  | {
      readonly kind: "level"
      readonly name: string
      readonly levels: readonly Level[]
      /** Bins of numbers: level l is from cut l − 1, inclusive, to cut l. */
      readonly cuts?: readonly number[]
      /** Soft labels of training rows, as shares of the levels; code −2 − n is the n-th. */
      readonly beliefs?: readonly (readonly number[])[]
    }
  | {
      readonly kind: "bag"
      readonly name: string
      readonly words: readonly string[]
      readonly text: TextOptions
    }
  /** `columns`: those of the steps. */
  | { readonly kind: "steps"; readonly name: string; readonly columns: readonly Column[] }

/** Restricted support, with pooled moments of the encoded values; of x = 1 (shares: ½) in an empty column. */
export interface Within {
  readonly support: Exclude<Support, "any">
  readonly mean: number
  /** Mean and variance of ln x, where x > 0; else 0. */
  readonly logMean: number
  readonly logVariance: number
  /** Mean of ln(1 − x) of shares; else 0. */
  readonly restLogMean: number
}

/** Summary of a column for `auto()`, in numbers of rows unless stated. */
export interface ColumnSummary {
  readonly name: string
  readonly rows: number
  readonly missing: number
  readonly numbers: number
  readonly integers: number
  readonly negatives: number
  /** The extremes of the numbers; ±Infinity if there are none. */
  readonly smallest: number
  readonly largest: number
  /** Mean and variance of the numbers; NaN if there are none. */
  readonly mean: number
  readonly variance: number
  readonly booleans: number
  readonly strings: number
  /** Strings that contain white space. */
  readonly texts: number
  /** Word lists and word counts. */
  readonly bags: number
  /** Distinct values; counting stops at a cap. */
  readonly distinct: number
}
