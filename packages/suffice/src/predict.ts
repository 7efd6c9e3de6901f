/**
 * `suffice/predict`: load a model and ask it, with the families it needs and nothing else. For pages and edge functions.
 */
import type { Cell, FamilyKind } from "./contract.ts"
import { Predictor } from "./fitted/predictor.ts"
import { readModel } from "./fitted/read-model.ts"

export { SufficeError } from "./errors.ts"
export { bernoulliKind } from "./families/bernoulli.ts"
export { categoricalKind } from "./families/categorical.ts"
export { gaussianKind } from "./families/gaussian.ts"
export { multinomialKind } from "./families/multinomial.ts"
export { normalKind } from "./families/normal/normal.ts"
export { wordSetKind } from "./families/word-set.ts"
export type { Predictor }

/** A model that predicts, from its file and the kinds of families it uses. */
export function loadPredictor<Cells = Record<string, Cell>, Target extends string = string>(
  json: unknown,
  options: { readonly families: readonly FamilyKind[] },
): Predictor<Cells, Target> {
  return new Predictor<Cells, Target>(readModel(json, options.families).known)
}
