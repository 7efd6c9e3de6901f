/** Priors in the units of the data, which `bayes()` learns from: what a family's option `prior` takes in place of a number. */

/** mean ~ N(mean, σ²/strength), degrees·sd²/σ² ~ χ²(degrees): the strength of a guess in rows, apart for both. */
export interface GaussianPrior {
  readonly mean: number
  readonly strength: number
  readonly sd: number
  readonly degrees: number
}

/** The same for several columns: covariance, or sd with correlation, as describe() prints them (uncorrelated columns: sd). degrees > columns − 1. */
export interface NormalPrior {
  readonly mean: Readonly<Record<string, number>>
  readonly strength: number
  readonly degrees?: number
  readonly covariance?: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly sd?: Readonly<Record<string, number>>
  readonly correlation?: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** A line and the spread around it; `on`: where the pseudo-rows have their x, as describe() prints it. By default as the data has it. */
export interface LinearPrior {
  readonly intercept: number
  readonly coefficients: Readonly<Record<string, number>>
  readonly strength: number
  readonly sd: number
  readonly degrees: number
  readonly on?: {
    readonly mean: Readonly<Record<string, number>>
    readonly covariance: Readonly<Record<string, Readonly<Record<string, number>>>>
  }
}

/** rate ~ Gamma(rate·strength, strength) */
export interface PoissonPrior {
  readonly rate: number
  readonly strength: number
}

/** A mean worth `strength` rows: the mean of what is believed of it is this. 1/mean ~ Gamma(strength + 1, mean·strength); of counts mean/(mean + 1) ~ Beta(mean·strength, strength + 1). */
export interface MeanPrior {
  readonly mean: number
  readonly strength: number
}

/** Of the logarithms: logMean ~ N(logMean, σ²/strength), degrees·logSd²/σ² ~ χ²(degrees). */
export interface LogNormalPrior {
  readonly logMean: number
  readonly strength: number
  readonly logSd: number
  readonly degrees: number
}

/** probability ~ Beta(strength·p, strength·(1 − p)) */
export interface BernoulliPrior {
  readonly probability: number
  readonly strength: number
}

/** probabilities ~ Dirichlet(strength·p): one for every level, all above 0. */
export interface LevelsPrior {
  readonly probabilities: Readonly<Record<string, number>>
  readonly strength: number
}

/** Pseudo-counts of words; `other`: of every word that is not named, by default 1. */
export interface WordsPrior {
  readonly words?: Readonly<Record<string, number>>
  readonly other?: number
}

/** Probabilities of words, worth `strength` documents (by default 2); `other`: of every word that is not named, by default ½. */
export interface WordSetPrior {
  readonly words?: Readonly<Record<string, number>>
  readonly other?: number
  readonly strength?: number
}
