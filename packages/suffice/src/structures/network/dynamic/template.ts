/** The two slices of a network over steps: the network of the first step, and the network of every later step given the step before. */
import type { Family } from "../../../contract/family.ts"
import { didYouMean, list, nearest, SufficeError, show } from "../../../errors.ts"
import {
  type Before,
  checkOrder,
  checkParents,
  type DeclaredNode,
  isBefore,
  type RawNode,
  regression,
} from "../nodes.ts"
import { nameBefore } from "./name-before.ts"

/**
 * The two networks that a template says: that of the first step, and that of every other one. The latter has more nodes behind those of the step: the columns of the step before
 * that it depends on, which are given.
 */
export interface Slices {
  readonly first: readonly DeclaredNode[]
  readonly later: readonly DeclaredNode[]
  /** Columns with levels that the next step depends on, and where they stand, one step later, among the nodes of `later`. */
  readonly carried: readonly number[]
  readonly ghosts: readonly number[]
  /** Numbers that the next step depends on, and where they stand there. */
  readonly lagged: readonly number[]
  readonly shades: readonly number[]
}

/** The networks of the first step and of the others, their parents found and checked. */
export function slicesOf(nodes: readonly RawNode[]): Slices {
  const names = nodes.map(({ name }) => name)
  const places = new Map(names.map((name, v) => [name, v]))
  const within = nodes.map(({ parents }) => parents.filter(parent => !isBefore(parent)) as string[])
  const across = nodes.map(({ parents }) => parents.filter(isBefore).map(({ before }) => before))
  nodes.forEach(({ name }, v) => {
    checkParents(name, within[v], places)
    checkBefore(name, across[v], places)
  })
  const parents = within.map(own => own.map(name => places.get(name)!))
  checkOrder(names, parents)
  checkHidden(nodes, within, across)
  const isLevel = (v: number): boolean => nodes[v].family.need.kind === "level"
  const early = [...new Set(across.flat())].map(name => places.get(name)!).sort((one, other) => one - other)
  const carried = early.filter(isLevel)
  const lagged = early.filter(v => !isLevel(v))
  const count = nodes.length
  const ghosts = carried.map((_, j) => count + j)
  const shades = lagged.map((_, j) => count + carried.length + j)
  const all: RawNode<string>[] = nodes.map(node => ({ ...node, parents: node.parents.map(nameOf) }))
  const given = [...carried, ...lagged].map(v => ({
    ...nodes[v],
    name: nameBefore(names[v]),
    parents: [],
    isHidden: isLevel(v),
  }))
  return {
    first: linked(nodes.map((node, v) => ({ ...node, parents: within[v] }))),
    later: linked([...all, ...given]),
    carried,
    ghosts,
    lagged,
    shades,
  }
}

function nameOf(parent: string | Before): string {
  return isBefore(parent) ? nameBefore(parent.before) : parent
}

/** Nodes whose parents are known to be among them. */
function linked(raw: readonly RawNode<string>[]): DeclaredNode[] {
  const names = raw.map(({ name }) => name)
  return raw.map(({ name, parents, family: plain, isHidden }) => {
    const own = parents.map(parent => names.indexOf(parent))
    const isLevel = (u: number): boolean => raw[u].family.need.kind === "level"
    const levelParents = own.filter(isLevel)
    const numberParents = own.filter(u => !isLevel(u))
    const family: Family = numberParents.length > 0 ? regression(name, numberParents, raw, plain) : plain
    return { name, parents, levelParents, numberParents, family, plain, isHidden }
  })
}

function checkBefore(name: string, parents: readonly string[], places: ReadonlyMap<string, number>): void {
  parents.forEach((parent, j) => {
    if (parents.indexOf(parent) < j) {
      throw new SufficeError(
        "model",
        `network: column ${show(name)} has the parent before(${show(parent)}) twice. Its two influences could not be told apart. Name it once.`,
        { column: name, parent },
      )
    }
    if (places.has(parent)) return
    const near = nearest(parent, [...places.keys()])
    throw new SufficeError(
      "model",
      `network: column ${show(name)} has the parent before(${show(parent)}), which is no column of the network. It has ${list(places.keys())}. ${didYouMean(near, "Add it to the network, or take it out of the list.")}`,
      { column: name, parent, nearest: near },
    )
  })
}

function checkHidden(
  nodes: readonly RawNode[],
  within: readonly (readonly string[])[],
  across: readonly (readonly string[])[],
): void {
  for (const { name, isHidden } of nodes) {
    const isParent = (own: readonly string[], v: number): boolean =>
      own.includes(name) && nodes[v].name !== name
    if (!isHidden || within.some(isParent) || across.some(isParent)) continue
    throw new SufficeError(
      "model",
      `network: nothing depends on the hidden column ${show(name)}${across.flat().includes(name) ? " but itself, one step later" : ""}. No row can say anything of it. Make it a parent of other columns, or leave it out.`,
      { column: name },
    )
  }
}
