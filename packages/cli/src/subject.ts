/**
 * The subject of a command: rows of a file, sequences of steps, or rows that stay on Spark. Each command exists once and calls a
 * subject for the parts that differ. The files of a subject are loaded when they are called.
 */
import type { Columns } from "suffice"
import type { Card, DataAnswer } from "./answers.ts"
import type { ChoiceAnswer } from "./choosing.ts"
import type { Contestant } from "./contestants.ts"
import type { DataOptions, DataPaths } from "./data.ts"
import type { ChosenDates } from "./dates.ts"
import type { Grouping, GroupOptions } from "./grouping.ts"
import type { LooseFitted, LooseModel } from "./loose.ts"
import type { Measured, MeasureOptions } from "./measured.ts"
import type { Given, Open, Query } from "./opened.ts"
import type { Predictions, PredictOptions } from "./predictions.ts"
import type { FittingOptions } from "./rows/prepare.ts"
import { stepsColumn } from "./sequences/model.ts"
import { isOfSteps, refuseSequences, refuseStates, type SequenceOptions } from "./sequences/options.ts"
import type { Task } from "./task.ts"
import type { TextChoice } from "./text.ts"

/** Rows that stay on a cluster. */
export interface EngineChoice {
  readonly engine?: string
  readonly node?: string
}

/** Options of `fit`. */
export interface FitOptions extends FittingOptions, Omit<SequenceOptions, "format">, EngineChoice {
  readonly checkpoint?: string
  readonly output?: string
  readonly report?: string
}

/** A task, and where its rows are. */
export interface OpenTask {
  readonly task: Task
  /** Members of the answer: the data, and the cluster. */
  readonly where: object
  /** " on Spark 4.0.0"; empty if the rows are here. */
  readonly place: string
  /** A sentence with the commands for the saved model. */
  howToUse(output: string): string
}

export interface Subject {
  /** Throw where options of `fit` have no meaning for it. */
  check(options: FitOptions): void | Promise<void>
  open(given: Given<FitOptions>): Promise<Open<OpenTask>>
  /** The model on rows whose truth is known. */
  measure(query: Query<MeasureOptions>): Promise<Measured>
  /** An answer for each row; to be closed. */
  predict(query: Query<PredictOptions>): Promise<Open<Predictions>>
}

/** The number of folds of `compare`, if no option says. */
export const FOLDS = 5

/** Options of `compare`. */
export interface CompareOptions extends DataOptions, TextChoice, Omit<SequenceOptions, "format"> {
  readonly text?: readonly string[]
  readonly model?: string
  readonly components?: number
  readonly folds?: number
  readonly rows?: number
  readonly curve: boolean
  readonly report?: string
  readonly seed?: number
}

/** The model whose ways of learning are compared. */
export interface Contender {
  readonly name: string
  /** Undefined for a number, which is learned in one way. */
  readonly model?: LooseModel
  /** Undefined if the options name the model. */
  readonly choice?: ChoiceAnswer
}

/** The rows on which ways to learn are compared, and those that take part. */
export interface Contest {
  readonly data: DataAnswer
  readonly text: string
  readonly brief: boolean
  readonly remarks: readonly string[]
  readonly columns: Columns
  readonly label: string
  readonly contestants: readonly Contestant[]
  readonly hasCurve: boolean
  readonly facts: Card["facts"]
  readonly rows: number
  readonly dates?: ChosenDates["tried"]
  contender(): Promise<Contender>
}

/** A subject whose rows are on this machine. */
export interface SubjectHere extends Subject {
  contest(given: Given<CompareOptions>): Promise<Open<Contest>>
  grouping(given: Given<GroupOptions>): Promise<Open<Grouping>>
}

const ROWS: SubjectHere = {
  contest: async given => (await import("./rows/contest.ts")).openContest(given),
  grouping: async given => (await import("./rows/groups.ts")).openGrouping(given),
  check: refuseStates,
  open: async given => (await import("./rows/open.ts")).openRows(given),
  measure: async query => (await import("./rows/measure.ts")).measureRows(query),
  predict: async query => (await import("./rows/predict.ts")).predictRows(query),
}
const SEQUENCES: SubjectHere = {
  contest: async given => (await import("./sequences/contest.ts")).openContest(given),
  grouping: async given => (await import("./sequences/groups.ts")).openGrouping(given),
  check: async options => (await import("./sequences/open.ts")).checkFit(options),
  open: async given => (await import("./sequences/open.ts")).openSequences(given),
  measure: async query => (await import("./sequences/measure.ts")).measureSequences(query),
  predict: async query => (await import("./sequences/predict.ts")).predictSequences(query),
}
const SPARK: Subject = {
  check: async options => (await import("./spark/task.ts")).checkFit(options),
  open: async given => (await import("./spark/task.ts")).openOnSpark(given),
  measure: async query => (await import("./spark/measure.ts")).measureOnSpark(query),
  predict: async query => (await import("./spark/predict.ts")).predictOnSpark(query),
}

/** The subject of the options and file names. */
export function subjectToLearn(options: FitOptions, paths: DataPaths): Subject {
  return options.engine === undefined ? subjectHere(options, paths) : SPARK
}

export function subjectHere(options: SequenceOptions, paths: DataPaths): SubjectHere {
  return isOfSteps(options, paths) ? SEQUENCES : ROWS
}

/** The subject of a fitted model. */
export function subjectOf(
  { model }: LooseFitted,
  options: EngineChoice & SequenceOptions & { readonly path?: boolean; readonly past?: boolean },
): Subject {
  if (options.engine !== undefined) return SPARK
  if (stepsColumn(model) !== undefined) return SEQUENCES
  refuseSequences(options)
  return ROWS
}
