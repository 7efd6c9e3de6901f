/**
 * The arrows of a declared model, read off its spec: which column is modelled given which others. A switch is a parent of everything below it, and columns that are
 * modelled together each depend on those before.
 */
import type { Description } from "../contract/report.ts"
import { didYouMean, list, nearest, SufficeError, show } from "../errors.ts"
import { hiddenName } from "./classes.ts"
import { parentsFirst } from "./network/graph.ts"

export interface Arrows {
  readonly names: readonly string[]
  /** By number. */
  readonly parents: readonly (readonly number[])[]
  /** Columns that are in no data. */
  readonly hidden: readonly string[]
}

export function arrowsIn(spec: Description): Arrows {
  const parents = new Map<string, Set<string>>()
  const hidden = new Set<string>()
  const add = (name: string, above: readonly string[]): void => {
    const own = parents.get(name) ?? new Set<string>()
    parents.set(name, own)
    for (const parent of above) own.add(parent)
  }
  const visit = (spec: Description, above: readonly string[]): void => {
    switch (spec.kind) {
      case "network":
        for (const node of spec.nodes as readonly Description[]) {
          add(node.name as string, [...(node.parents as readonly string[]), ...above])
          if (node.hidden !== undefined) hidden.add(node.name as string)
        }
        return
      // one column of a row; what its steps hold, arrows between columns of rows say nothing of
      case "dynamicNetwork":
        add(spec.steps as string, above)
        return
      case "leaf": {
        const columns = spec.columns as readonly string[]
        const { on } = spec.options as { readonly on?: readonly string[] }
        for (const [j, column] of columns.entries())
          add(column, [...(on ?? []), ...columns.slice(0, j), ...above])
        return
      }
      case "independent":
        for (const part of spec.parts as readonly Description[]) visit(part, above)
        return
      case "classes":
      case "mixture": {
        const name = spec.kind === "classes" ? (spec.column as string) : mixtureName(spec)
        if (spec.kind === "mixture") hidden.add(name)
        add(name, above)
        for (const body of spec.bodies as readonly Description[]) visit(body, [...above, name])
        return
      }
      default:
        throw new SufficeError(
          "model",
          `the columns of ${String(spec.kind)} stand in the steps of rows. Arrows between columns of a row say nothing of them. Ask about a model of networks, classes, mixtures and independent parts.`,
          { kind: spec.kind },
        )
    }
  }
  visit(spec, [])
  const names = [...parents.keys()]
  return {
    names,
    parents: Array.from(parents.values(), own => Array.from(own, name => names.indexOf(name))),
    hidden: [...hidden],
  }
}

function mixtureName({ name, bodies }: Description): string {
  const below = (bodies as readonly Description[]).flatMap(body => arrowsIn(body).names)
  return (name as string | undefined) ?? hiddenName([...new Set(below)])
}

/** Does the model hold a network? */
export function hasNetwork(spec: unknown): boolean {
  if (typeof spec !== "object" || spec === null) return false
  const { kind } = spec as { kind?: unknown }
  return kind === "network" || kind === "dynamicNetwork" || Object.values(spec).some(hasNetwork)
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
