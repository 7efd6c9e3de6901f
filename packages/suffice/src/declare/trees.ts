/** The trees of all structures, by name: what walkers over specs ask; and their guides, for people. */
import { chainGuide, chainTree } from "../structures/chain/tree.ts"
import { independentGuide, independentTree } from "../structures/independent-tree.ts"
import { leafGuide, leafTree } from "../structures/leaf-tree.ts"
import { dynamicNetworkGuide, dynamicNetworkTree } from "../structures/network/dynamic/tree.ts"
import { networkGuide, networkTree } from "../structures/network/tree.ts"
import { plateGuide, plateTree } from "../structures/plate-tree.ts"
import { classesGuide, classesTree, mixtureGuide, mixtureTree } from "../structures/switch-trees.ts"
import type { StructureGuide, StructureTree } from "../structures/tree.ts"
import { windowGuide, windowTree } from "../structures/window-tree.ts"

export const trees = {
  leaf: leafTree,
  independent: independentTree,
  classes: classesTree,
  mixture: mixtureTree,
  plate: plateTree,
  chain: chainTree,
  network: networkTree,
  dynamicNetwork: dynamicNetworkTree,
  window: windowTree,
} satisfies Record<string, StructureTree>

/** The name of a structure of the list. */
export type StructureName = keyof typeof trees

export const structureGuides = {
  leaf: leafGuide,
  independent: independentGuide,
  classes: classesGuide,
  mixture: mixtureGuide,
  plate: plateGuide,
  chain: chainGuide,
  network: networkGuide,
  dynamicNetwork: dynamicNetworkGuide,
  window: windowGuide,
} satisfies Record<StructureName, StructureGuide>
