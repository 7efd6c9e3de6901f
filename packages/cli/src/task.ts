/** Data that is ready to be learned from, and the model for it: of rows, of sequences, or of rows on Spark. Without a terminal and without files. */
import type { Checkpointing, Columns, FitOptions } from "suffice"
import type { Card, DataAnswer, QualityAnswer } from "./answers.ts"
import type { ChoiceAnswer } from "./choosing.ts"
import type { ChosenDates } from "./dates.ts"
import { capitalised, count } from "./format.ts"
import type { LooseFitted } from "./loose.ts"
import type { Findings } from "./measured.ts"
import { trainingAnswer } from "./training.ts"
import type { Work } from "./work.ts"

export interface Learned {
  readonly fitted: LooseFitted
  readonly seconds: number
  readonly choice?: ChoiceAnswer
}

/** Callbacks while it learns. */
export interface Watch {
  readonly checkpoint?: Checkpointing
  readonly onStep?: FitOptions["onStep"]
  /** Called once, when model and learner are chosen. */
  readonly onChoice?: (choice: ChoiceAnswer) => Promise<void>
}

/** The amount of data, in words. */
export interface Extent {
  /** "344 rows", "20 sequences of 240 steps" */
  readonly sentence: string
  /** "344 rows of p.csv", "20 sequences of p.csv, 240 steps," */
  readonly lead: string
  readonly facts: Card["facts"]
  /** Steps where the rows are steps; the log-likelihood is divided by their number. */
  readonly unit: "row" | "step"
  readonly units: number
}

export interface Measurement {
  readonly quality: QualityAnswer
  /** Rows, or a row for each sequence; of a cluster some of them. */
  readonly columns: Columns
  /** Undefined unless rows are sequences. */
  readonly size?: { readonly count: number; readonly length: number }
}

export interface Task {
  /** The model in words, if none is chosen. */
  readonly name: string
  readonly data: DataAnswer
  /** The data in words. */
  readonly text: string
  /** True if the table is wide, so that answers are kept short. */
  readonly brief: boolean
  readonly target: string | undefined
  /** The column of the steps, of sequences. */
  readonly steps?: string
  readonly seed: number
  readonly dates?: ChosenDates["tried"]
  learn(work: Work, watch?: Watch): Promise<Learned>
  /** A model of a step that learning stopped at, with the target of the task. */
  targeted(fitted: LooseFitted): LooseFitted
  /** The model and the learner in words. */
  inWords(learned: Learned): { readonly name: string; readonly by: string }
  extent(fitted: LooseFitted): Extent
  /** Undefined without a label. */
  measure(fitted: LooseFitted): Promise<Measurement | undefined>
  findings(fitted: LooseFitted, measurement: Measurement | undefined): Findings
  /** The numbers of rows that were learned from and measured on, for the answer. */
  counts(fitted: LooseFitted, measurement: Measurement | undefined): object
  /** The training rows, or their beginning. */
  train(): Promise<Columns>
}

/** A task that was worked on. */
export interface Outcome {
  readonly learned: Learned
  readonly measurement: Measurement | undefined
  readonly findings: Findings
}

/** The report of a fit. `origin`: the program and the date. */
export async function cardOf(
  { command, origin }: { readonly command: string; readonly origin: Card["facts"] },
  task: Task,
  { learned, measurement, findings }: Outcome,
  { name, by } = task.inWords(learned),
): Promise<Card> {
  const { fitted, choice } = learned
  const { training } = fitted
  const { lead, facts, unit } = task.extent(fitted)
  return {
    title: capitalised(name),
    lead: `Learned from ${lead} by ${by}.`,
    command,
    facts: [
      ...facts,
      ["learner", `${training?.learner.name} ${JSON.stringify(training?.learner.options)}`],
      // sequences have steps of their own
      [unit === "row" ? "steps" : "steps of learning", count(training?.iterations ?? 0)],
      ["seed", String(task.seed)],
      ...origin,
    ],
    warnings: fitted.diagnostics.map(({ message }) => message),
    data: task.data,
    ...(choice && { choice }),
    ...(measurement && { quality: measurement.quality }),
    ...(await findings.sections()),
    ...(training && { training: trainingAnswer(training) }),
  }
}
