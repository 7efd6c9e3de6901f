/**
 * What a command works on: rows of a file, sequences of steps, or rows that stay on Spark. Each command stands once and asks a subject
 * for what differs. A subject is loaded when it is asked.
 */
import type { DataPaths } from "./data.ts"
import type { LooseFitted } from "./loose.ts"
import type { Measured, MeasureOptions } from "./measured.ts"
import type { Predictions, PredictOptions } from "./predictions.ts"
import type { FittingOptions } from "./rows/prepare.ts"
import { stepsColumn } from "./sequences/model.ts"
import { isOfSteps, refuseSequences, refuseStates, type SequenceOptions } from "./sequences/options.ts"
import type { Task } from "./task.ts"
import type { Session } from "./terminal/session.ts"

/** Rows that stay on a cluster. */
export interface EngineChoice {
  readonly engine?: string
  readonly node?: string
}

/** Data for a fitted model, and how it is read. */
export interface Asked<Options> {
  readonly session: Session
  readonly fitted: LooseFitted
  readonly paths: DataPaths
  readonly options: Options
}

/** Options of `fit`. */
export interface FitOptions extends FittingOptions, Omit<SequenceOptions, "format">, EngineChoice {
  readonly checkpoint?: string
  readonly output?: string
  readonly report?: string
}

/** Data to learn from. */
export interface ToLearn {
  readonly session: Session
  readonly paths: DataPaths
  readonly options: FitOptions
}

/** A task whose data is open. */
export interface OpenTask {
  readonly task: Task
  /** Members of the answer: the data, and the cluster. */
  readonly where: object
  /** " on Spark 4.0.0"; empty if the rows are here. */
  readonly place: string
  /** A sentence with the commands for the saved model. */
  howToUse(output: string): string
  close(): Promise<void>
}

export interface Subject {
  /** Throw where options of `fit` have no meaning for it. */
  check(options: FitOptions): void | Promise<void>
  open(given: ToLearn): Promise<OpenTask>
  /** The model on rows whose truth is known. */
  measure(asked: Asked<MeasureOptions>): Promise<Measured>
  /** An answer for each row; to be closed. */
  predict(asked: Asked<PredictOptions>): Promise<Predictions>
}

const ROWS: Subject = {
  check: refuseStates,
  open: async given => (await import("./rows/open.ts")).openRows(given),
  measure: async asked => (await import("./rows/measure.ts")).measureRows(asked),
  predict: async asked => (await import("./rows/predict.ts")).predictRows(asked),
}
const SEQUENCES: Subject = {
  check: async options => (await import("./sequences/open.ts")).checkFit(options),
  open: async given => (await import("./sequences/open.ts")).openSequences(given),
  measure: async asked => (await import("./sequences/measure.ts")).measureSequences(asked),
  predict: async asked => (await import("./sequences/predict.ts")).predictSequences(asked),
}
const SPARK: Subject = {
  check: async options => (await import("./spark/task.ts")).checkFit(options),
  open: async given => (await import("./spark/task.ts")).openOnSpark(given),
  measure: async asked => (await import("./spark/measure.ts")).measureOnSpark(asked),
  predict: async asked => (await import("./spark/predict.ts")).predictOnSpark(asked),
}

/** The subject that options and file names say. */
export function subjectToLearn(options: FitOptions, paths: DataPaths): Subject {
  if (options.engine !== undefined) return SPARK
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
