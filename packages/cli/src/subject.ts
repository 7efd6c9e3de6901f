/**
 * What a command works on: rows of a file, sequences of steps, or rows that stay on Spark. Each command stands once and asks a subject
 * for what differs. A subject is loaded when it is asked.
 */
import type { DataPaths } from "./data.ts"
import type { LooseFitted } from "./loose.ts"
import type { Measured, MeasureOptions } from "./measured.ts"
import type { Predictions, PredictOptions } from "./predictions.ts"
import { stepsColumn } from "./sequences/model.ts"
import { refuseSequences, type SequenceOptions } from "./sequences/options.ts"
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

export interface Subject {
  /** The model on rows whose truth is known. */
  measure(asked: Asked<MeasureOptions>): Promise<Measured>
  /** An answer for each row; to be closed. */
  predict(asked: Asked<PredictOptions>): Promise<Predictions>
}

const ROWS: Subject = {
  measure: async asked => (await import("./rows/measure.ts")).measureRows(asked),
  predict: async asked => (await import("./rows/predict.ts")).predictRows(asked),
}
const SEQUENCES: Subject = {
  measure: async asked => (await import("./sequences/measure.ts")).measureSequences(asked),
  predict: async asked => (await import("./sequences/predict.ts")).predictSequences(asked),
}
const SPARK: Subject = {
  measure: async asked => (await import("./spark/measure.ts")).measureOnSpark(asked),
  predict: async asked => (await import("./spark/predict.ts")).predictOnSpark(asked),
}

/** What a fitted model is asked about. */
export function subjectOf(
  { model }: LooseFitted,
  options: EngineChoice & SequenceOptions & { readonly path?: boolean; readonly past?: boolean },
): Subject {
  if (options.engine !== undefined) return SPARK
  if (stepsColumn(model) !== undefined) return SEQUENCES
  refuseSequences(options)
  return ROWS
}
