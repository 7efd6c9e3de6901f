/** Choosing by a number of the rows that are learned from: every pair is fitted once to all of them, and the lowest score wins. */
import type { Data } from "../data/read.ts"
import { fit } from "../fit/fit.ts"
import type { Fitted } from "../fit/fitted.ts"
import type { Choice, ChooseOptions, Criterion, Trial } from "./choose.ts"
import type { Pair } from "./trial.ts"

/** A criterion that needs no other rows. */
export interface Judge {
  readonly criterion: Criterion
  /** What a trial holds of the criterion; lower is better. */
  of(fitted: Fitted): Pick<Trial, "score" | "free" | "criteria" | "evidence">
  /** "has the lowest BIC of 3, 412.31." */
  says(score: number, trials: number): string
}

export async function byTrainingRows(
  pairs: readonly Pair[],
  data: Data,
  judge: Judge,
  options: ChooseOptions,
): Promise<Choice> {
  const { seed, weight, classWeights, threads, signal, onStep, onTrial, target } = options
  const fitting = { seed, weight, classWeights, threads, signal, onStep }
  const given = Object.fromEntries(Object.entries(fitting).filter(([, value]) => value !== undefined))
  const trials: Trial[] = []
  let best: { readonly trial: Trial; readonly fitted: Fitted } | undefined
  for (const { of, by, model, learner } of pairs) {
    const fitted = await fit(of, data, { ...given, learner: by })
    const rows = fitted.training?.rows ?? 0
    const trial: Trial = {
      model,
      learner,
      calibrated: false,
      rows,
      folds: 1,
      judged: rows,
      standardError: 0,
      ...judge.of(fitted),
    }
    trials.push(trial)
    onTrial?.({ model, learner, rows })
    if (!best || trial.score < best.trial.score) best = { trial, fitted }
  }
  const { model, learner, score } = best!.trial
  return {
    model,
    learner,
    calibrated: false,
    criterion: judge.criterion,
    why: `${model} ${judge.says(score, trials.length)}`,
    trials,
    baselines: [],
    spent: 0,
    fitted: target === undefined ? best!.fitted : best!.fitted.withTarget(target),
  }
}
