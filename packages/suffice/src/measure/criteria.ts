/**
 * Information criteria on the training rows; lower is better. n is their total weight: a weight counts as that many rows.
 *
 *     AIC = 2·free − 2L      BIC = free·ln n − 2L      ICL = BIC + 2·H(hidden | rows)   (Biernacki, Celeux & Govaert 2000)
 */
import { SufficeError } from "../errors.ts"
import { log } from "../kernels/log.ts"

export interface InformationCriteria {
  readonly aic: number
  readonly bic: number
  readonly icl: number
  readonly free: number
  readonly logLikelihood: number
}

interface Trained {
  readonly rows: number
  readonly weight: number
  readonly logLikelihood: number
  readonly entropy: number
  /** The log-likelihood is not that of all rows. */
  readonly continued?: true
}

export function informationCriteria(free: number, training: Trained | undefined): InformationCriteria {
  if (!training) {
    throw new SufficeError(
      "data",
      "the model was not fitted to rows. Information criteria weigh its likelihood on them. Fit it first.",
    )
  }
  const { rows, weight, logLikelihood, entropy } = training
  if (training.continued) {
    throw new SufficeError(
      "data",
      "the model was updated from statistics that are not counts of rows: something was guessed in them, or they were specified. The likelihood of earlier rows cannot be had from those. Fit the model to all rows at once.",
    )
  }
  if (Number.isNaN(logLikelihood)) {
    throw new SufficeError(
      "data",
      "the learner saw a few rows at a time and never weighed its last parameters on all of them. Information criteria need that likelihood. Learn by em(), or compare models by evaluate() on held-out rows.",
    )
  }
  // weights may add up to 1 only up to rounding
  if (weight < Math.min(rows, 1 + 1e-9)) {
    throw new SufficeError(
      "weight",
      `the ${rows} rows together weigh ${weight}. Their weight stands for the number of rows, and ln ${weight} would charge nothing for a parameter, or pay for it. Fit with weights whose mean is about 1.`,
      { rows, weight },
    )
  }
  const bic = free * log(weight) - 2 * logLikelihood
  return { aic: 2 * free - 2 * logLikelihood, bic, icl: bic + 2 * entropy, free, logLikelihood }
}
