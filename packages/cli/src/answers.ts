/** What the commands answer, as data: printed for people, written as JSON, drawn in reports. */
import type { Evaluation, Interval, NumberEvaluation, StepEvaluation } from "suffice/measure"
import type { ChoiceAnswer } from "./choosing.ts"
import type { LearnedAnswer } from "./learned/answer.ts"
import type { PathAnswer } from "./sequences/path.ts"
import type { ChainAnswer } from "./sequences/states.ts"
import type { Telling } from "./telling.ts"
import type { StageAnswer, TrainingAnswer } from "./training.ts"

/** One column of the data as it was read. */
export interface ColumnAnswer {
  readonly name: string
  readonly kind: string
  /** Its family in the model; undefined if it was left out. */
  readonly family?: string
  readonly role?: "label" | "cell" | "left out"
  /** The share of cells that are missing. */
  readonly missing: number
  /** The number of levels or distinct values, if they were counted. */
  readonly levels?: number
  /** It is a part of this column of dates. */
  readonly of?: string
  readonly note?: string
}

export interface DataAnswer {
  readonly name: string
  readonly rows: number
  readonly columns: readonly ColumnAnswer[]
}

/** A Bayesian network: its columns with their parents, and its arrows. */
export interface NetworkAnswer {
  readonly nodes: readonly { readonly name: string; readonly parents: readonly string[] }[]
  /** The arrows are those of the model that was learned: nobody asked what the rows say of their directions. */
  readonly isGiven?: boolean
  readonly arrows: readonly {
    readonly from: string
    readonly to: string
    /** The rows do not tell its direction. */
    readonly isReversible: boolean
    /** In how many bootstrap samples it was found, and of these how often this way. */
    readonly strength?: number
    readonly direction?: number
  }[]
}

/** How good the model is, and on which rows that was measured. */
export interface QualityAnswer {
  readonly on: "held-out rows" | "test file" | "table" | "training rows"
  /** Those that were measured on: steps, if each step has an answer. */
  readonly rows: number
  /** Of steps: in how many sequences they are. */
  readonly sequences?: number
  /** What a row is called: "row" unless it says something else. */
  readonly unit?: string
  readonly evaluation: (Evaluation & Partial<Pick<StepEvaluation, "sequences" | "spans">>) | NumberEvaluation
}

/** One way of learning, cross-validated. */
export interface ContestantAnswer {
  readonly name: string
  readonly kind: "generative" | "discriminative"
  /** Why it could not take part; then it has no numbers. */
  readonly refused?: string
  readonly accuracy: number
  readonly accuracyStandardError: number
  /** Absent for a model that gives no probabilities. */
  readonly logLoss?: number
  readonly logLossStandardError?: number
  /** `c`: for the references, chosen by cross-validation on the training rows of the fold. */
  readonly folds: readonly { readonly accuracy: number; readonly logLoss?: number; readonly c?: number }[]
  /** How the learning of the first fold went, of those that climb an objective. */
  readonly stages?: readonly StageAnswer[]
  readonly seconds: number
  readonly curve: readonly {
    readonly rows: number
    readonly accuracy: number
    readonly standardError: number
  }[]
}

export interface CompareAnswer {
  readonly label: string
  readonly folds: number
  readonly contestants: readonly ContestantAnswer[]
  readonly best: string
  /** The best compared with every other: mean difference in accuracy over the same folds, and its interval. */
  readonly differences: readonly {
    readonly against: string
    readonly difference: number
    readonly interval: Interval
  }[]
  readonly recommendation: string
}

/** By information criteria, or by evidence: ln p(rows), the parameters integrated out. */
export type CandidateAnswer = { readonly k: number } & (
  | { readonly aic: number; readonly bic: number; readonly icl: number }
  | { readonly evidence: number }
)

/** What decides, the lower the better: −2 ln p(rows) is on the scale of BIC. */
export function decidingValue(one: CandidateAnswer, criterion: string): number {
  return "evidence" in one ? -2 * one.evidence : one[criterion as "aic" | "bic" | "icl"]
}

/** How a criterion is called where it decides. */
export function decidingName(criterion: string): string {
  return criterion === "evidence" ? "−2 ln evidence" : criterion.toUpperCase()
}

/** One component of a mixture, for people. */
export interface ComponentAnswer {
  readonly name: string
  readonly share: number
  readonly parts: readonly { readonly column: string; readonly summary: string }[]
}

export interface PictureAnswer {
  readonly x: string
  readonly y: string
  readonly points: readonly { readonly x: number; readonly y: number; readonly group: number }[]
  readonly outlines: readonly {
    readonly group: number
    readonly points: readonly { readonly x: number; readonly y: number }[]
  }[]
}

/** What a model rests on. */
export interface BasisAnswer {
  /** Rows it has learned from, and what it has learned from them. */
  readonly rows: number
  /** What they are called, if not rows. */
  readonly unit?: string
  readonly free: number
  /** Are its probabilities corrected by rows it has not learned from? Absent for a model without a label. */
  readonly calibrated?: boolean
}

/** A model card: what a report shows, as far as the command knows it. */
export interface Card {
  readonly title: string
  readonly lead: string
  readonly command: string
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly warnings: readonly string[]
  readonly data?: DataAnswer
  readonly choice?: ChoiceAnswer
  readonly quality?: QualityAnswer
  readonly telling?: readonly Telling[]
  readonly compare?: CompareAnswer
  readonly candidates?: {
    readonly criterion: string
    readonly chosen: number
    readonly each: readonly CandidateAnswer[]
  }
  readonly components?: {
    readonly title: string
    readonly each: readonly ComponentAnswer[]
    readonly picture?: PictureAnswer
  }
  readonly network?: NetworkAnswer
  readonly learned?: LearnedAnswer
  /** The states of sequences, and a path over one of them. */
  readonly chains?: readonly ChainAnswer[]
  readonly path?: PathAnswer
  readonly basis?: BasisAnswer
  readonly training?: TrainingAnswer
}
