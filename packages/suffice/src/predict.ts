/**
 * `suffice/predict`: load a model and ask it, with the families it needs and nothing else. For pages and edge functions.
 * The kinds of families come from `suffice`, one by one: `gaussianKind`; so does that of a large structure: `chainKind`.
 */

import { Predictor } from "./answers/predictor.ts"
import type { BeliefKind } from "./contract/belief.ts"
import type { Cell } from "./contract/cells.ts"
import type { FamilyKind, Given } from "./contract/family.ts"
import { familiesOf, type Structures, stemmersOf, structuresOf } from "./fit/load-options.ts"
import { readModel } from "./fit/read-model.ts"

export type { Predictor }

/** A model that predicts, from its file, the kinds of families it uses, and the stemmers. `structures`: chainKind, if it has chains. */
export function loadPredictor<Cells = Record<string, Cell>, Target extends string = string>(
  json: unknown,
  options: {
    readonly families: readonly FamilyKind[]
    /** Of a model that was learned by bayes(): `beliefs` of "suffice/learn". */
    readonly beliefs?: readonly BeliefKind[]
  } & Structures &
    Given,
): Predictor<Cells, Target> {
  const kinds = familiesOf("loadPredictor", options, ["structures", "beliefs"])
  const structures = structuresOf("loadPredictor", options)
  const { beliefs } = options
  const { known } = readModel(json, kinds, structures, { ...stemmersOf("loadPredictor", options), beliefs })
  return new Predictor<Cells, Target>(known)
}
