/** A node of a network in words: what it is in every configuration of its parents with levels, by the levels of each in turn. */
import type { Column } from "../../contract/columns.ts"
import type { Description } from "../../contract/report.ts"
import { show } from "../../errors.ts"
import { partOf } from "../kind.ts"
import type { LaidNode } from "./layout.ts"

type LevelColumn = Extract<Column, { kind: "level" }>

const parentOf = (node: LaidNode, nodes: readonly LaidNode[], depth: number): LevelColumn =>
  nodes[node.levelParents[depth]].column as LevelColumn

/** `parents`: all of them, by name; `contexts` of the network, of which `slot` is one. */
export function describeNode(
  node: LaidNode,
  nodes: readonly LaidNode[],
  parents: readonly string[],
  params: Float64Array,
  contexts: number,
  slot: number,
): Description {
  const { part, family, levelParents } = node
  const own = (c: number): Description =>
    part.leaf.describe(part.ranges.paramsOf(params), c * contexts + slot)
  if (levelParents.length === 0) return { family, ...own(0) }
  const below = (depth: number, c: number): Description => {
    if (depth === levelParents.length) return own(c)
    const { levels } = parentOf(node, nodes, depth)
    return Object.fromEntries(
      levels.map((level, l) => [String(level), below(depth + 1, c * levels.length + l)]),
    )
  }
  return { family, parents, given: below(0, 0) }
}

/** The inverse: stats += mass · E[s | description], as many rows in every configuration. None is forgotten, however improbable. */
export function adoptNode(
  node: LaidNode,
  nodes: readonly LaidNode[],
  description: Description,
  path: string,
  contexts: number,
  slot: number,
  mass: number,
  stats: Float64Array,
): void {
  const { part, levelParents, configurations } = node
  const each = mass / configurations
  const below = (described: Description, depth: number, c: number, path: string): void => {
    if (depth === levelParents.length) {
      part.leaf.adopt(described, c * contexts + slot, each, part.ranges.statsOf(stats))
      return
    }
    const { levels } = parentOf(node, nodes, depth)
    levels.forEach((level, l) => {
      const next = partOf(described, String(level), path)
      below(next, depth + 1, c * levels.length + l, `${path}[${show(String(level))}]`)
    })
  }
  if (levelParents.length === 0) below(description, 0, 0, path)
  else below(partOf(description, "given", path), 0, 0, `${path}.given`)
}

/** The names of the slots of a node: the levels of its parents, in the contexts above. */
export function contextsOf(
  node: LaidNode,
  nodes: readonly LaidNode[],
  above: readonly string[],
): readonly string[] {
  let under: readonly string[] = [""]
  node.levelParents.forEach((u, depth) => {
    const { levels } = parentOf(node, nodes, depth)
    under = under.flatMap(path => levels.map(level => `${path}/${nodes[u].name}=${String(level)}`))
  })
  return under.flatMap(path => above.map(name => name + path))
}
