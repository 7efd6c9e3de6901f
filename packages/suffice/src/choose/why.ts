/** A choice in words: what became of everything that was tried, and why the winner. */

import type { Fitted } from "../fit/fitted.ts"
import { HARDLY, meanLoss } from "../measure/one-standard-error.ts"
import type { Choice, Trial } from "./choose.ts"
import type { Won } from "./halving.ts"
import { better, nameOf, type Runner } from "./runner.ts"
import type { Pair } from "./trial.ts"

export function trialOf(runner: Runner, isLast: boolean, won: Won): Trial {
  const { pair, free, rows, folds, held, dropped, refused } = runner
  const form = runner === won.runner ? won.form : better(runner)
  const { difference, standardError } = meanLoss(form.losses, held.weights)
  return {
    model: pair.model,
    learner: pair.learner,
    calibrated: form === runner.calibrated,
    free,
    rows,
    folds,
    judged: held.losses.length,
    score: difference,
    standardError,
    ...(!isLast && dropped !== undefined && { dropped }),
    ...(refused !== undefined && { refused }),
  }
}

export function whyOf({ runner, form, softening, best, tied }: Won, compared: number): string {
  const { weights } = runner.held
  const said = (losses: ArrayLike<number>): string => {
    const { difference, standardError } = meanLoss(losses, weights)
    if (!Number.isFinite(difference)) return "infinitely much (a level was impossible)"
    return `${difference.toPrecision(3)} ± ${standardError.toPrecision(2)}`
  }
  const name = `${nameOf(runner.pair)}${softening === undefined ? "" : ", calibrated,"}`
  const where = `on ${weights.length} rows it had not learned from`
  const lowest = better(best)
  if (form === lowest) {
    return compared === 1
      ? `${name} loses ${said(form.losses)} ${where}; the others were dropped before.`
      : `${name} has the lowest log-loss, ${said(form.losses)} ${where}.`
  }
  const near = `within one standard error, or ${HARDLY} nats, of`
  if (runner === best)
    return `${name} calibrated has the lowest log-loss, ${said(lowest.losses)} ${where}; as it is, ${said(form.losses)}, it is ${near} that, and simpler.`
  const other = `${nameOf(best.pair)}${lowest === best.calibrated ? ", calibrated," : ""}`
  return `${name} is the simplest of ${tied} ${near} the lowest log-loss: ${said(form.losses)} ${where}, ${other} ${said(lowest.losses)}.`
}

/** Nothing can be compared: the first, which is the simplest. */
export function tooFew(pairs: readonly Pair[], labelled: number, fitted: Fitted): Choice {
  const [{ model, learner }] = pairs
  return {
    model,
    learner,
    calibrated: false,
    criterion: "logLoss",
    why: `${labelled} rows with a label are too few to compare models: the first is taken.`,
    trials: pairs.map(pair => ({
      model: pair.model,
      learner: pair.learner,
      calibrated: false,
      free: Number.NaN,
      rows: 0,
      folds: 0,
      judged: 0,
      score: Number.NaN,
      standardError: Number.NaN,
      dropped: "too few rows to compare",
    })),
    baselines: [],
    spent: 0,
    fitted,
  }
}
