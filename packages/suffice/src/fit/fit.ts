/** `fit` and `learn`: a declared model and rows become a fitted model. */

import type { DataFor } from "../answers/types.ts"
import type { Model } from "../contract/model.ts"
import type { Data } from "../data/read.ts"
import { type Fitted, fittedOf } from "./fitted.ts"
import type { FitOptions, Step } from "./options.ts"
import { lastOfBest, steps } from "./steps.ts"

/**
 * Learn the model: the last step of the best run. The best run has the highest objective, except that runs that end with parameters clamped
 * at the edge of their domain rank behind all others: the likelihood has no maximum there, so its height means nothing.
 */
export async function fit<Cells, Target extends string, const Given>(
  model: Model<Cells, Target>,
  data: DataFor<Cells, Target, Given>,
  options: FitOptions = {},
): Promise<Fitted<Cells, Target>> {
  return lastOfBest(learn(model, data, options), options)
}

/** The same loop for the caller to drive, one step at a time. */
export function learn<Cells, Target extends string, const Given>(
  model: Model<Cells, Target>,
  data: DataFor<Cells, Target, Given>,
  options: FitOptions = {},
): AsyncGenerator<Step<Cells, Target>, void, void> {
  return steps(model, data as Data, options, undefined, fittedOf)
}
