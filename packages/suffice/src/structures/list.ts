/** Every structure that saving and `specify` know. */
import type { Model } from "../contract/model.ts"
import type { Description } from "../contract/report.ts"
import { chainKind } from "./chain/kind.ts"
import { independentKind } from "./independent.ts"
import { type Kinds, type Revival, revive, type StructureKind, type Visitor, walkBody } from "./kind.ts"
import { leafKind } from "./leaf.ts"
import { plateKind } from "./plate.ts"
import { classesKind, mixtureKind } from "./switch-kinds.ts"

const structures: readonly StructureKind[] = [
  leafKind,
  independentKind,
  classesKind,
  mixtureKind,
  plateKind,
  chainKind,
]

const KINDS: Kinds = /* @__PURE__ */ new Map(structures.map(kind => [kind.name, kind]))

/** The model that a spec from a file declares. Families are looked up by name: nothing in the file is run. */
export function reviveModel(spec: unknown, revival: Omit<Revival, "structures">, path = "model"): Model {
  return revive(spec, { ...revival, structures: KINDS }, path)
}

/** Visit the parts of a description of the model; throws if one is missing or unknown. */
export function walkDescription(model: Model, description: Description, visitor: Visitor): void {
  walkBody(model.spec, description, "", visitor, KINDS)
}
