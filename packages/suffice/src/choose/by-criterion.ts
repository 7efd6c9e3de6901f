/** Choosing by an information criterion on the rows that are learned from: the lowest wins. */
import type { Data } from "../data/read.ts"
import { byTrainingRows, type Judge } from "./by-training-rows.ts"
import type { Choice, ChooseOptions, Criterion } from "./choose.ts"
import type { Pair } from "./trial.ts"

export function byCriterion(
  pairs: readonly Pair[],
  data: Data,
  criterion: Exclude<Criterion, "logLoss" | "completion" | "evidence">,
  options: ChooseOptions,
): Promise<Choice> {
  const judge: Judge = {
    criterion,
    of(fitted) {
      const criteria = fitted.criteria()
      return { score: criteria[criterion], free: criteria.free, criteria }
    },
    says: (score, trials) =>
      `has the lowest ${criterion.toUpperCase()} of ${trials}, ${score.toPrecision(6)}.`,
  }
  return byTrainingRows(pairs, data, judge, options)
}
