/** `suffice-cli/browser`: what the command does with a table and a model, without a terminal and without files, for the studio. */

export type { Card, ColumnAnswer, DataAnswer, PictureAnswer, QualityAnswer } from "./answers.ts"
export {
  candidatesFor,
  flagsOf,
  kindOfLabel,
  learnerWords,
  modelFlags,
  type Proposed,
  proposedFor,
  wordsOf,
} from "./auto.ts"
export type { ChoiceAnswer } from "./choosing.ts"
export { componentsAnswer } from "./components.ts"
export { dataAnswer, pooledFor, remembered, rowsIn, typedCells } from "./data.ts"
export { summaryOf } from "./described.ts"
export {
  capitalised,
  clipped,
  count,
  duration,
  many,
  percent,
  percents,
  plain,
  signed,
  termName,
} from "./format.ts"
export { IN_MEMORY, splitTable } from "./holdout.ts"
export { type LearnedAnswer, learnedAnswer } from "./learned/answer.ts"
export { type Chosen, chosenLearner, learnedBy } from "./learner.ts"
export type { LooseFitted, LooseModel } from "./loose.ts"
export { networkFamilies } from "./model.ts"
export { holdWith, pause } from "./pause.ts"
export { beginning, learned, measuredOf } from "./rows/learn.ts"
export { type FittingOptions, type Parts, type Prepared, prepared } from "./rows/prepare.ts"
export { rowsTask, tellingOf } from "./rows/task.ts"
export {
  type FittingSequences,
  learnerOfSteps,
  type PreparedSequences,
  preparedSequences,
  qualityOf,
} from "./sequences/fitting.ts"
export { type StepsModel, stepsModel, stepTargetOf } from "./sequences/model.ts"
export { checkSequences } from "./sequences/options.ts"
export { type PathAnswer, pathAnswer } from "./sequences/path.ts"
export { type ChainAnswer, chainsAnswer } from "./sequences/states.ts"
export { ROW, type Sequences } from "./sequences/table.ts"
export { sequencesTask } from "./sequences/task.ts"
export { type ColumnSource, gathered, joined, picked, plainCell, rowCount, rowsOf } from "./tabular.ts"
export { cardOf, type Learned, type Measurement, type Task } from "./task.ts"
export type { Telling, TellingFeature } from "./telling.ts"
export { stemmersIn } from "./text.ts"
export { basisOf, trainingAnswer } from "./training.ts"
export type { Bar, Work } from "./work.ts"
