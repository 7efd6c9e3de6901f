/** Choosing by completion: how well part of a document predicts its other words, on folds that were not learned from. */

import { noSecondWord, predictedWords, solvedOf } from "../answers/completion.ts"
import type { Data } from "../data/read.ts"
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
  const { seed = 0, folds = 5, group, time, signal, onTrial, onStep, checkpoint, target } = options
  const { weight, classWeights, threads } = options
  const given = { seed, weight, classWeights, threads, signal }
  const fitting: FitOptions = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  )
  const batch = await sampled(data, seed, signal)
  const parts = cut(batch, folds, {
    seed,
    ...(group !== undefined && { group }),
    ...(time !== undefined && { time }),
  })
  const tried: { readonly pair: Pair; readonly free: number; readonly losses: Float64Array }[] = []
  let counts: Float64Array | undefined
  for (const pair of pairs) {
    const logs: number[] = []
    const words: number[] = []
    let free = 0
    for (const { train, test } of parts) {
      const fitted = await fit(pair.of, train, { ...fitting, learner: pair.by })
      const found = predictedWords(solvedOf(fitted), test, { seed })
      logs.push(...found.logs)
      words.push(...found.counts)
      free = Math.max(free, fitted.free)
      onTrial?.({ model: pair.model, learner: pair.learner, rows: rowCount(train) })
    }
    counts ??= Float64Array.from(words)
    if (counts.some((count, i) => count !== words[i])) throw otherWords(pairs[0].model, pair.model)
    // NaN: the document has no two words that the model knows
    const losses = Float64Array.from(logs, (log, i) => (words[i] > 0 ? -log / words[i] : Number.NaN))
    tried.push({ pair, free, losses })
  }
  const weights = counts!
  if (weights.every(count => count === 0)) throw noSecondWord(undefined)
  const rivals = tried.map(({ pair, free, losses }) => ({ losses, simplicity: [free, pair.place] }))
  const { best, taken, tied } = oneStandardError(rivals, weights)
  const judged = weights.filter(count => count > 0).length
  const perplexity = (one: number): string =>
    exp(meanLoss(tried[one].losses, weights).difference).toPrecision(4)
  const name = nameOf(tried[taken].pair)
  const { of, by, model, learner } = tried[taken].pair
  const fitted = await fit(of, data, {
    ...fitting,
    learner: by,
    ...(checkpoint && { checkpoint }),
    ...(onStep && { onStep }),
  })
  return {
    model,
    learner,
    calibrated: false,
    criterion: "completion",
    why:
      taken === best
        ? `${name} has the lowest perplexity of completion, ${perplexity(taken)} on ${judged} rows it had not learned from.`
        : `${name} is the simplest of ${tied.length} within one standard error of the lowest perplexity of completion: ${perplexity(taken)} on ${judged} rows it had not learned from, ${nameOf(tried[best].pair)} ${perplexity(best)}.`,
    trials: tried.map(({ pair, free, losses }): Trial => {
      const { difference, standardError } = meanLoss(losses, weights)
      return {
        model: pair.model,
        learner: pair.learner,
        calibrated: false,
        free,
        rows: rowCount(batch) - Math.floor(rowCount(batch) / folds),
        folds,
        judged,
        score: difference,
        standardError,
      }
    }),
    baselines: [],
    spent: 0,
    fitted: target === undefined ? fitted : fitted.withTarget(target),
  }
}

function otherWords(one: string, other: string): SufficeError {
  return new SufficeError(
    "option",
    `choose: ${list([one, other])} know different words. Completion counts the words that a model knows, and an easier vocabulary looks like a better model. Give all of them the same text options.`,
    { models: [one, other] },
  )
}
