/** Structures that a program carries only if it names them, or reads models of any kind. */
import type { Model } from "../contract/model.ts"
import type { Description } from "../contract/report.ts"
import { chainKind } from "./chain/kind.ts"
import { type StructureKind, type Visitor, walkBody } from "./kind.ts"
import { kindsWith } from "./list.ts"
import { dynamicNetworkKind } from "./network/dynamic/kind.ts"
import { networkKind } from "./network/kind.ts"
import { windowKind } from "./window.ts"

export const largeStructures: readonly StructureKind[] = [
  chainKind,
  networkKind,
  dynamicNetworkKind,
  windowKind,
]

/** Visit the parts of a description of the model; throws if one is missing or unknown. */
export function walkDescription(model: Model, description: Description, visitor: Visitor): void {
  walkBody(model.spec, description, "", visitor, kindsWith(largeStructures))
}
