/** The declaration of `network`. */
import type { Above } from "../../contract/described.ts"
import type { Description, Json } from "../../contract/report.ts"
import { LEVEL_FAMILIES } from "../../families/names.ts"
import {
  type CodeWriting,
  declared,
  type GraphNode,
  type PartVisitor,
  type StructureGuide,
  type StructureTree,
} from "../tree.ts"

export const NETWORK_MAKERS = ["network", "given", "hidden", "before"]

import { key } from "../../families/guide.ts"

export interface NodeSpec {
  readonly name: string
  readonly parents: readonly string[]
  readonly family?: string
  readonly options?: Description
  readonly hidden?: number
  readonly prior?: number
  readonly held?: Json
}

export const networkTree: StructureTree = {
  children: () => [],
  with: spec => spec,
  columns: spec => nodesOf(spec).map(({ name }) => name),
  arrows(spec, { add, hide }) {
    for (const { name, parents, hidden } of nodesOf(spec)) {
      add(name, parents)
      if (hidden !== undefined) hide(name)
    }
  },
  parts(spec, description, visitor) {
    const nodes = new Map(nodesOf(spec).map(node => [node.name, node]))
    for (const node of nodes.values()) nodeParts(node, nodes, description[node.name] as Description, visitor)
  },
  families: spec => nodesOf(spec).map(({ name, family = "" }) => [name, family]),
  nodes: spec => nodesOf(spec).map(({ name }) => name),
  graph: spec => nodesOf(spec).map(graphNode),
}

export function nodesOf(spec: Description): readonly NodeSpec[] {
  return spec.nodes as object as readonly NodeSpec[]
}

/** Only families of levels have a parent's place in a table. */
export function hasLevels({ hidden, family }: NodeSpec): boolean {
  return hidden !== undefined || LEVEL_FAMILIES.has(family!)
}

function graphNode(node: NodeSpec): GraphNode {
  const { name, parents, hidden, options } = node
  const levels = options?.levels as readonly unknown[] | undefined
  return {
    name,
    parents,
    ...(levels && { levels: levels.map(String) }),
    kind: hidden !== undefined ? "hidden" : hasLevels(node) ? "levels" : "number",
  }
}

/** The parameters of a node under each configuration of its parents with levels; numbers are in its parameters. */
export function nodeParts(
  node: NodeSpec,
  nodes: ReadonlyMap<string, NodeSpec>,
  own: Description,
  visitor: PartVisitor,
): void {
  const { name, options = {} } = node
  const family = own.family as string
  const leaf = { part: "parameters", name, columns: [name], family, options } as const
  if (!Array.isArray(own.parents) || own.given === undefined) {
    visitor.part({ ...leaf, parameters: own })
    return
  }
  const visit = (
    below: Description,
    [parent, ...rest]: readonly string[],
    levels: readonly Above[],
  ): void => {
    if (parent === undefined) visitor.part({ ...leaf, parameters: below }, levels)
    else
      for (const [level, deeper] of Object.entries(below as Record<string, Description>))
        visit(deeper, rest, [...levels, { name: parent, level }])
  }
  const parents = node.parents.filter(parent => hasLevels(nodes.get(parent)!))
  visit(own.given as Description, parents, [])
}

export const networkGuide: StructureGuide = {
  title: () => "network",
  makers: NETWORK_MAKERS,
  code(spec, writing) {
    const nodes = nodesOf(spec)
    if (nodes.some(({ held }) => held !== undefined)) return declared(spec)
    const lines = nodes.map(node =>
      nodeLine(
        node,
        node.parents.map(parent => JSON.stringify(parent)),
        writing,
      ),
    )
    return `network({\n${lines.join("")}${writing.indent}})`
  },
}

/** A node with its parents, as a line of `network`. */
export function nodeLine(
  { name, family, options = {}, hidden, prior }: Omit<NodeSpec, "parents">,
  parents: readonly string[],
  writing: CodeWriting,
): string {
  const own =
    hidden === undefined
      ? writing.family({ family: family!, columns: [name], options })
      : `hidden(${hidden}${prior === undefined ? "" : `, { prior: ${prior} }`})`
  const node = parents.length === 0 ? own : `given([${parents.join(", ")}], ${own})`
  return `${writing.indent}  ${key(name)}: ${node},\n`
}
