/** `declare`: an unfitted model from plain data, in the form of `model.spec` and of `model` in a saved file. */
import type { Cell } from "../contract/cells.ts"
import type { Given } from "../contract/family.ts"
import type { Model } from "../contract/model.ts"
import { refuseUnknown } from "../errors.ts"
import { families } from "../families/list.ts"
import { largeStructures } from "../structures/large.ts"
import { reviveModel } from "../structures/list.ts"
import { stemmersOf } from "./load-options.ts"

/** The model that a spec declares. Everything in it is checked, and nothing in it is run. `stemmers`: the stemmers it names. */
export function declare(spec: unknown, options: Given = {}): Model<Record<string, Cell>, string> {
  refuseUnknown("declare", options, ["stemmers"])
  const known = new Map(families.map(kind => [kind.name, kind]))
  return reviveModel(
    spec,
    {
      families: known,
      most: Number.MAX_SAFE_INTEGER,
      ...stemmersOf("declare", options),
    },
    largeStructures,
  ) as Model<Record<string, Cell>, string>
}
