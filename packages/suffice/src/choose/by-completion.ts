/** Choosing by completion: how well part of a document predicts its other words, on folds that were not learned from. */

import { noSecondWord, predictedWords, solvedOf } from "../answers/completion.ts"
import type { Batch, Data } from "../data/read.ts"
import { rowCount } from "../data/take.ts"
import { list, SufficeError } from "../errors.ts"
import { fit } from "../fit/fit.ts"
import type { FitOptions } from "../fit/options.ts"
import { exp } from "../kernels/exp.ts"
import { meanLoss, oneStandardError } from "../measure/one-standard-error.ts"
import type { Choice, ChooseOptions, Trial } from "./choose.ts"
import { nameOf } from "./runner.ts"
import { sampled } from "./sampled.ts"
import { folds as cut } from "./split.ts"
import type { Pair } from "./trial.ts"

export async function byCompletion(
  pairs: readonly Pair[],
  data: Data,
  options: ChooseOptions,
): Promise<Choice> {
  const { seed = 0, folds = 5, signal, onStep, checkpoint, target } = options
  const fitting = fittingOf(options)
  const batch = await sampled(data, seed, signal)
  const { tried, weights } = await completed(pairs, batch, fitting, options)
  if (weights.every(count => count === 0)) throw noSecondWord(undefined)
  const rivals = tried.map(({ pair, free, losses }) => ({ losses, simplicity: [free, pair.place] }))
  const outcome = oneStandardError(rivals, weights)
  const { of, by, model, learner } = tried[outcome.taken].pair
  const fitted = await fit(of, data, {
    ...fitting,
    learner: by,
    ...(checkpoint && { checkpoint }),
    ...(onStep && { onStep }),
  })
  const rows = rowCount(batch)
  return {
    model,
    learner,
    calibrated: false,
    criterion: "completion",
    why: reasonOf(tried, weights, outcome),
    trials: tried.map(completion => trialOf(completion, weights, rows, folds)),
    baselines: [],
    spent: 0,
    fitted: target === undefined ? fitted : fitted.withTarget(target),
  }
}

/** How well one candidate completes the documents of the held-out folds. */
interface Completed {
  readonly pair: Pair
  readonly free: number
  /** −ln p per word of each document; NaN if it has no two words that the model knows. */
  readonly losses: Float64Array
}

/** The options of `fit` among those of `choose`. */
function fittingOf({ seed = 0, weight, classWeights, threads, signal }: ChooseOptions): FitOptions {
  const given = { seed, weight, classWeights, threads, signal }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** Every candidate on the same folds. `weights`: the words that each document predicts. */
async function completed(
  pairs: readonly Pair[],
  batch: Batch,
  fitting: FitOptions,
  { seed = 0, folds = 5, group, time, onTrial }: ChooseOptions,
): Promise<{ tried: readonly Completed[]; weights: Float64Array }> {
  const parts = cut(batch, folds, {
    seed,
    ...(group !== undefined && { group }),
    ...(time !== undefined && { time }),
  })
  const tried: Completed[] = []
  let counts: Float64Array | undefined
  for (const pair of pairs) {
    const logs: number[] = []
    const words: number[] = []
    let free = 0
    for (const { train, test } of parts) {
      const fitted = await fit(pair.of, train, { ...fitting, learner: pair.by })
      const predicted = predictedWords(solvedOf(fitted), test, { seed })
      logs.push(...predicted.logs)
      words.push(...predicted.counts)
      free = Math.max(free, fitted.free)
      onTrial?.({ model: pair.model, learner: pair.learner, rows: rowCount(train) })
    }
    counts ??= Float64Array.from(words)
    if (counts.some((count, i) => count !== words[i])) throw otherWords(pairs[0].model, pair.model)
    const losses = Float64Array.from(logs, (log, i) => (words[i] > 0 ? -log / words[i] : Number.NaN))
    tried.push({ pair, free, losses })
  }
  return { tried, weights: counts! }
}

function reasonOf(
  tried: readonly Completed[],
  weights: Float64Array,
  { best, taken, tied }: ReturnType<typeof oneStandardError>,
): string {
  const judged = weights.filter(count => count > 0).length
  const perplexity = (place: number): string =>
    exp(meanLoss(tried[place].losses, weights).difference).toPrecision(4)
  const name = nameOf(tried[taken].pair)
  return taken === best
    ? `${name} has the lowest perplexity of completion, ${perplexity(taken)} on ${judged} rows it had not learned from.`
    : `${name} is the simplest of ${tied.length} within one standard error of the lowest perplexity of completion: ${perplexity(taken)} on ${judged} rows it had not learned from, ${nameOf(tried[best].pair)} ${perplexity(best)}.`
}

function trialOf(
  { pair, free, losses }: Completed,
  weights: Float64Array,
  rows: number,
  folds: number,
): Trial {
  const { difference, standardError } = meanLoss(losses, weights)
  return {
    model: pair.model,
    learner: pair.learner,
    calibrated: false,
    free,
    rows: rows - Math.floor(rows / folds),
    folds,
    judged: weights.filter(count => count > 0).length,
    score: difference,
    standardError,
  }
}

function otherWords(one: string, other: string): SufficeError {
  return new SufficeError(
    "option",
    `choose: ${list([one, other])} know different words. Completion counts the words that a model knows, and an easier vocabulary looks like a better model. Give all of them the same text options.`,
    { models: [one, other] },
  )
}
