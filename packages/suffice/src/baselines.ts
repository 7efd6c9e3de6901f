/** `suffice/baselines`: discriminative classifiers to compare with, on the same rows; `evaluate` takes them. */

export type { ChosenC } from "./baselines/choose-c.ts"
export type { BaselineFitOptions } from "./baselines/learn-line.ts"
export type {
  Answers,
  Baseline,
  LinearClassifier,
  LinearDescription,
  Optimum,
  ScorePrediction,
  SolvedProblem,
} from "./baselines/linear-classifier.ts"
export { type LinearSvm, type LinearSvmOptions, linearSvm } from "./baselines/linear-svm.ts"
export {
  type LogisticRegression,
  type LogisticRegressionOptions,
  logisticRegression,
} from "./baselines/logistic-regression.ts"
