/** Every structure that saving and `specify` know. Pages that only predict name those that are large, as they name families. */
import type { Model } from "../contract/model.ts"
import { independentKind } from "./independent.ts"
import { type Kinds, type Revival, revive, type StructureKind } from "./kind.ts"
import { leafKind } from "./leaf.ts"
import { plateKind } from "./plate.ts"
import { classesKind, mixtureKind } from "./switch-kinds.ts"

const structures: readonly StructureKind[] = [leafKind, independentKind, classesKind, mixtureKind, plateKind]

/** These, and some more. */
export function kindsWith(more: readonly StructureKind[]): Kinds {
  return new Map([...structures, ...more].map(kind => [kind.name, kind]))
}

/** The model that a spec from a file declares. Families are looked up by name: nothing in the file is run. `more`: structures it may name besides. */
export function reviveModel(
  spec: unknown,
  revival: Omit<Revival, "structures">,
  more: readonly StructureKind[],
  path = "model",
): Model {
  return revive(spec, { ...revival, structures: kindsWith(more) }, path)
}
