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
import { list, refuseUnknown, SufficeError, show, wrongOption } from "../../errors.ts"
import { categorical } from "../../families/categorical.ts"
import { checkNames, sharedUses } from "../bodies.ts"
import type { InChain } from "../columns.ts"
import { isFamily } from "../leaf.ts"
import { seenConfigurations } from "./configurations.ts"
import { templateModel } from "./dynamic/declare.ts"
import { childrenOf } from "./graph.ts"
import { layNetwork } from "./lay.ts"
import {
  type Before,
  checkOrder,
  checkParents,
  type DeclaredNode,
  isBefore,
  type RawNode,
  regression,
} from "./nodes.ts"

export type { Before }

/** A column that depends on others. */
export interface GivenParents<Parent extends string | Before = string, Node = Family | HiddenNode> {
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

/** A column of a network over steps, some of whose parents may lie in the step before. */
export type StepNode = Family | HiddenNode | GivenParents<string | Before>

/** Options of a network over steps. */
export interface NetworkOptions<Column extends string = string> {
  /** The column that holds the steps: every step is a row of the network. */
  readonly steps: Column
}

export interface HiddenOptions {
  /** Pseudo-rows per value at prior strength 1. */
  readonly prior?: number
}

/** A column that depends on others: `given(["season"], bernoulli())`. */
export function given<const Parent extends string | Before, Node extends Family | HiddenNode>(
  parents: readonly Parent[],
  node: Node,
): GivenParents<Parent, Node> {
  if (!Array.isArray(parents) || !parents.every(name => typeof name === "string" || isBefore(name))) {
    throw new SufficeError(
      "model",
      `given: the parents are ${show(parents)}. They are a list of columns, by name. Write for example given(["season"], bernoulli()).`,
    )
  }
  return { parents: parents.slice() as Parent[], node }
}

/** The value of a column one step earlier, among the parents of a network over steps: `given([before("rain")], bernoulli())`. */
export function before<const Name extends string>(column: Name): Before<Name> {
  if (typeof column !== "string") {
    throw new SufficeError(
      "model",
      `before: the column is ${show(column)}. It is the name of a column of the same network. Write for example given([before("rain")], bernoulli()).`,
    )
  }
  return { before: column }
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

/** The same where parents may lie in the step before. */
type KnownInSteps<Nodes> = {
  readonly [Name in keyof Nodes]: Nodes[Name] extends GivenParents<infer Parent, infer Node>
    ? [NameOf<Parent>] extends [keyof Nodes & string]
      ? Nodes[Name]
      : GivenParents<Exclude<keyof Nodes & string, Name> | Before<keyof Nodes & string>, Node>
    : Nodes[Name]
}

type NameOf<Parent> = Parent extends Before<infer Name> ? Name : Parent

type NodeOf<Entry> = Entry extends GivenParents<infer _, infer Node> ? Node : Entry

type HiddenNames<Nodes> = {
  [Name in keyof Nodes]: NodeOf<Nodes[Name]> extends HiddenNode ? Name : never
}[keyof Nodes]

/** A hidden column is optional: it can be asked for, but is not in the data. In steps, where any cell may be missing, its type says that it has levels. */
type CellsOf<Nodes, Value = number> = string extends keyof Nodes
  ? Record<string, never>
  : {
        [Name in Exclude<keyof Nodes, HiddenNames<Nodes>>]: NodeOf<Nodes[Name]> extends Family<infer Value>
          ? Value
          : never
      } & { [Name in HiddenNames<Nodes>]?: Value } extends infer Cells
    ? { [Name in keyof Cells]: Cells[Name] }
    : never

/** A Bayesian network: every column is its family, given the columns that it depends on (`given`); what is in no data is `hidden`. */
export function network<const Nodes extends Readonly<Record<string, NetworkNode>>>(
  nodes: Nodes & Known<Nodes>,
): Model<string extends keyof Nodes ? unknown : CellsOf<Nodes>, never>
/** A network over the steps of rows: what depends on `before("x")` depends on column x of the step before. */
export function network<
  const Nodes extends Readonly<Record<string, StepNode>>,
  const Column extends string = string,
>(
  nodes: Nodes & KnownInSteps<Nodes>,
  options: NetworkOptions<Column>,
): Model<InChain<Column, Model<string extends keyof Nodes ? unknown : CellsOf<Nodes, Level>, never>>, never>
export function network(
  nodes: Readonly<Record<string, StepNode>>,
  options?: NetworkOptions,
): Model<never, never> {
  if (options === undefined) return networkModel(declared(nodes)) as Model<never, never>
  refuseUnknown("network", options, ["steps"])
  const { steps } = options
  if (typeof steps !== "string") {
    throw wrongOption(
      "network",
      "steps",
      steps,
      'It is the name of the column that holds the steps. Write for example { steps: "days" }, or leave the options out for a network of rows.',
    )
  }
  return templateModel(rawNodes(nodes), steps) as Model<never, never>
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
    lay(plan, slots) {
      plan.notice?.(seenConfigurations)
      return layNetwork(plan, slots, nodes)
    },
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

export function rawNodes(entries: Readonly<Record<string, StepNode>>): RawNode[] {
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
  return names.map(name => {
    const entry = entries[name]
    const isGiven = typeof entry === "object" && entry !== null && "parents" in entry && "node" in entry
    const node = isGiven ? entry.node : (entry as Family | HiddenNode)
    const parents: readonly (string | Before)[] = isGiven ? entry.parents : []
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
    if (family.reads) {
      throw new SufficeError(
        "model",
        `network: column ${show(name)} has a family that reads ${list(family.reads)} by itself. In a network, parents are named by given(). Write given([${family.reads.map(show).join(", ")}], gaussian()).`,
        { column: name },
      )
    }
    if (family.need.kind === "steps")
      throw new SufficeError("model", `network: column ${show(name)} holds steps.`)
    return { name, parents, family, isHidden }
  })
}

/** The nodes with their parents found and checked. */
function declared(entries: Readonly<Record<string, StepNode>>): DeclaredNode[] {
  const raw = rawNodes(entries).map(node => ({ ...node, parents: ofRows(node) }))
  const places = new Map(raw.map(({ name }, v) => [name, v]))
  for (const { name, parents } of raw) checkParents(name, parents, places)
  const parents = raw.map(node => node.parents.map(name => places.get(name)!))
  checkOrder(
    raw.map(({ name }) => name),
    parents,
  )
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

/** A row has no row before it. */
function ofRows({ name, parents }: RawNode): readonly string[] {
  const early = parents.find(isBefore)
  if (!early) return parents as readonly string[]
  throw new SufficeError(
    "model",
    `network: column ${show(name)} is given before(${show(early.before)}), but nothing comes before a row. Steps follow each other: say which column holds them, network({ … }, { steps: "days" }), or name ${show(early.before)} itself.`,
    { column: name, parent: early.before },
  )
}
