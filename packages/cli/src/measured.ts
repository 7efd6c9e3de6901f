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

/** What a model goes by, or what its hidden states are. */
export interface Findings {
  /** Undefined if nothing is printed. */
  readonly text: string | undefined
  /** Members of the answer. */
  readonly answer: object
}

export interface Measured {
  readonly quality: QualityAnswer
  /** The name of the data. */
  readonly data: string
  /** "344 rows of penguins.csv" */
  readonly size: string
  /** What the model learned from, one of them. */
  readonly unit: "row" | "sequence"
  readonly brief: boolean
  readonly findings: Findings
  /** Sections of the report. */
  sections(): Partial<Card>
}
