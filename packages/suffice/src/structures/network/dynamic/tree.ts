/** The declaration of a network over steps. */
import type { Description } from "../../../contract/report.ts"
import type { StructureGuide, StructureTree } from "../../tree.ts"
import { NETWORK_MAKERS, type NodeSpec, nodeLine, nodeParts } from "../tree.ts"
import { nameBefore } from "./name-before.ts"

/** `before`: a column of the step before. */
export type Parent = string | { readonly before: string }

export interface TemplateSpec extends Omit<NodeSpec, "parents"> {
  readonly parents: readonly Parent[]
}

export const dynamicNetworkTree: StructureTree = {
  children: () => [],
  with: spec => spec,
  columns: spec => [spec.steps as string],
  // one column of a row
  arrows: (spec, { add }) => add(spec.steps as string),
  parts(spec, description, visitor) {
    const own = description[spec.steps as string] as Description
    const { first, later, all } = sliceSpecs(spec)
    templatesOf(spec).forEach(({ name }, v) => {
      const mine = own[name] as Description
      if (first[v].isWhole) nodeParts(first[v], all, mine, visitor)
      else {
        nodeParts(first[v], all, mine.first as Description, visitor)
        nodeParts(later[v], all, mine.later as Description, visitor)
      }
    })
  },
  families: spec => templatesOf(spec).map(({ name, family = "" }) => [name, family]),
  nodes: spec => templatesOf(spec).map(({ name }) => name),
  carried(spec) {
    const nodes = templatesOf(spec)
    const early = nodes.flatMap(({ parents }) => parents.filter(isEarly).map(({ before }) => before))
    return nodes.flatMap(({ name }) => (early.includes(name) ? [name] : []))
  },
}

export function templatesOf(spec: Description): readonly TemplateSpec[] {
  return spec.nodes as object as readonly TemplateSpec[]
}

export function isEarly(parent: Parent): parent is Exclude<Parent, string> {
  return typeof parent === "object"
}

interface Slices {
  /** The nodes of a first step; `isWhole`: the node of later steps is the same. */
  readonly first: readonly (NodeSpec & { readonly isWhole: boolean })[]
  readonly later: readonly NodeSpec[]
  /** By name; columns of the step before have the levels of the column itself. */
  readonly all: ReadonlyMap<string, NodeSpec>
}

/** The nodes of a first step and of later ones. */
export function sliceSpecs(spec: Description): Slices {
  const nodes = templatesOf(spec)
  const first = nodes.map(({ parents, ...rest }) => ({
    ...rest,
    parents: parents.filter((parent): parent is string => !isEarly(parent)),
    isWhole: !parents.some(isEarly),
  }))
  const later = nodes.map(({ parents, ...rest }) => ({
    ...rest,
    parents: parents.map(parent => (isEarly(parent) ? nameBefore(parent.before) : parent)),
  }))
  const all = new Map<string, NodeSpec>(first.map(node => [node.name, node]))
  for (const node of first) all.set(nameBefore(node.name), node)
  return { first, later, all }
}

export const dynamicNetworkGuide: StructureGuide = {
  title: () => "network over steps",
  makers: NETWORK_MAKERS,
  code(spec, writing) {
    const lines = templatesOf(spec).map(node => nodeLine(node, node.parents.map(parentCode), writing))
    return `network({\n${lines.join("")}${writing.indent}}, { steps: ${JSON.stringify(spec.steps)} })`
  },
}

function parentCode(parent: Parent): string {
  return isEarly(parent) ? `before(${JSON.stringify(parent.before)})` : JSON.stringify(parent)
}
