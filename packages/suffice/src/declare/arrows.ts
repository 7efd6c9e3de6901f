/**
 * The arrows of a declared model, read off its spec: which column is modelled given which others. A switch is a parent of everything below it, and columns that are
 * modelled together each depend on those before.
 */
import type { Description } from "../contract/report.ts"
import { didYouMean, list, nearest, SufficeError, show } from "../errors.ts"
import { parentsFirst } from "../structures/network/graph.ts"
import type { GraphNode } from "../structures/tree.ts"
import { has, treeOf } from "./tree.ts"

/** The columns of a model and their parents. */
export interface Arrows {
  readonly names: readonly string[]
  /** By number. */
  readonly parents: readonly (readonly number[])[]
  /** Columns that are in no data. */
  readonly hidden: readonly string[]
}

/** The parents of each column; throws if the columns belong to steps. */
export function arrowsIn(spec: Description): Arrows {
  const parents = new Map<string, Set<string>>()
  const hidden = new Set<string>()
  const draw = (spec: Description, above: readonly string[]): void =>
    treeOf(spec).arrows(spec, {
      add(column, given = []) {
        const own = parents.get(column) ?? new Set<string>()
        parents.set(column, own)
        for (const parent of [...given, ...above]) own.add(parent)
      },
      hide: column => void hidden.add(column),
      visit: (child, given) => draw(child, given === undefined ? above : [...above, given]),
      columnsIn: child => arrowsIn(child).names,
    })
  draw(spec, [])
  const names = [...parents.keys()]
  return {
    names,
    parents: Array.from(parents.values(), own => Array.from(own, name => names.indexOf(name))),
    hidden: [...hidden],
  }
}

/** True if the declaration contains a network. */
export function hasNetwork(spec: Description): boolean {
  return has(spec, (_, { nodes }) => nodes !== undefined)
}

/** The columns of a row and their parents, of a network alone or below a label; undefined: it is another model. */
export function graphIn(spec: Description): readonly GraphNode[] | undefined {
  return treeOf(spec).graph?.(spec, graphIn)
}

/** The columns, each after those it depends on. */
export function revealed({ names, parents }: Arrows): string[] {
  return parentsFirst(parents)!.map(v => names[v])
}

/** The numbers of columns; throws if there is none of a name. */
export function nodesOf({ names }: Arrows, where: string, asked: readonly string[]): number[] {
  return asked.map(name => {
    const v = names.indexOf(name)
    if (v < 0) throw unknownColumn(where, name, names)
    return v
  })
}

export function unknownColumn(where: string, name: string, names: readonly string[]): SufficeError {
  const near = nearest(String(name), names)
  return new SufficeError(
    "column",
    `${where}: the model has no column ${show(name)}. It has ${list(names)}. ${didYouMean(near, "Name one of these.")}`,
    { column: name, nearest: near },
  )
}
