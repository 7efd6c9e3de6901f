/**
 * `suffice`: declare a model, learn it by EM, ask it, save it.
 *
 * In the order in which one meets it. The other entries of the package stand beside this file: learn.ts, measure.ts, baselines.ts, text.ts,
 * kernels.ts, predict.ts, contract.ts. A function is exported from one of them.
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
export {
  type InverseGaussianOptions,
  inverseGaussian,
  inverseGaussianKind,
} from "./families/inverse-gaussian.ts"
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
export { type LooseModel, modelNamed, type Preset, type PresetName } from "./propose/presets.ts"
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
export { declare } from "./fit/declare.ts"
export { fit } from "./fit/fit.ts"
export type { Checkpointing, FitOptions, Step, UpdateOptions } from "./fit/options.ts"
export { type SpecifyOptions, specify } from "./fit/specify.ts"
export { type EmOptions, em } from "./learners/em.ts"

// What a fitted model answers.

export type { Anomalies, AnomalyOptions, StepAnomalies } from "./answers/anomalies.ts"
export type { DecideOptions, Decision, Loss } from "./answers/decide.ts"
export type { ExplainOptions, Explanation } from "./answers/explain.ts"
export type { StepExplanation } from "./answers/explain-step.ts"
export type { Following, Forecast, ForecastOptions } from "./answers/forecast.ts"
export type { Imputed, ImputeOptions } from "./answers/impute.ts"
export { type LinearScoresOptions, linearScores } from "./answers/linear-scores.ts"
export type { Marginal, Marginals } from "./answers/marginals.ts"
export type { MostProbable } from "./answers/most-probable.ts"
export type { Path } from "./answers/path.ts"
export type { Posteriors } from "./answers/posterior.ts"
export type { CredibleOptions, DrawOptions, Evidence } from "./answers/posterior-of.ts"
export type { PredictOptions } from "./answers/predict.ts"
export type { Proportions } from "./answers/proportions.ts"
export type { Prototypes, PrototypesOptions } from "./answers/prototypes.ts"
export type { QueryAnswer, QueryEntry, QueryOptions } from "./answers/query.ts"
export type { PosteriorOptions } from "./answers/question.ts"
export type { Responsibilities } from "./answers/responsibilities.ts"
export type { SampleOptions } from "./answers/sample.ts"
export type { ExplanationTerm } from "./answers/terms.ts"
export type { Linear, LinearFeature, LinearOptions } from "./answers/to-linear.ts"
export type { Topic, TopicsQuestion, TopicWord } from "./answers/topics.ts"
export type { LevelPrediction, LoosePrediction, NumberPrediction, Prediction } from "./answers/types.ts"
export type { Fitted } from "./fit/fitted.ts"
export type { InformationCriteria } from "./measure/criteria.ts"
export type { Span } from "./measure/spans.ts"

// Saved models.

export { type LoadOptions, load } from "./fit/load.ts"
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
