/** The whole public surface, by name, in the order in which one meets it. */

// A model: families, each a distribution of one column or of several,

export { type BernoulliOptions, bernoulli, bernoulliKind } from "./families/bernoulli.ts"
export { type BetaOptions, beta, betaKind } from "./families/beta.ts"
export { type CategoricalOptions, categorical, categoricalKind } from "./families/categorical.ts"
export { type ExponentialOptions, exponential, exponentialKind } from "./families/exponential.ts"
export { type GammaOptions, gamma, gammaKind } from "./families/gamma.ts"
export { type GaussianOptions, gaussian, gaussianKind } from "./families/gaussian.ts"
export { type GeometricOptions, geometric, geometricKind } from "./families/geometric.ts"
export { linearKind } from "./families/linear/linear.ts"
export { type LogNormalOptions, logNormal, logNormalKind } from "./families/log-normal.ts"
export { type MultinomialOptions, multinomial, multinomialKind } from "./families/multinomial.ts"
export {
  type NegativeBinomialOptions,
  negativeBinomial,
  negativeBinomialKind,
} from "./families/negative-binomial.ts"
export { type NormalOptions, normalKind } from "./families/normal/normal.ts"
export { type PoissonOptions, poisson, poissonKind } from "./families/poisson.ts"
export { type WordSetOptions, wordSet, wordSetKind } from "./families/word-set.ts"

// put together by structures, by hand or as the data suggest.

export { type AutoModel, auto, type FamilyChoice, familyFor } from "./auto.ts"
export { type ClassesOptions, classes, type MixtureOptions, mixture } from "./structures/classes.ts"
export { independent } from "./structures/independent.ts"
export { type LinearLeafOptions, linear } from "./structures/linear.ts"
export { normal } from "./structures/normal.ts"

// Learning it: from rows, by a learner; or from what is known.

export { declare } from "./fitted/declare.ts"
export { type Checkpointing, type FitOptions, fit, learn, type Step } from "./fitted/fit.ts"
export { type SpecifyOptions, specify } from "./fitted/specify.ts"
export { type EmOptions, em } from "./learners/em.ts"
export { type OnlineEmOptions, onlineEm } from "./learners/online-em.ts"
export type { StepSize } from "./learners/schedule.ts"
export { type SdemOptions, sdem } from "./learners/sdem.ts"

// What a learned model answers.

export type { Anomalies, AnomalyOptions } from "./fitted/anomalies.ts"
export type { DecideOptions, Decision, Loss } from "./fitted/decide.ts"
export type { ExplainOptions, Explanation } from "./fitted/explain.ts"
export type { Fitted } from "./fitted/fitted.ts"
export type { Imputed, ImputeOptions } from "./fitted/impute.ts"
export { type LinearScoresOptions, linearScores } from "./fitted/linear-scores.ts"
export type { Posteriors } from "./fitted/posterior.ts"
export type { PredictOptions } from "./fitted/predict.ts"
export type { Prototypes, PrototypesOptions } from "./fitted/prototypes.ts"
export type { PosteriorOptions } from "./fitted/question.ts"
export type { SampleOptions } from "./fitted/sample.ts"
export type { ExplanationTerm } from "./fitted/terms.ts"
export type { Linear, LinearFeature, LinearOptions } from "./fitted/to-linear.ts"
export type { LevelPrediction, LoosePrediction, NumberPrediction, Prediction } from "./fitted/types.ts"

// How good it is: held-out rows, calibration, the choice between models.

export {
  type CandidatesOptions,
  candidates,
  candidatesOf,
  type LabelFacts,
  type LabelKind,
  type ProposedCandidate,
} from "./candidates.ts"
export { type CalibrateOptions, calibrate } from "./fitted/calibrate.ts"
export {
  type Candidate,
  type Candidates,
  type Choice,
  type ChooseOptions,
  type Criterion,
  choose,
  type Trial,
} from "./fitted/choose.ts"
export {
  type CrossValidateOptions,
  type CrossValidation,
  crossValidate,
  type Estimate,
} from "./fitted/cross-validate.ts"
export {
  type EvaluateOptions,
  type EvaluateSourceOptions,
  type EvaluationOf,
  evaluate,
  evaluateSource,
  type LooseEvaluation,
} from "./fitted/evaluate.ts"
export { type FoldOptions, folds, type Split, type SplitOptions, split } from "./fitted/split.ts"
export {
  addOne,
  addOneBound,
  entropy,
  hoeffdingBound,
  hoeffdingInterval,
  hoeffdingRows,
  relativeEntropy,
} from "./measure/bounds.ts"
export type { Calibration } from "./measure/calibration.ts"
export type { InformationCriteria } from "./measure/criteria.ts"
export type { Evaluation, LevelEvaluation, NumberEvaluation, ScoreEvaluation } from "./measure/evaluation.ts"
export { type Interval, wilsonInterval } from "./measure/intervals.ts"
export type { Knot } from "./measure/isotonic.ts"
export { type PairedOptions, pairedInterval } from "./measure/paired.ts"
export type { PrecisionRecallPoint, RocPoint } from "./measure/ranking.ts"
export type { ReliabilityBin } from "./measure/reliability.ts"
export {
  type Confidence,
  type LevelBase,
  type NumberBase,
  type Standing,
  type Verdict,
  verdict,
} from "./measure/verdict.ts"

export { modelNamed, type Preset, type PresetName } from "./presets.ts"

// Saved models.

export { type LoadOptions, load } from "./fitted/load.ts"
export type { SavedModel } from "./saved/save.ts"

// Discriminative baselines.

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

// Data as it comes in, words among it.

export type { Batch, Data, Source } from "./data/read.ts"
export { type SparseCounts, sparse } from "./text/sparse.ts"

// Dice, errors, kernels.

export { CodedError, type ErrorCode, nearest, SufficeError } from "./errors.ts"
export { type KernelChoice, useKernels } from "./kernels/wasm/use.ts"
export { dice } from "./random.ts"

// The contract, for families, structures and learners of one's own.

export type {
  Bag,
  Block,
  Cell,
  Column,
  ColumnSummary,
  Columns,
  Description,
  Diagnostic,
  Dice,
  Family,
  FamilyKind,
  Given,
  Leaf,
  Learnable,
  Learner,
  LearnerStep,
  Level,
  Model,
  Row,
  SoftLabel,
  SparseBag,
  Stem,
  Training,
  Weights,
} from "./contract.ts"
