/** `suffice/measure`: how good a model is, by rows it has not seen; calibration; the choice between models; bounds. */

// Rows held out.

export { type FoldOptions, folds, type Split, type SplitOptions, split } from "./choose/split.ts"

// A model on them.

export {
  type EvaluateOptions,
  type EvaluateSourceOptions,
  type EvaluationOf,
  evaluate,
  evaluateSource,
  type LooseEvaluation,
} from "./answers/evaluate.ts"
export type { StepEvaluation } from "./answers/step-evaluation.ts"
export type { Evaluation, LevelEvaluation, NumberEvaluation, ScoreEvaluation } from "./measure/evaluation.ts"
export type { PrecisionRecallPoint, RocPoint } from "./measure/ranking.ts"
export type { ReliabilityBin } from "./measure/reliability.ts"
export type { SpanEvaluation, SpanScores } from "./measure/spans.ts"
export {
  type Confidence,
  type LevelBase,
  type NumberBase,
  type Standing,
  type Verdict,
  verdict,
} from "./measure/verdict.ts"

// Topics on documents.

export { type Coherence, type CoherenceOptions, coherence } from "./answers/coherence.ts"
export { type Completion, type CompletionOptions, completion } from "./answers/completion.ts"
export { type DiversityOptions, diversity } from "./answers/diversity.ts"
export type { CoherenceMeasure } from "./measure/coherence.ts"

// A model on every part in turn; two models, or several.

export { Average, type AverageOptions, average } from "./choose/average.ts"
export type { BaselineLearner, Baselines, BaselineTrial } from "./choose/baseline-trials.ts"
export {
  type Candidate,
  type Candidates,
  type Choice,
  type ChooseOptions,
  type Criterion,
  choose,
  type Trial,
} from "./choose/choose.ts"
export {
  type CrossValidateOptions,
  type CrossValidation,
  crossValidate,
  type Estimate,
} from "./choose/cross-validate.ts"
export { type PairedOptions, pairedInterval } from "./measure/paired.ts"
export {
  type CandidatesOptions,
  candidates,
  candidatesOf,
  type LabelFacts,
  type LabelKind,
  learnersFor,
  type ProposedCandidate,
} from "./propose/candidates.ts"

// Probabilities that are frequencies.

export { type CalibrateOptions, calibrate } from "./answers/calibrate.ts"
export type { Calibration } from "./measure/calibration.ts"
export type { Knot } from "./measure/isotonic.ts"

// Intervals and bounds.

export {
  addOne,
  addOneBound,
  entropy,
  hoeffdingBound,
  hoeffdingInterval,
  hoeffdingRows,
  relativeEntropy,
} from "./measure/bounds.ts"
export { type Interval, wilsonInterval } from "./measure/intervals.ts"
