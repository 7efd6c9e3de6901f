/** The whole public surface, by name. */
export type {
  Bag,
  Block,
  Cell,
  Column,
  Columns,
  Description,
  Diagnostic,
  Dice,
  Family,
  FamilyKind,
  Leaf,
  Learnable,
  Learner,
  LearnerStep,
  Level,
  Model,
  Row,
  SoftLabel,
  Weights,
} from "./contract.ts"
export { type ErrorCode, SufficeError } from "./errors.ts"
export { type BernoulliOptions, bernoulli } from "./families/bernoulli.ts"
export { type CategoricalOptions, categorical } from "./families/categorical.ts"
export { type GaussianOptions, gaussian } from "./families/gaussian.ts"
export { type MultinomialOptions, multinomial } from "./families/multinomial.ts"
export type { NormalOptions } from "./families/normal/normal.ts"
export { type WordSetOptions, wordSet } from "./families/word-set.ts"
export { type FitOptions, fit, learn, type Step } from "./fitted/fit.ts"
export type { Fitted, Training } from "./fitted/fitted.ts"
export type { LevelPrediction, LoosePrediction, NumberPrediction, Prediction } from "./fitted/types.ts"
export { type EmOptions, em } from "./learners/em.ts"
export { dice } from "./random.ts"
export { type ClassesOptions, classes, type MixtureOptions, mixture } from "./structures/classes.ts"
export { independent } from "./structures/independent.ts"
export { normal } from "./structures/normal.ts"
