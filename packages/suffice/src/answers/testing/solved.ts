/** The solved model inside a fitted one, for tests of single answers. */
import type { Level } from "../../contract/cells.ts"
import type { Model } from "../../contract/model.ts"
import type { Description } from "../../contract/report.ts"
import type { Fitted } from "../../fit/fitted.ts"
import { specify } from "../../index.ts"
import type { SolvedModel } from "../knowledge.ts"

export function solvedOf(fitted: unknown): SolvedModel {
  return (fitted as Fitted & { readonly solved: SolvedModel }).solved
}

export function specified(
  model: Model,
  parameters: Description,
  levels: Record<string, readonly Level[]> = {},
): SolvedModel {
  return solvedOf(specify(model, parameters, { levels }))
}
