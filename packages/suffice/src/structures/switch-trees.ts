/** The declarations of `classes` and `mixture`. */
import type { Description } from "../contract/report.ts"
import { hiddenName } from "./hidden-name.ts"
import {
  declared,
  lastArgument,
  listIn,
  type PartVisitor,
  type StructureGuide,
  type StructureTree,
  visitBodies,
} from "./tree.ts"

const bodies = (spec: Description): readonly Description[] => listIn(spec, "bodies")
const withBodies: StructureTree["with"] = (spec, children) => ({ ...spec, bodies: children })

export const classesTree: StructureTree = {
  children: bodies,
  with: withBodies,
  columns: (spec, below) => [...new Set([labelOf(spec), ...bodies(spec).flatMap(below)])],
  arrows(spec, { add, visit }) {
    add(labelOf(spec))
    for (const body of bodies(spec)) visit(body, labelOf(spec))
  },
  parts: (spec, description, visitor) => partsBelow(spec, labelOf(spec), description, visitor),
  label: labelOf,
  graph(spec, below) {
    const label = labelOf(spec)
    const nodes = below(bodies(spec)[0])
    return (
      nodes && [
        { name: label, parents: [], kind: "levels" },
        ...nodes.map(node => ({ ...node, parents: [label, ...node.parents] })),
      ]
    )
  },
}

export const mixtureTree: StructureTree = {
  children: bodies,
  with: withBodies,
  columns(spec, below) {
    const own = bodies(spec).flatMap(below)
    return [...new Set(spec.name === undefined ? own : [spec.name as string, ...own])]
  },
  arrows(spec, { add, hide, visit, columnsIn }) {
    const name = mixtureName(spec, columnsIn)
    hide(name)
    add(name)
    for (const body of bodies(spec)) visit(body, name)
  },
  parts(spec, description, visitor) {
    partsBelow(spec, mixtureName(spec, visitor.columnsIn), description, visitor)
  },
}

/** The name under which a mixture describes itself: the given one, or one that no column below has. */
export function mixtureName(spec: Description, below: (child: Description) => readonly string[]): string {
  return (spec.name as string | undefined) ?? hiddenName([...new Set(bodies(spec).flatMap(below))])
}

/** A mixture of copies of one declaration. */
export function mixtureSpec(components: number, body: Description, name?: string): Description {
  return { kind: "mixture", ...(name !== undefined && { name }), components, prior: 1, bodies: [body] }
}

function labelOf(spec: Description): string {
  return spec.column as string
}

function partsBelow(spec: Description, name: string, description: Description, visitor: PartVisitor): void {
  const own = description[name] as Description
  const probabilities = own.probabilities as Record<string, number>
  visitor.part({ part: "probabilities", name, probabilities })
  visitBodies(spec, own.given as Record<string, Description>, visitor, name)
}

export const classesGuide: StructureGuide = {
  title: spec => `classes of ${labelOf(spec)}`,
  makers: ["classes"],
  opens: true,
  code(spec, { model }) {
    const { kind: _, column, bodies: all, ...options } = spec
    if ((all as unknown[]).length > 1) return declared(spec)
    return `classes(${JSON.stringify(column)}, ${model(bodies(spec)[0])}${lastArgument(options, { prior: 0 })})`
  },
}

export const mixtureGuide: StructureGuide = {
  title: () => "mixture",
  makers: ["mixture"],
  count: () => ({ field: "components", name: "components" }),
  mixes: true,
  code(spec, { model }) {
    const { kind: _, components, bodies: all, ...options } = spec
    if ((all as unknown[]).length > 1) return declared(spec)
    return `mixture(${components}, ${model(bodies(spec)[0])}${lastArgument(options, { prior: 1 })})`
  },
}
