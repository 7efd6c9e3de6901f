/** A run as the page shows it. */
import { SufficeError } from "suffice"
import { verdict } from "suffice/measure"
import type { LooseFitted, QualityAnswer } from "suffice-cli/browser"
import type { RunView, Spec } from "../bench/types.ts"

/** The parts of a run that the page names. */
export interface Shown {
  readonly id: number
  readonly title: string | undefined
  readonly trace: readonly number[]
  readonly command: string
  readonly code: string
}

/** `rows`: how many were learned from; of sequences the steps. */
export function viewOf(
  { id, title, trace, command, code }: Shown,
  fitted: LooseFitted,
  seconds: number,
  by: string,
  rows: number,
): RunView {
  const { training, model, free, diagnostics } = fitted
  const likelihood = training?.logLikelihood
  return {
    id,
    title: title!,
    by,
    seconds,
    rows,
    measured: 0,
    free,
    target: model.target,
    kind: "none",
    ...(model.target === undefined && {
      ...(likelihood !== undefined && { logLikelihood: likelihood / Math.max(rows, 1) }),
      ...criteriaOf(fitted),
    }),
    command,
    code,
    trace: trace.length > 0 ? trace : (training?.trace ?? []),
    notes: diagnostics.map(({ message }) => message),
    spec: JSON.parse(JSON.stringify(model.spec)) as Spec,
  }
}

/** Of a posterior its evidence, of an estimate its BIC. */
function criteriaOf(fitted: LooseFitted): Pick<RunView, "bic" | "evidence"> {
  try {
    return fitted.training?.learner.name === "bayes"
      ? { evidence: fitted.evidence.value }
      : { bic: fitted.criteria().bic }
  } catch (error) {
    if (error instanceof SufficeError) return {}
    throw error
  }
}

export function measures(quality: QualityAnswer | undefined): Partial<RunView> {
  if (!quality) return {}
  const { evaluation, on, rows } = quality
  return {
    kind: evaluation.kind,
    measured: on === "held-out rows" ? rows : 0,
    ...(evaluation.kind === "levels" && {
      accuracy: evaluation.accuracy,
      accuracyInterval: evaluation.accuracyInterval,
      logLoss: evaluation.logLoss,
      logLossInterval: evaluation.logLossInterval,
    }),
    ...(evaluation.kind === "number" && { rmse: evaluation.rmse, logLoss: -evaluation.logDensity }),
    verdict: verdict(evaluation).sentence,
  }
}
