/**
 * `suffice/describe`: what a model is, for people. Guides of families and structures, walks over a declaration (`model.spec`), and the parts of a fitted model.
 * Pages that only predict do not load it.
 */

// Families and structures.

export type { ColumnKind, Guide, Setting, Writing } from "./contract/guide.ts"
export { alternatives, familyWith, guideOf, structureGuideOf, titleOf, usualFamily } from "./declare/guide.ts"
export type { StructureName } from "./declare/trees.ts"
export { type FamilyName, families, guides } from "./families/list.ts"
export type { StructureGuide } from "./structures/tree.ts"

// A declaration.

export { type Arrows, arrowsIn, graphIn, hasNetwork } from "./declare/arrows.ts"
export { codeOf, MAKERS } from "./declare/guide.ts"
export {
  childrenOf,
  columnsIn,
  familiesIn,
  has,
  leaves,
  mapTree,
  specsIn,
  treeOf,
  uncheckedSpecs,
} from "./declare/tree.ts"
export { productSpec } from "./structures/independent-tree.ts"
export { leafSpec } from "./structures/leaf-tree.ts"
export { mixtureSpec } from "./structures/switch-trees.ts"
export type { GraphNode, LeafSpec, StructureTree } from "./structures/tree.ts"

// A fitted model.

export type {
  Above,
  DescribedChain,
  DescribedLeaf,
  DescribedPart,
  DescribedSwitch,
} from "./contract/described.ts"
export { byColumn, type Component, componentsOf, directlyBelow } from "./declare/components.ts"
export { partsIn } from "./declare/parts.ts"
export { STATE } from "./structures/chain/tree.ts"
