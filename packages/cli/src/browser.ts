/** `suffice-cli/browser`: what the command does with a table and a model, without a terminal and without files, for the studio. */

export type { PictureAnswer, QualityAnswer } from "./answers.ts"
export {
  candidatesFor,
  kindOfLabel,
  proposedFor,
  wordsOf,
} from "./auto.ts"
export type { ChoiceAnswer } from "./choosing.ts"
export { componentsAnswer } from "./components.ts"
export { pooledFor, remembered, rowsIn, typedCells } from "./data.ts"
export { summaryOf } from "./described.ts"
export {
  capitalised,
  clipped,
  count,
  duration,
  many,
  percent,
  plain,
  signed,
  termName,
} from "./format.ts"
export { IN_MEMORY, splitTable } from "./holdout.ts"
export { type LearnedAnswer, learnedAnswer } from "./learned/answer.ts"
export type { Chosen } from "./learner.ts"
export type { LooseFitted } from "./loose.ts"
export { networkFamilies } from "./model.ts"
export { holdWith, pause } from "./pause.ts"
export { beginning, learned } from "./rows/learn.ts"
export { type FittingOptions, type Prepared, prepared } from "./rows/prepare.ts"
export { rowsTask, tellingOf } from "./rows/task.ts"
export {
  type FittingSequences,
  learnerOfSteps,
  preparedSequences,
} from "./sequences/fitting.ts"
export { type StepsModel, stepsModel } from "./sequences/model.ts"
export { checkSequences } from "./sequences/options.ts"
export { type PathAnswer, pathAnswer } from "./sequences/path.ts"
export { type ChainAnswer, chainsAnswer } from "./sequences/states.ts"
export { ROW } from "./sequences/table.ts"
export { sequencesTask } from "./sequences/task.ts"
export { joined, picked, rowCount } from "./tabular.ts"
export { cardOf, type Learned, type Measurement, type Task } from "./task.ts"
export type { Telling } from "./telling.ts"
export { stemmersIn } from "./text.ts"
export type { Work } from "./work.ts"
