/** What the page and its worker say to each other, as data. */
import type { Evaluation, NumberEvaluation, Verdict } from "suffice/measure"
import type { Search } from "suffice/structure"
import type {
  ChainAnswer,
  ChoiceAnswer,
  LearnedAnswer,
  PathAnswer,
  PictureAnswer,
  Telling,
} from "suffice-cli/browser"
import type { As, ColumnReport } from "suffice-files/columns"

/** What the user has said of the data. */
export interface Settings {
  readonly as: Readonly<Record<string, As>>
  readonly label: string | undefined
  readonly weight: string | undefined
  /** The column that tells sequences apart; "" if all rows are one. */
  readonly sequence: string | undefined
  readonly missing: readonly string[]
  readonly seed: number
  /** The share of rows that quality is measured on. */
  readonly holdout: number
  /** So many parts, each predicted by what was learned from the others, instead of held-out rows; 0: none. */
  readonly folds: number
}

/** A small drawing of a column. */
export type Small =
  | {
      readonly kind: "histogram"
      readonly from: number
      readonly to: number
      readonly heights: readonly number[]
    }
  | {
      readonly kind: "levels"
      readonly bars: readonly { readonly name: string; readonly rows: number }[]
      readonly more: number
    }
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "none" }

export interface ColumnView extends Omit<ColumnReport, "parts"> {
  readonly small: Small
  /** Of a column that mostly holds numbers: the cells that are none, with their rows. */
  readonly odd: readonly { readonly row: number; readonly cell: string }[]
}

export interface TableView {
  readonly name: string
  readonly bytes: number
  readonly rows: number
  /** Rows that can be looked at. */
  readonly shown: number
  readonly columns: readonly ColumnView[]
  /** It has more cells than a page keeps: each pass reads the file again. */
  readonly isStreamed: boolean
  /** Which column the page would take for the label. */
  readonly guess: string | undefined
  /** Of steps: the label differs within a sequence, so that it is predicted for each step. */
  readonly isTag: boolean
  /** The label is measured: it has no levels. */
  readonly isNumber: boolean
}

export type Spec = {
  readonly kind: string
  readonly columns?: readonly string[]
  readonly column?: string
  readonly family?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly components?: number
  readonly states?: number
  readonly name?: string
  readonly parts?: readonly Spec[]
  readonly bodies?: readonly Spec[]
  readonly body?: Spec
  readonly prior?: number
  readonly nodes?: readonly NodeSpec[]
  /** Of a chain: the column of the steps that is its state. */
  readonly state?: string
  /** Of a part of a window: the columns it looks at. */
  readonly of?: string | readonly string[]
}

/** A column of a network. */
export interface NodeSpec {
  readonly name: string
  readonly parents: readonly string[]
  readonly family?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly hidden?: number
  readonly prior?: number
}

/** What the command calls a model. */
export interface ModelFlags {
  readonly model: string
  readonly components?: number
  readonly by?: readonly string[]
  readonly states?: number
}

/** A model of the gallery. */
export interface Offer {
  readonly id: string
  readonly title: string
  readonly about: string
  /** Absent: it is found in the rows when it is chosen. */
  readonly spec?: Spec
  readonly find?: Search
  /** Absent: the command reads it from a file. */
  readonly flags?: ModelFlags
  /** By column, the levels that are kept: all others are pooled. */
  readonly pooled?: Readonly<Record<string, readonly string[]>>
}

export type ModelChoice =
  | { readonly kind: "auto" }
  | {
      readonly kind: "named"
      readonly id: string
      readonly title: string
      readonly flags: ModelFlags
      readonly spec: Spec
      readonly pooled?: Readonly<Record<string, readonly string[]>>
    }
  | { readonly kind: "tree"; readonly title: string; readonly spec: Spec; readonly found?: Found }

/** A network that was found in the rows. */
export interface Found {
  readonly search: Search
  readonly edges: readonly { readonly from: string; readonly to: string; readonly isReversible: boolean }[]
  readonly notes: readonly string[]
}

export interface LearnerChoice {
  /** best: what fits best is chosen. */
  readonly learner: "best" | "em" | "bayes" | "online-em" | "sdem"
  readonly loss?: "ncll" | "hinge"
  readonly epochs?: number
  readonly restarts?: number
}

export type News =
  | {
      /** Steps since the last news; of another run or stage, a curve of its own. */
      readonly kind: "steps"
      readonly steps: readonly {
        readonly iteration: number
        readonly run: number
        readonly objective: number
      }[]
    }
  | { readonly kind: "said"; readonly text: string }

/** A run of the leaderboard. */
export interface RunView {
  readonly id: number
  readonly title: string
  readonly by: string
  readonly seconds: number
  readonly rows: number
  readonly measured: number
  readonly free: number
  readonly target: string | undefined
  readonly kind: "levels" | "number" | "none"
  readonly accuracy?: number
  readonly accuracyInterval?: readonly [number, number]
  readonly logLoss?: number
  readonly logLossInterval?: readonly [number, number]
  readonly rmse?: number
  /** Without a label: per row. */
  readonly logLikelihood?: number
  readonly bic?: number
  /** After bayes: ln p(rows), the parameters integrated out, or its bound. */
  readonly evidence?: number
  readonly command: string
  /** The same in TypeScript; empty for a model that was opened. */
  readonly code: string
  readonly trace: readonly number[]
  readonly choice?: ChoiceAnswer
  readonly verdict?: string
  readonly notes: readonly string[]
  readonly spec: Spec
}

export interface Gap {
  readonly id: number
  readonly difference: number
  readonly interval: readonly [number, number]
}

export interface Board {
  readonly best: number | undefined
  /** What is compared, and in what. */
  readonly measure: string
  readonly gaps: readonly Gap[]
  readonly sentence: string
}

export interface Understanding {
  readonly run: number
  readonly target: string | undefined
  readonly levels: readonly string[]
  readonly evaluation: Evaluation | NumberEvaluation | undefined
  readonly verdict: Verdict | undefined
  readonly on: string
  readonly rows: number
  /** Rows are numbered as in the file; otherwise among those that are looked at. */
  readonly isPlaced: boolean
  /** Rows can be put into groups that nobody named. */
  readonly hasGroups: boolean
  readonly telling: readonly Telling[]
  readonly learned: LearnedAnswer | undefined
  readonly plane: (PictureAnswer & { readonly names: readonly string[]; readonly how: string }) | undefined
  readonly columns: readonly ModelColumn[]
  readonly topics: readonly { readonly share: number; readonly words: readonly string[] }[]
  /** Of sequences: what the states are, and a path over one of them. */
  readonly chains: readonly ChainAnswer[]
  readonly path: PathAnswer | undefined
  /** The columns of a network with levels, with their parents. */
  readonly network: readonly NetworkColumn[] | undefined
}

export interface NetworkColumn {
  readonly name: string
  readonly parents: readonly string[]
  /** Absent: a number. */
  readonly levels?: readonly string[]
}

/** What is seen and what is set from outside, of the columns of a network. */
export interface Evidence {
  readonly seen: Readonly<Record<string, string>>
  readonly done: Readonly<Record<string, string>>
}

/** A column that can be asked about. */
export interface ModelColumn {
  readonly name: string
  readonly kind: "number" | "count" | "level" | "text" | "other"
  readonly levels: readonly string[]
}

export interface Strange {
  readonly row: number
  /** Where it stands in the file. */
  readonly at: number
  readonly score: number
  readonly column: string
  readonly cell: string
}

export interface Filled {
  readonly row: number
  readonly at: number
  readonly column: string
  readonly value: string
  readonly spread: number
  readonly isNumber: boolean
}

export interface RowView {
  readonly row: number
  /** Where it stands in the file. */
  readonly at: number
  readonly cells: Readonly<Record<string, string | number | boolean | null>>
}

export interface Answer {
  readonly levels: readonly string[]
  readonly probabilities: readonly number[]
  /** Of a number. */
  readonly value?: number
  readonly interval?: readonly [number, number]
}

export interface Waterfall {
  readonly level: string
  readonly against: string
  readonly prior: number
  readonly logOdds: number
  readonly terms: readonly { readonly name: string; readonly value: string; readonly contribution: number }[]
}
