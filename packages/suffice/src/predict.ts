/**
 * `suffice/predict`: load a model and ask it, with the families it needs and nothing else. For pages and edge functions.
 * The kinds of families come from the index, one by one: import { gaussianKind } from "suffice".
 */
import type { Cell, FamilyKind } from "./contract.ts"
import { Predictor } from "./fitted/predictor.ts"
import { readModel } from "./fitted/read-model.ts"

export { SufficeError } from "./errors.ts"
export type { Predictor }

/** A model that predicts, from its file and the kinds of families it uses. */
export function loadPredictor<Cells = Record<string, Cell>, Target extends string = string>(
  json: unknown,
  options: { readonly families: readonly FamilyKind[] },
): Predictor<Cells, Target> {
  return new Predictor<Cells, Target>(readModel(json, options.families).known)
}
