/**
 * Choosing by evidence: ln p(rows | model), the parameters integrated out by bayes(). The lowest −ln p wins.
 *
 *     score = −( ELBO + Σ ln K! )        a posterior of K components has K! copies of itself, and a variational one finds one of them
 *
 * The default prior does not depend on K, so that the numbers of components compete on the same terms (engine/believe.ts).
 */
import type { Data } from "../data/read.ts"
import { logSymmetries } from "../engine/believe.ts"
import { list, SufficeError } from "../errors.ts"
import type { Choice, ChooseOptions, Trial } from "./choose.ts"
import { fit } from "./fit.ts"
import type { Fitted } from "./fitted.ts"
import { solvedOf } from "./predictor.ts"
import type { Pair } from "./trial.ts"

export async function byEvidence(
  pairs: readonly Pair[],
  data: Data,
  options: ChooseOptions,
): Promise<Choice> {
  const without = pairs.filter(({ by }) => !by.beliefs).map(({ learner }) => learner)
  if (without.length > 0) throw noEvidence([...new Set(without)])
  const { seed, weight, classWeights, threads, signal, onStep, onTrial, target } = options
  const fitting = { seed, weight, classWeights, threads, signal, onStep }
  const given = Object.fromEntries(Object.entries(fitting).filter(([, value]) => value !== undefined))
  const trials: Trial[] = []
  let best: { readonly trial: Trial; readonly fitted: Fitted } | undefined
  for (const pair of pairs) {
    const fitted = await fit(pair.of, data, { ...given, learner: pair.by })
    const { evidence, free } = fitted
    const rows = fitted.training?.rows ?? 0
    const trial: Trial = {
      model: pair.model,
      learner: pair.learner,
      calibrated: false,
      free,
      rows,
      folds: 1,
      judged: rows,
      score: -(evidence.value + logSymmetries(solvedOf(fitted).known.laid)),
      standardError: 0,
      evidence,
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
    criterion: "evidence",
    why: `${model} has the highest evidence of ${trials.length}, ln p(rows) = ${(-score).toPrecision(6)}.`,
    trials,
    baselines: [],
    spent: 0,
    fitted: target === undefined ? best!.fitted : best!.fitted.withTarget(target),
  }
}

function noEvidence(learners: readonly string[]): SufficeError {
  return new SufficeError(
    "option",
    `choose: the criterion is "evidence", but ${list(learners)} ${learners.length === 1 ? "keeps" : "keep"} no posterior. The evidence integrates over the parameters. Write { learners: { bayes: bayes() } }, with bayes from "suffice/learn".`,
    { option: "learners" },
  )
}
