/** What networks of rows and over steps have in common: nodes as they are given and declared, and the checks of their parents. */
import type { Level } from "../../contract/cells.ts"
import type { Family } from "../../contract/family.ts"
import { didYouMean, list, nearest, SufficeError, show } from "../../errors.ts"
import { linearFamily } from "../../families/linear/linear.ts"
import { cycleOf, parentsFirst } from "./graph.ts"

/** The value of a column one step earlier, as a parent. */
export interface Before<Name extends string = string> {
  readonly before: Name
}

export function isBefore(parent: unknown): parent is Before {
  return (
    typeof parent === "object" && parent !== null && typeof (parent as Partial<Before>).before === "string"
  )
}

/** A node as it is given, its parents by name. */
export interface RawNode<Parent = string | Before> {
  readonly name: string
  readonly parents: readonly Parent[]
  readonly family: Family
  readonly isHidden: boolean
}

/** A node as it is declared: its family, or how many values hide in it. */
export interface DeclaredNode {
  readonly name: string
  /** Parents with levels, and numeric ones, each in the order they were given; as a whole, for people. */
  readonly parents: readonly string[]
  readonly levelParents: readonly number[]
  readonly numberParents: readonly number[]
  readonly family: Family
  /** The family as it was declared: the gaussian that became a regression. */
  readonly plain: Family
  readonly isHidden: boolean
  /** The value it is set to from outside (answers/intervene.ts); it has no parents then. */
  readonly held?: Level | undefined
}

export function checkOrder(names: readonly string[], parents: readonly (readonly number[])[]): void {
  if (parentsFirst(parents)) return
  const cycle = cycleOf(parents)
  throw new SufficeError(
    "model",
    `network: ${cycle.map(v => show(names[v])).join(" → ")} is a cycle. A column cannot depend on itself, by whatever way: the probabilities of a network multiply along its arrows. Remove one of these arrows, or turn it round.`,
    { columns: cycle.map(v => names[v]) },
  )
}

export function checkParents(
  name: string,
  parents: readonly string[],
  places: ReadonlyMap<string, number>,
): void {
  parents.forEach((parent, j) => {
    if (parent === name) {
      throw new SufficeError(
        "model",
        `network: column ${show(name)} is its own parent. A column cannot depend on itself. Take it out of its list.`,
        { column: name },
      )
    }
    if (parents.indexOf(parent) < j) {
      throw new SufficeError(
        "model",
        `network: column ${show(name)} has the parent ${show(parent)} twice. Its two influences could not be told apart. Name it once.`,
        { column: name, parent },
      )
    }
    if (places.has(parent)) return
    const near = nearest(parent, [...places.keys()])
    throw new SufficeError(
      "model",
      `network: column ${show(name)} has the parent ${show(parent)}, which is no column of the network. It has ${list(places.keys())}. ${didYouMean(near, "Add it to the network, or take it out of the list.")}`,
      { column: name, parent, nearest: near },
    )
  })
}

/** A gaussian with numeric parents is a linear regression on them. */
export function regression(
  name: string,
  parents: readonly number[],
  nodes: readonly { readonly name: string; readonly family: Family }[],
  family: Family,
): Family {
  const numbers = parents.map(u => nodes[u].name)
  const strange = parents.find(u => nodes[u].family.need.kind !== "number")
  if (strange !== undefined) {
    const other = nodes[strange]
    throw new SufficeError(
      "model",
      `network: column ${show(name)} has the parent ${show(other.name)}, which is modelled by ${other.family.name}(). A parent has levels, or is a number. Turn the arrow round, or give ${show(other.name)} another family.`,
      { column: name, parent: other.name },
    )
  }
  if (family.regression) return linearFamily(numbers, family.regression)
  const isLevel = family.need.kind === "level"
  throw new SufficeError(
    "model",
    isLevel
      ? `network: column ${show(name)} has levels, and is given the number ${show(numbers[0])}. A table has no row for every number. Turn the arrow round (its posterior given ${show(numbers[0])} is then logistic), or bin the number.`
      : `network: column ${show(name)} is given the number ${show(numbers[0])}, and modelled by ${family.name}(${family.options.variance === "tied" ? '{ variance: "tied" }' : ""}). Only gaussian() with its own variance can depend on a number: it becomes a linear regression. Use that, turn the arrow round, or bin the number.`,
    { column: name, parent: numbers[0] },
  )
}
