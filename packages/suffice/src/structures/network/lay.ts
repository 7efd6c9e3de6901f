/**
 * A network as a node of the tree.
 *
 *     ln p(seen | p) = Σ_v ln p(x_v | slot c_v·P + p)        over nodes whose own cell and parents are seen
 *                    + Σ_components ln Z                      missing columns, summed out by programs (program.ts)
 *
 * Configuration c of a node's parents in context p is slot c·P + p, the first parent outermost: its table stands at (l·Q + c)·P + p. Columns that are missing,
 * and below which nothing is seen, sum to 1 and are left out upwards. Downwards, a row whose missing level depends on what is seen is delivered once for each level, with that level in its place.
 */
import type { Column } from "../../contract/columns.ts"
import type { Work } from "../../contract/leaf.ts"
import type { Plan } from "../../contract/model.ts"
import type { Node } from "../../contract/node.ts"
import { SufficeError, show } from "../../errors.ts"
import { partOf } from "../kind.ts"
import { layPart } from "../part.ts"
import { adoptNode, contextsOf, describeNode } from "./described.ts"
import { encodedValue, heldLeaf } from "./held.ts"
import { deliver } from "./lay/deliver.ts"
import { networkOf } from "./lay/network.ts"
import { best, marginals, open } from "./lay/questions.ts"
import { sample } from "./lay/sample.ts"
import { moments, start } from "./lay/start.ts"
import type { LaidNode } from "./layout.ts"
import type { DeclaredNode } from "./nodes.ts"

export function layNetwork(plan: Plan, slots: number, declared: readonly DeclaredNode[]): Node {
  const found = columnsIn(plan, declared)
  const levels = found.map(({ column }) => (column.kind === "level" ? column.levels.length : 0))
  const nodes = declared.map((node, v) => layNode(plan, slots, node, v, declared, found, levels))
  const network = networkOf(nodes, levels, slots)
  const { names, inference } = network
  return {
    slots,
    tree: {
      columns: new Set(names),
      parts: () => nodes.map(({ part }) => part),
      switches: () => [],
      contexts: above => nodes.map(node => [node.part, contextsOf(node, nodes, above)] as const),
    },

    up(block, params, out, upToConstant, reuse) {
      const works = (reuse as Work[] | undefined) ?? new Array<Work>(nodes.length)
      inference.read(block)
      inference.score(params, out, works, upToConstant)
      return works
    },

    down(block, params, weights, sink, work) {
      inference.read(block)
      deliver(network, inference.block, params, weights, sink, work as readonly Work[] | undefined)
    },
    open: (block, params, column, out) => open(network, block, params, column, out),
    start: (block, params, weights, dice, sink) => start(network, block, params, weights, dice, sink),
    moments: (params, mass, stats) => moments(network, params, mass, stats),

    // contexts of several parents are counted by no part
    descend(_stats, mass, visit) {
      for (const { part, configurations } of nodes) visit(part, configurations === 1 ? mass : undefined)
    },

    describe: (params, slot) =>
      Object.fromEntries(
        nodes.map((node, v) => [
          names[v],
          describeNode(node, nodes, declared[v].parents, params, slots, slot),
        ]),
      ),

    adopt: (description, slot, mass, stats) =>
      nodes.forEach((node, v) => {
        adoptNode(node, nodes, partOf(description, names[v], ""), names[v], slots, slot, mass, stats)
      }),
    joint: {
      ...(slots === 1 && { marginals: marginals.bind(undefined, network) }),
      best: (block, params, heights) => best(network, block, params, heights),
    },
    sample: (block, params, slot, dice, chosen) => sample(network, block, params, slot, dice, chosen),
  }
}

export interface Found {
  readonly column: Column
  readonly place: number
}

/** The column of a node in the data; that of a hidden one is made, and lies behind the others. */
export function columnsIn(plan: Plan, declared: readonly DeclaredNode[]): Found[] {
  const seen = declared.map(({ name, isHidden }) => (isHidden ? undefined : plan.column(name)))
  const behind = seen.reduce((most, found) => Math.max(most, found?.place ?? -1), -1) + 1
  seen.forEach((found, v) => {
    if (found?.column.kind !== "level" || found.column.levels.length > 0) return
    const { name } = declared[v]
    throw new SufficeError(
      "data",
      `network: column ${show(name)} is empty in every row. Without levels it has no table, and nothing can depend on it. Leave it out, or name its levels: categorical({ levels: [ … ] }).`,
      { column: name },
    )
  })
  return declared.map(({ name, family }, v) => {
    const levels = family.need.kind === "level" ? (family.need.levels ?? []) : []
    return seen[v] ?? { column: { kind: "level", name, levels }, place: behind + v }
  })
}

/** `isRead`: does something depend on it? `follows`: it stands in steps that depend on each other. */
export function layNode(
  plan: Plan,
  contexts: number,
  node: DeclaredNode,
  v: number,
  declared: readonly DeclaredNode[],
  found: readonly Found[],
  levels: readonly number[],
  isRead = declared.some(({ levelParents, numberParents }) =>
    [...levelParents, ...numberParents].includes(v),
  ),
  follows = false,
): LaidNode {
  const { family, levelParents, numberParents, isHidden, name } = node
  const configurations = levelParents.reduce((product, u) => product * levels[u], 1)
  const { column, place } = found[v]
  const given = numberParents.map(u => found[u].column)
  const places = [place, ...numberParents.map(u => found[u].place)]
  const plain =
    node.held === undefined
      ? family.bind([column, ...given], places, configurations * contexts)
      : heldLeaf(column, place, contexts, node.held)
  const about = {
    family: family.name,
    options: family.options,
    columns: [column],
    given,
    places,
    isChoice: false,
  }
  const believed = (node.held === undefined && plan.believe?.(plain, about)) || plain
  const leaf = plan.standIn?.(believed, [name]) ?? believed
  const when = isHidden ? "always" : isRead ? "missing" : undefined
  const part = layPart(plan, when ? { ...leaf, latent: { ...leaf.latent, when } } : leaf, {
    family: family.name,
    columns: [column],
    given,
    places: isHidden ? [-1] : places,
    network: {
      ...(isHidden && { symmetricContexts: contexts }),
      ...(levelParents.length > 0 && { parents: levelParents.map(u => declared[u].name) }),
      ...(follows && { stepPlace: place }),
    },
  })
  return {
    ...(node.held !== undefined && { held: encodedValue(column, node.held) }),
    name,
    part,
    column,
    place,
    family: family.name,
    isHidden,
    levelParents,
    numberParents,
    configurations,
  }
}
