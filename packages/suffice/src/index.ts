/**
 * `suffice`: declare a model, learn it by EM, ask it, save it.
 *
 * In the order in which one meets it. The other entries of the package stand beside this file: learn.ts, measure.ts, baselines.ts, text.ts,
 * kernels.ts, predict.ts, laws/index.ts. A function is exported from one of them.
 */

// A model: families, each a distribution of one column or of several,

export { type BernoulliOptions, bernoulli, bernoulliKind } from "./families/bernoulli.ts"
export { type BetaOptions, beta, betaKind } from "./families/beta.ts"
export {
  type BinsOptions,
  bins,
  type CategoricalOptions,
  categorical,
  categoricalKind,
} from "./families/categorical.ts"
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
export type {
  BernoulliPrior,
  GaussianPrior,
  LevelsPrior,
  LinearPrior,
  LogNormalPrior,
  MeanPrior,
  NormalPrior,
  PoissonPrior,
  WordSetPrior,
  WordsPrior,
} from "./families/priors.ts"
export { type TopicsOptions, topicsKind } from "./families/topics/topics.ts"
export { type WordSetOptions, wordSet, wordSetKind } from "./families/word-set.ts"

// combined by structures, by hand or as the data suggest.

export { type AutoModel, auto, type FamilyChoice, familyFor } from "./auto.ts"
export type { WindowPart } from "./families/window.ts"
export { type LooseModel, modelNamed, type Preset, type PresetName } from "./presets.ts"
export type { Initial, Transitions } from "./structures/chain/allowed.ts"
export { type ChainOptions, chain } from "./structures/chain/chain.ts"
export { chainKind } from "./structures/chain/kind.ts"
export { type ClassesOptions, classes, type MixtureOptions, mixture } from "./structures/classes.ts"
export { independent } from "./structures/independent.ts"
export { type LinearLeafOptions, linear } from "./structures/linear.ts"
export {
  type Before,
  before,
  type GivenParents,
  given,
  type HiddenNode,
  type HiddenOptions,
  hidden,
  type NetworkNode,
  type NetworkOptions,
  network,
  type StepNode,
} from "./structures/network/declare.ts"
export { dynamicNetworkKind } from "./structures/network/dynamic/kind.ts"
export { networkKind } from "./structures/network/kind.ts"
export { normal } from "./structures/normal.ts"
export { plate } from "./structures/plate.ts"
export { topics } from "./structures/topics.ts"
export { type WindowOptions, window, windowKind } from "./structures/window.ts"

// Learning it: from rows, by a learner; or from parameters that are known.

export type { Batch, Data, Source } from "./data/read.ts"
export { type SequencesOptions, sequences } from "./data/sequences.ts"
export { declare } from "./fitted/declare.ts"
export { type Checkpointing, type FitOptions, fit, type Step, type UpdateOptions } from "./fitted/fit.ts"
export { type SpecifyOptions, specify } from "./fitted/specify.ts"
export { type EmOptions, em } from "./learners/em.ts"

// What a fitted model answers.

export type { Anomalies, AnomalyOptions, StepAnomalies } from "./fitted/anomalies.ts"
export type { DecideOptions, Decision, Loss } from "./fitted/decide.ts"
export type { ExplainOptions, Explanation } from "./fitted/explain.ts"
export type { StepExplanation } from "./fitted/explain-step.ts"
export type { Fitted } from "./fitted/fitted.ts"
export type { Following, Forecast, ForecastOptions } from "./fitted/forecast.ts"
export type { Imputed, ImputeOptions } from "./fitted/impute.ts"
export { type LinearScoresOptions, linearScores } from "./fitted/linear-scores.ts"
export type { Marginal, Marginals } from "./fitted/marginals.ts"
export type { MostProbable } from "./fitted/most-probable.ts"
export type { Path } from "./fitted/path.ts"
export type { Posteriors } from "./fitted/posterior.ts"
export type { CredibleOptions, DrawOptions, Evidence } from "./fitted/posterior-of.ts"
export type { PredictOptions } from "./fitted/predict.ts"
export type { Proportions } from "./fitted/proportions.ts"
export type { Prototypes, PrototypesOptions } from "./fitted/prototypes.ts"
export type { QueryAnswer, QueryEntry, QueryOptions } from "./fitted/query.ts"
export type { PosteriorOptions } from "./fitted/question.ts"
export type { Responsibilities } from "./fitted/responsibilities.ts"
export type { SampleOptions } from "./fitted/sample.ts"
export type { ExplanationTerm } from "./fitted/terms.ts"
export type { Linear, LinearFeature, LinearOptions } from "./fitted/to-linear.ts"
export type { Topic, TopicsQuestion, TopicWord } from "./fitted/topics.ts"
export type { LevelPrediction, LoosePrediction, NumberPrediction, Prediction } from "./fitted/types.ts"
export type { InformationCriteria } from "./measure/criteria.ts"
export type { Span } from "./measure/spans.ts"

// Saved models.

export { type LoadOptions, load } from "./fitted/load.ts"
export type { SavedModel } from "./saved/save.ts"

// Dice, errors.

export { CodedError, type ErrorCode, nearest, SufficeError } from "./errors.ts"
export { dice } from "./random.ts"

// The contract, for your own families, structures and learners.

export type { Block, Weights } from "./contract/block.ts"
export type { Cell, Columns, Level, Row, SoftLabel } from "./contract/cells.ts"
export type { Column, ColumnSummary } from "./contract/columns.ts"
export type { DescribedPart } from "./contract/described.ts"
export type { Dice } from "./contract/dice.ts"
export type { Family, FamilyKind, Given } from "./contract/family.ts"
export type { Leaf } from "./contract/leaf.ts"
export type { Learnable } from "./contract/learnable.ts"
export type { Learner, LearnerStep } from "./contract/learner.ts"
export type { Model } from "./contract/model.ts"
export type { Description, Diagnostic, Training } from "./contract/report.ts"
export type { StructureKind } from "./structures/kind.ts"
