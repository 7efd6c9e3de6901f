/** A network in a file and in a description. */
import type { Level } from "../../contract/cells.ts"
import type { Family, FamilyKind } from "../../contract/family.ts"
import type { Description, Json } from "../../contract/report.ts"
import { list, SufficeError, show } from "../../errors.ts"
import { LEVELS } from "../../families/level-leaf.ts"
import { REGRESSION } from "../../families/linear/linear.ts"
import {
  countAt,
  fieldsAt,
  finiteAt,
  isLevel,
  isRecord,
  listAt,
  misshapen,
  namesAt,
  type Reader,
  recordAt,
  textAt,
} from "../../shape.ts"
import { at, partOf, type Revival, type StructureKind, type Visitor, within } from "../kind.ts"
import { given, hidden, type NetworkNode, network } from "./declare.ts"
import { hasLevels, type NodeSpec, networkTree, nodesOf } from "./tree.ts"

export const networkKind: StructureKind = {
  name: "network",
  tree: networkTree,

  revive(spec, revival, path) {
    const fields = fieldsAt(spec, path, {
      kind: textAt,
      nodes: (value: unknown, here: string) => listAt(value, here, nodeAt(revival)),
    })
    const names = fields.nodes.map(([name]) => name)
    const twice = names.find((name, v) => names.indexOf(name) !== v)
    if (twice !== undefined) throw misshapen(`${path}.nodes`, twice, "each column once")
    const held = Object.fromEntries(
      fields.nodes.flatMap(([name, , value]) => (value === undefined ? [] : [[name, value]])),
    )
    return within(path, () => {
      const model = network(Object.fromEntries(fields.nodes.map(([name, node]) => [name, node])))
      return Object.keys(held).length > 0 ? model.intervene!(held) : model
    })
  },

  names: spec => nodesOf(spec).map(({ name }) => name),

  walk(spec, description, path, visitor) {
    const nodes = nodesOf(spec)
    const byName = new Map(nodes.map(node => [node.name, node]))
    for (const node of nodes) walkNode(node, byName, description, path, visitor)
  },
}

function nodeAt(revival: Revival) {
  return (value: unknown, path: string): [name: string, node: NetworkNode, held?: Level] => {
    if (isRecord(value) && "hidden" in value) {
      const fields = { name: textAt, parents: namesAt, hidden: countAt, prior: finiteAt }
      const { name, parents, hidden: values, prior } = fieldsAt(value, path, fields)
      if (values > revival.most) throw misshapen(`${path}.hidden`, values, `at most ${revival.most} values`)
      return [name, within(path, () => given(parents, hidden(values, { prior })))]
    }
    const fields = { name: textAt, parents: namesAt, family: textAt, options: recordAt }
    const { name, parents, family, options, held } = fieldsAt(value, path, fields, { held: levelAt })
    return [name, given(parents, familyAt(revival, family, options, path)), held]
  }
}

/** The family of a node in a file. */
export function familyAt(revival: Revival, family: string, options: object, path: string): Family {
  const kind = familyNamed(revival.families, family, path)
  return within(`${path}.options`, () => kind.make(options as Description, revival))
}

const levelAt: Reader<Level> = (value, path) => {
  if (isLevel(value)) return value
  throw misshapen(path, value, "a level or a number")
}

function familyNamed(families: ReadonlyMap<string, FamilyKind>, family: string, path: string): FamilyKind {
  const kind = families.get(family)
  if (kind) return kind
  throw new SufficeError(
    "saved",
    `the model file uses the family ${show(family)} at ${path}.family, which is not known here: ${list(families.keys(), 20)} are. A file names families, it does not bring them along. Pass its kind: load(json, { families: [ … ] }).`,
    { path: `${path}.family`, family },
  )
}

/** A node without parents with levels describes itself as a leaf does; others by the levels of each parent in turn, under `given`. */
function walkNode(
  node: NodeSpec,
  nodes: ReadonlyMap<string, NodeSpec>,
  description: Description,
  path: string,
  visitor: Visitor,
): void {
  walkOwn(node, nodes, partOf(description, node.name, path), at(path, node.name), visitor)
}

/** The same, of what the node says itself, at `here`. */
export function walkOwn(
  node: NodeSpec,
  nodes: ReadonlyMap<string, NodeSpec>,
  own: Description,
  here: string,
  visitor: Visitor,
): void {
  const family = node.hidden === undefined ? node.family : LEVELS
  const isRegression = own.family === REGRESSION && node.parents.some(name => !hasLevels(nodes.get(name)!))
  if (own.family !== undefined && own.family !== family && !isRegression) {
    throw new SufficeError(
      "parameters",
      `specify: ${here} describes ${show(own.family as Json)}, but the model has ${show(family)} there. Parameters of one family mean nothing to another. Describe ${show(family)}, or change the model.`,
      { path: here, family: own.family },
    )
  }
  const levels = node.parents.filter(name => hasLevels(nodes.get(name)!))
  const visit = (described: Description, depth: number, below: string): void => {
    if (depth === levels.length) {
      if (node.hidden === undefined) visitor.leaf([node.name], described, below)
      return
    }
    for (const level of Object.keys(described))
      visit(partOf(described, level, below), depth + 1, at(below, level))
    if (nodes.get(levels[depth])!.hidden === undefined)
      visitor.label(nodes.get(levels[depth])!.name, Object.keys(described), below)
  }
  if (levels.length === 0) visit(own, 0, here)
  else visit(partOf(own, "given", here), 0, at(here, "given"))
}
