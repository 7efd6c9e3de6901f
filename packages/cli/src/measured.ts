/** A fitted model that was measured, whatever it was measured on. */
import type { Card, QualityAnswer } from "./answers.ts"
import type { DataOptions } from "./data.ts"
import type { SequenceOptions } from "./sequences/options.ts"

export interface MeasureOptions extends DataOptions, Omit<SequenceOptions, "format" | "model"> {
  readonly target?: string
  readonly weight?: string
  readonly report?: string
  readonly engine?: string
  readonly node?: string
}

/** The features a model uses, or its hidden states. */
export interface Findings {
  /** Undefined if nothing is printed. */
  readonly text: string | undefined
  /** Members of the answer. */
  readonly answer: object
  /** Sections of the report. */
  sections(): Promise<Partial<Card>>
}

export interface Measured {
  readonly quality: QualityAnswer
  /** The name of the data. */
  readonly data: string
  /** "344 rows of penguins.csv" */
  readonly size: string
  /** The name of one thing that the model learned from. */
  readonly unit: "row" | "sequence"
  readonly brief: boolean
  readonly findings: Findings
}
