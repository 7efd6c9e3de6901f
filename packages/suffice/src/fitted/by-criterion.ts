/** Choosing by an information criterion on the rows that are learned from: the lowest wins. */
import type { Data } from "../data/read.ts"
import type { Choice, ChooseOptions, Criterion, Trial } from "./choose.ts"
import { fit } from "./fit.ts"
import type { Fitted } from "./fitted.ts"
import type { Pair } from "./trial.ts"

export async function byCriterion(
  pairs: readonly Pair[],
  data: Data,
  criterion: Exclude<Criterion, "logLoss" | "completion" | "evidence">,
  options: ChooseOptions,
): Promise<Choice> {
  const { seed, weight, classWeights, threads, signal, onStep, onTrial, target } = options
  const fitting = { seed, weight, classWeights, threads, signal, onStep }
  const given = Object.fromEntries(Object.entries(fitting).filter(([, value]) => value !== undefined))
  const trials: Trial[] = []
  let best: { readonly trial: Trial; readonly fitted: Fitted } | undefined
  for (const pair of pairs) {
    const fitted = await fit(pair.of, data, { ...given, learner: pair.by })
    const criteria = fitted.criteria()
    const rows = fitted.training?.rows ?? 0
    const trial: Trial = {
      model: pair.model,
      learner: pair.learner,
      calibrated: false,
      free: criteria.free,
      rows,
      folds: 1,
      judged: rows,
      score: criteria[criterion],
      standardError: 0,
      criteria,
    }
    trials.push(trial)
    onTrial?.({ model: pair.model, learner: pair.learner, rows })
    if (!best || trial.score < best.trial.score) best = { trial, fitted }
  }
  const { model, learner, score } = best!.trial
  return {
    model,
    learner,
    calibrated: false,
    criterion,
    why: `${model} has the lowest ${criterion.toUpperCase()} of ${trials.length}, ${score.toPrecision(6)}.`,
    trials,
    baselines: [],
    spent: 0,
    fitted: target === undefined ? best!.fitted : best!.fitted.withTarget(target),
  }
}
