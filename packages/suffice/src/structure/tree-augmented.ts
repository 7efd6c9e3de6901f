/** Tree-augmented naive Bayes as a preset: a model whose arrows `fit` finds in the rows that it learns from. */
import type { Family } from "../contract/family.ts"
import type { Description } from "../contract/report.ts"
import { SufficeError } from "../errors.ts"
import { bernoulliKind } from "../families/bernoulli.ts"
import { categorical, categoricalKind } from "../families/categorical.ts"
import type { LeafSpec, LooseModel } from "../propose/presets.ts"
import { classes } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { given, network } from "../structures/network/declare.ts"
import { treeParents } from "./tan.ts"

/**
 * The columns of levels as a network below the label, whose arrows `fit` finds; the others beside it. Numbers have no arrows: a regression would need its parent in
 * every row, and a normal of few rows that all hold the same number seems to explain it perfectly. `declared`: a column beside it.
 */
export function treeAugmented(
  label: string,
  leaves: readonly LeafSpec[],
  declared: (leaf: LeafSpec) => LooseModel,
): LooseModel {
  const nodes = Object.fromEntries(nodesOf(leaves))
  const count = Object.keys(nodes).length
  if (count < 2) {
    throw new SufficeError(
      "model",
      `"tan" is a tree of columns with levels, and there ${count === 1 ? "is one of them" : "are none"} beside the label. Two at least can depend on each other. Take "naive-bayes" or "lda", or give another column levels.`,
    )
  }
  const beside = leaves.filter(({ columns }) => !Object.hasOwn(nodes, columns[0]))
  const withArrows = (parents: ReadonlyMap<string, string>): LooseModel => {
    const own = Object.entries(nodes).map(([name, family]) => {
      const parent = parents.get(name)
      return [name, parent === undefined ? family : given([parent], family)] as const
    })
    const tree = network(Object.fromEntries(own)) as unknown as LooseModel
    const body = beside.length === 0 ? tree : independent(tree, ...beside.map(declared))
    return classes(label, body as LooseModel) as unknown as LooseModel
  }
  return {
    ...withArrows(new Map()),
    async find(data, options) {
      const families = { [label]: categorical(), ...nodes }
      return withArrows(await treeParents(families, label, data, options))
    },
  }
}

/** The columns that have a place in a tree. */
export function nodesOf(leaves: readonly LeafSpec[]): [name: string, family: Family][] {
  return leaves.flatMap(({ family, columns, spec }) => {
    const { options = {} } = spec as { readonly options?: Description }
    const kind = [bernoulliKind, categoricalKind].find(({ name }) => name === family)
    return kind ? [[columns[0], kind.make(options)] as [string, Family]] : []
  })
}
