/**
 * Information criteria on the training rows; lower is better.
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

export function informationCriteria(
  free: number,
  training: { readonly weight: number; readonly logLikelihood: number; readonly entropy: number } | undefined,
): InformationCriteria {
  if (!training) {
    throw new SufficeError(
      "data",
      "the model was not fitted to rows. Information criteria weigh its likelihood on them. Fit it first.",
    )
  }
  const { weight, logLikelihood, entropy } = training
  const bic = free * log(weight) - 2 * logLikelihood
  return { aic: 2 * free - 2 * logLikelihood, bic, icl: bic + 2 * entropy, free, logLikelihood }
}
