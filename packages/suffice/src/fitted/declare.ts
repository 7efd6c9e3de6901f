/** `declare`: a model from plain data, without anything learned: what `model.spec` holds, and a saved model under `model`. */
import type { Cell, Model } from "../contract.ts"
import { families } from "../families/list.ts"
import { reviveModel } from "../structures/list.ts"

/** The model that a spec declares. Everything in it is checked, and nothing in it is run. */
export function declare(spec: unknown): Model<Record<string, Cell>, string> {
  const known = new Map(families.map(kind => [kind.name, kind]))
  return reviveModel(spec, { families: known, most: Number.MAX_SAFE_INTEGER }) as Model<
    Record<string, Cell>,
    string
  >
}
