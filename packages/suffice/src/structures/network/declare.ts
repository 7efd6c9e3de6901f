/**
 * `network({ … })`: a Bayesian network. Every column is modelled given its parents, which are columns of the same network.
 *
 *     p(row) = Π_v p(x_v | parents of v)
 *
 * A node is its family with one slot per configuration of its parents with levels, the first parent outermost, and context. Numeric parents turn
 * `gaussian` into linear regression. A hidden node is a column that is missing in every row.
 */
import type { Level } from "../../contract/cells.ts"
import type { Use } from "../../contract/columns.ts"
import type { Family } from "../../contract/family.ts"
import type { Model } from "../../contract/model.ts"
import type { Description, Json } from "../../contract/report.ts"
import { didYouMean, list, nearest, refuseUnknown, SufficeError, show } from "../../errors.ts"
import { categorical } from "../../families/categorical.ts"
import { linearFamily } from "../../families/linear/linear.ts"
import { checkNames, sharedUses } from "../bodies.ts"
import { isFamily } from "../leaf.ts"
import { childrenOf, cycleOf, parentsFirst } from "./graph.ts"
import { layNetwork } from "./lay.ts"

/** A column that depends on others. */
export interface GivenParents<Parent extends string = string, Node = Family | HiddenNode> {
  readonly parents: readonly Parent[]
  readonly node: Node
}

/** A column that is never seen. */
export interface HiddenNode {
  readonly values: number
  readonly prior: number
}

/** A column of a network: its family, alone or given its parents, or a hidden one. */
export type NetworkNode = Family | HiddenNode | GivenParents

export interface HiddenOptions {
  /** Pseudo-rows per value at prior strength 1. */
  readonly prior?: number
}

/** A column that depends on others: `given(["season"], bernoulli())`. */
export function given<const Parent extends string, Node extends Family | HiddenNode>(
  parents: readonly Parent[],
  node: Node,
): GivenParents<Parent, Node> {
  if (!Array.isArray(parents) || !parents.every(name => typeof name === "string")) {
    throw new SufficeError(
      "model",
      `given: the parents are ${show(parents)}. They are a list of columns, by name. Write for example given(["season"], bernoulli()).`,
    )
  }
  return { parents: parents.slice() as Parent[], node }
}

/** A column that is never seen, with so many values, 0 … k − 1. It can be asked for by its name. */
export function hidden(values: number, options: HiddenOptions = {}): HiddenNode {
  refuseUnknown("hidden", options, ["prior"])
  const { prior = 1 } = options
  if (!Number.isSafeInteger(values) || values < 2 || values > MOST_VALUES) {
    throw new SufficeError(
      "option",
      `hidden: the values are ${show(values)}. It takes a whole number from 2 to ${MOST_VALUES}. Write for example hidden(3).`,
      { values },
    )
  }
  // checks it
  categorical({ prior })
  return { values, prior }
}

const MOST_VALUES = 1e6

/** Parents that are not columns of the network are replaced by what would be. */
type Known<Nodes> = {
  readonly [Name in keyof Nodes]: Nodes[Name] extends GivenParents<infer Parent, infer Node>
    ? [Parent] extends [keyof Nodes & string]
      ? Nodes[Name]
      : GivenParents<Exclude<keyof Nodes & string, Name>, Node>
    : Nodes[Name]
}

type NodeOf<Entry> = Entry extends GivenParents<infer _, infer Node> ? Node : Entry

type HiddenNames<Nodes> = {
  [Name in keyof Nodes]: NodeOf<Nodes[Name]> extends HiddenNode ? Name : never
}[keyof Nodes]

/** A hidden column is optional: it can be asked for, but is not in the data. */
type CellsOf<Nodes> = string extends keyof Nodes
  ? Record<string, never>
  : {
        [Name in Exclude<keyof Nodes, HiddenNames<Nodes>>]: NodeOf<Nodes[Name]> extends Family<infer Value>
          ? Value
          : never
      } & { [Name in HiddenNames<Nodes>]?: number } extends infer Cells
    ? { [Name in keyof Cells]: Cells[Name] }
    : never

/** A Bayesian network: every column is its family, given the columns that it depends on (`given`); what is in no data is `hidden`. */
export function network<const Nodes extends Readonly<Record<string, NetworkNode>>>(
  nodes: Nodes & Known<Nodes>,
): Model<string extends keyof Nodes ? unknown : CellsOf<Nodes>, never> {
  return networkModel(declared(nodes)) as Model<never, never>
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
  /** The value it is set to from outside (fitted/intervene.ts); it has no parents then. */
  readonly held?: Level | undefined
}

export function networkModel(nodes: readonly DeclaredNode[]): Model {
  const uses = sharedUses(
    "network",
    nodes.map(node => ({ uses: usesOf(node) })),
  ).map(use => (use.role === "read" ? { ...use, role: "cell" as const } : use))
  checkNames("network", uses)
  return {
    kind: "network",
    uses,
    target: undefined,
    spec: { kind: "network", nodes: nodes.map(specOf) },
    lay: (plan, slots) => layNetwork(plan, slots, nodes),
    intervene: held => networkModel(nodes.map(node => heldAt(node, held))),
  }
}

/** The node without parents, at the value it is set to; as it is, if it is set to none. */
export function heldAt(node: DeclaredNode, held: Readonly<Record<string, Level>>): DeclaredNode {
  if (node.isHidden || !Object.hasOwn(held, node.name)) return node
  const alone = { parents: [], levelParents: [], numberParents: [], family: node.plain }
  return { ...node, ...alone, held: held[node.name] }
}

function usesOf({ name, family, isHidden }: DeclaredNode): Use[] {
  const { need, measure } = family
  return [{ column: name, need, measure, group: JSON.stringify([name]), role: isHidden ? "hidden" : "cell" }]
}

function specOf({ name, parents, plain, isHidden, held }: DeclaredNode): Description {
  const { levels, ...rest } = plain.options
  return {
    name,
    parents,
    ...(isHidden
      ? { hidden: (levels as Json[]).length, prior: rest.prior }
      : { family: plain.name, options: plain.options }),
    ...(held !== undefined && { held }),
  }
}

/** The nodes with their parents found and checked. */
function declared(entries: Readonly<Record<string, NetworkNode>>): DeclaredNode[] {
  if (typeof entries !== "object" || entries === null || Array.isArray(entries) || isFamily(entries)) {
    throw new SufficeError(
      "model",
      `network: it is given ${isFamily(entries) ? "a family without a column" : show(entries)}. It takes columns by name. Write for example network({ a: bernoulli(), b: given(["a"], bernoulli()) }).`,
    )
  }
  const names = Object.keys(entries)
  if (names.length === 0) {
    throw new SufficeError(
      "model",
      'network() has no columns. A model needs at least one. Write for example network({ a: bernoulli(), b: given(["a"], bernoulli()) }).',
    )
  }
  const places = new Map(names.map((name, v) => [name, v]))
  const raw = names.map(name => {
    const entry = entries[name]
    const isGiven = typeof entry === "object" && entry !== null && "parents" in entry && "node" in entry
    const node = isGiven ? entry.node : (entry as Family | HiddenNode)
    const parents: readonly string[] = isGiven ? entry.parents : []
    const isHidden = typeof node === "object" && node !== null && "values" in node
    if (!isHidden && !isFamily(node)) {
      throw new SufficeError(
        "model",
        `network: column ${show(name)} is given ${show(node)}. It needs a family, given(parents, family) or hidden(k). Write for example { ${show(name)}: gaussian() }.`,
        { column: name },
      )
    }
    const family: Family = isHidden
      ? categorical({ levels: Array.from({ length: node.values }, (_, l) => l), prior: node.prior })
      : node
    return { name, parents, family, isHidden }
  })
  for (const { name, parents, family } of raw) {
    checkParents(name, parents, places)
    if (family.reads) {
      throw new SufficeError(
        "model",
        `network: column ${show(name)} has a family that reads ${list(family.reads)} by itself. In a network, parents are named by given(). Write given([${family.reads.map(show).join(", ")}], gaussian()).`,
        { column: name },
      )
    }
    if (family.need.kind === "steps")
      throw new SufficeError("model", `network: column ${show(name)} holds steps.`)
  }
  const parents = raw.map(node => node.parents.map(name => places.get(name)!))
  if (!parentsFirst(parents)) {
    const cycle = cycleOf(parents).map(v => show(names[v]))
    throw new SufficeError(
      "model",
      `network: ${cycle.join(" → ")} is a cycle. A column cannot depend on itself, by whatever way: the probabilities of a network multiply along its arrows. Remove one of these arrows, or turn it round.`,
      { columns: cycleOf(parents).map(v => names[v]) },
    )
  }
  const children = childrenOf(parents)
  raw.forEach(({ name, isHidden }, v) => {
    if (!isHidden || children[v].length > 0) return
    throw new SufficeError(
      "model",
      `network: nothing depends on the hidden column ${show(name)}. No row can say anything of it. Make it a parent of other columns, or leave it out.`,
      { column: name },
    )
  })
  return raw.map(({ name, parents: names, family: plain, isHidden }, v) => {
    const isLevel = (u: number): boolean => raw[u].family.need.kind === "level"
    const levelParents = parents[v].filter(isLevel)
    const numberParents = parents[v].filter(u => !isLevel(u))
    const family = numberParents.length > 0 ? regression(name, numberParents, raw, plain) : plain
    return { name, parents: names, levelParents, numberParents, family, plain, isHidden }
  })
}

function checkParents(name: string, parents: readonly string[], places: ReadonlyMap<string, number>): void {
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
function regression(
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
  if (family.name === "gaussian" && family.options.variance !== "tied")
    return linearFamily(numbers, { prior: family.options.prior as number })
  const isLevel = family.need.kind === "level"
  throw new SufficeError(
    "model",
    isLevel
      ? `network: column ${show(name)} has levels, and is given the number ${show(numbers[0])}. A table has no row for every number. Turn the arrow round (its posterior given ${show(numbers[0])} is then logistic), or bin the number.`
      : `network: column ${show(name)} is given the number ${show(numbers[0])}, and modelled by ${family.name}(${family.name === "gaussian" ? '{ variance: "tied" }' : ""}). Only gaussian() with its own variance can depend on a number: it becomes a linear regression. Use that, turn the arrow round, or bin the number.`,
    { column: name, parent: numbers[0] },
  )
}
