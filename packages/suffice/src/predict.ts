/**
 * `suffice/predict`: load a model and predict, with the families it needs and nothing else. For pages and edge functions.
 * Import the kinds of families one by one: import { gaussianKind } from "suffice".
 */
import type { Cell, FamilyKind, Given } from "./contract.ts"
import { Predictor } from "./fitted/predictor.ts"
import { readModel } from "./fitted/read-model.ts"

export { SufficeError } from "./errors.ts"
export type { Predictor }

/** A model that predicts, from its file, the kinds of families it uses, and the stemmers. */
export function loadPredictor<Cells = Record<string, Cell>, Target extends string = string>(
  json: unknown,
  options: { readonly families: readonly FamilyKind[] } & Given,
): Predictor<Cells, Target> {
  return new Predictor<Cells, Target>(readModel(json, options.families, options).known)
}
