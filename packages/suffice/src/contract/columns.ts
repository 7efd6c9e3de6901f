/** What a family needs of a column (`Need`), and the column as the first pass over the data leaves it (`Column`). */
import type { Level } from "./cells.ts"
import type { Reading } from "./door.ts"

/** The set of values of a numeric column: any number, x ≥ 0, x > 0, or 0 < x < 1. Each contains the next. */
export type Support = "any" | "notNegative" | "positive" | "share"

/** How a family needs its cells encoded. */
export type Need =
  /**
   * A real number, encoded as (x − shift)/scale. "own": each column has its own scale; "common": the columns of a leaf share one.
   * With a support, values outside are refused and nothing is shifted: encoded as x/mean, and a share as it is.
   */
  | { readonly kind: "number"; readonly scale: "own" | "common"; readonly support?: Support }
  /** A non-negative integer, encoded as it is. */
  | { readonly kind: "count" }
  /** One of finitely many levels, encoded as a code. "binary": booleans, or 0 and 1. "named": `levels` are given as text, whatever the type of the cells. */
  | {
      readonly kind: "level"
      readonly levels?: readonly Level[]
      readonly binary?: boolean
      readonly named?: boolean
      /** The cells are numbers. Levels are the intervals between so many quantiles of theirs, or between these cuts. */
      readonly bins?: number | readonly number[]
    }
  /** A bag of words, encoded as word codes and counts. */
  | {
      readonly kind: "bag"
      readonly text: TextOptions
      readonly words?: readonly string[]
      readonly reading: Reading
    }
  /** A list of rows that a body models: these columns exist only inside it. */
  | { readonly kind: "steps"; readonly uses: readonly Use[] }

/** A column as one place in the tree uses it. */
export interface Use {
  readonly column: string
  readonly need: Need
  readonly measure: "density" | "mass"
  /** Columns of one group share their scale, if the need says "common". */
  readonly group: string
  /** "read": other columns are modelled given this one, which is not modelled itself. */
  readonly role: "cell" | "label" | "hidden" | "read"
  /** The columns it is modelled given. The leaf refuses a row in which the cell is seen and one of these is missing. */
  readonly reads?: readonly string[]
}

/** How text becomes words. The choices are saved with the model. */
export interface TextOptions {
  readonly lowercase: boolean
  /** Sequences of up to this many consecutive words are words too; absent: 1. */
  readonly ngrams?: number
  /** Words that are dropped before sequences are formed. */
  readonly stopWords?: readonly string[]
  /** The name of the stemmer; the function itself is not data. */
  readonly stem?: string
  /** Keep words that occur in at least this weight of training documents, in at most this share of them, and only the most frequent `maxWords`. */
  readonly minDocuments?: number
  readonly maxDocuments?: number
  readonly maxWords?: number
  /** Number of buckets that replace words: see text/hash.ts. */
  readonly hash?: number
  /** "seen": a bag without a known word is seen, and every word absent. Otherwise it is missing. */
  readonly empty?: "seen"
  /** How counts are scaled; absent in a need: as the learner prefers. */
  readonly scaling?: "raw" | "log" | "l2" | "tfidf"
  /** For tfidf: the weight of all training documents, and of those that contain each word. */
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
      /** The pooled variance of the encoded values; 1 if they are all equal. */
      readonly variance: number
      /** Every cell is missing. */
      readonly empty?: true
      /** Absent: the support is the whole line. */
      readonly within?: Within
    }
  | { readonly kind: "count"; readonly name: string; readonly mean: number }
  | {
      readonly kind: "level"
      readonly name: string
      readonly levels: readonly Level[]
      /** The cells are numbers: level l is from cut l − 1, inclusive, to cut l. */
      readonly cuts?: readonly number[]
      /** While it is learned from: the beliefs that stand in its cells instead of a level, as shares of the levels. The code −2 − n is the n-th. */
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

/** A support other than the whole line, and the pooled moments of the encoded values; those of x = 1 in an empty column, of ½ if it holds shares. */
export interface Within {
  readonly support: Exclude<Support, "any">
  readonly mean: number
  /** Mean and variance of ln x, where x > 0; else 0. */
  readonly logMean: number
  readonly logVariance: number
  /** Mean of ln(1 − x) of shares; else 0. */
  readonly restLogMean: number
}

/** What `auto()` saw of one column, in numbers of rows unless stated. */
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
