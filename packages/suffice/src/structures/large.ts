/** Structures that a program carries only if it names them, or loads models of any kind. */
import { chainKind } from "./chain/kind.ts"
import type { StructureKind } from "./kind.ts"

export const largeStructures: readonly StructureKind[] = [chainKind]
