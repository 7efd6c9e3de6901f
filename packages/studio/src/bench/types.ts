/** What the page and its worker say to each other, as data. */
import type { Preset } from "suffice"
import type { Evaluation, NumberEvaluation, Verdict } from "suffice/measure"
import type { ChoiceAnswer, LearnedAnswer, PictureAnswer, Telling } from "suffice-cli/browser"
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
  readonly holdout: number
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
  /** Which column the page would take for the label. */
  readonly guess: string | undefined
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
}

/** A model of the gallery. */
export interface Offer {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly spec: Spec | undefined
  readonly preset: Preset | undefined
  /** Of the command. */
  readonly flags: string
}

export type ModelChoice =
  | { readonly kind: "auto" }
  | {
      readonly kind: "named"
      readonly id: string
      readonly title: string
      readonly preset: Preset
      readonly spec: Spec
    }
  | { readonly kind: "tree"; readonly title: string; readonly spec: Spec }

export interface LearnerChoice {
  /** best: what fits best is chosen. */
  readonly learner: "best" | "em" | "online-em" | "sdem"
  readonly loss?: "ncll" | "hinge"
  readonly epochs?: number
  readonly restarts?: number
}

export type News =
  | {
      readonly kind: "step"
      readonly iteration: number
      readonly run: number
      readonly objective: number
      readonly of?: number
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
  readonly flags: string
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
  readonly telling: readonly Telling[]
  readonly learned: LearnedAnswer | undefined
  readonly plane: (PictureAnswer & { readonly names: readonly string[]; readonly how: string }) | undefined
  readonly columns: readonly ModelColumn[]
  readonly topics: readonly { readonly share: number; readonly words: readonly string[] }[]
}

/** A column that can be asked about. */
export interface ModelColumn {
  readonly name: string
  readonly kind: "number" | "count" | "level" | "text" | "other"
  readonly levels: readonly string[]
}

export interface Strange {
  readonly row: number
  readonly score: number
  readonly column: string
  readonly cell: string
  readonly cells: Readonly<Record<string, string>>
}

export interface Filled {
  readonly row: number
  readonly column: string
  readonly value: string
  readonly spread: number
  readonly isNumber: boolean
}

export interface RowView {
  readonly row: number
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
