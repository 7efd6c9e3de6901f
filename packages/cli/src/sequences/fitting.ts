/** From a table of steps to sequences that are ready to be learned from, and how good what was learned is. The command and the studio do the same. */
import { evaluate } from "suffice/measure"
import type { FileTable } from "suffice-files"
import type { QualityAnswer } from "../answers.ts"
import { Failure } from "../failure.ts"
import { type Chosen, chosenLearner } from "../learner.ts"
import type { LooseFitted } from "../loose.ts"
import type { FittingOptions } from "../rows/prepare.ts"
import type { Work } from "../work.ts"
import { type SequencesAnswer, sequencesAnswer } from "./data.ts"
import { columnsOfSteps, type StepsModel, stepsModel } from "./model.ts"
import type { SequenceOptions } from "./options.ts"
import { type Cut, type Sequences, sequencesIn, splitSequences } from "./table.ts"

export type FittingSequences = FittingOptions & SequenceOptions

const HOLDOUT = 0.2

export interface PreparedSequences {
  readonly wanted: StepsModel
  readonly data: SequencesAnswer
  /** What is predicted. */
  readonly goal: string | undefined
  readonly parts: { readonly train: Sequences; readonly test: Sequences }
}

export async function preparedSequences(
  table: FileTable,
  options: FittingSequences,
  cut: Cut,
  work: Pick<Work, "modelIn">,
  read: () => void = () => undefined,
): Promise<PreparedSequences> {
  const { tag, label, test, holdout = HOLDOUT, seed = 0 } = options
  const reports = await table.summary()
  const wanted = await stepsModel(options, reports, Object.values(cut), work)
  const { steps, beside } = columnsOfSteps(wanted.model)
  const { pooling } = await import("suffice-files/columns")
  const all = await sequencesIn(table, steps, cut, {
    keep: beside,
    steps: wanted.steps,
    prepared: pooling(wanted.pooled),
  })
  read()
  if (all.length === 0) throw noSteps(table.name)
  const data = sequencesAnswer(table.name, reports, wanted, options, cut, all)
  const goal = tag ?? label ?? wanted.model.target
  const share = test !== undefined || goal === undefined ? 0 : holdout
  const parts = splitSequences(all, share, { label: beside.includes(goal ?? "") ? goal : undefined, seed })
  return { wanted, data, goal, parts }
}

/** Measured on these sequences. */
export function qualityOf(
  fitted: LooseFitted,
  all: Sequences,
  on: QualityAnswer["on"],
  target?: string,
): QualityAnswer {
  const evaluation = evaluate(fitted, all.columns, {
    curves: true,
    ...(target !== undefined && { target }),
  }) as unknown as QualityAnswer["evaluation"]
  const isOfEach = "sequences" in evaluation
  return {
    on,
    rows: isOfEach ? all.length : all.count,
    ...(isOfEach ? { sequences: all.count } : { unit: "sequence" }),
    evaluation,
  }
}

/** What is predicted is learned discriminatively, what is hidden by EM, unless the command line says. */
export function learnerOfSteps(options: FittingSequences): Chosen {
  const { learner, restarts, tag, label } = options
  const isGiven = learner !== undefined || restarts !== undefined
  const predicts = tag !== undefined || label !== undefined
  return chosenLearner(!isGiven && predicts ? { ...options, learner: "sdem" } : options)
}

function noSteps(name: string): Failure {
  return new Failure(
    "data",
    `${name} has no rows. A sequence is learned from its steps. Name a file that has some.`,
  )
}
