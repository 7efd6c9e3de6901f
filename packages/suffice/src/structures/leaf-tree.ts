/** The declaration of a family on its columns. */
import type { Description } from "../contract/report.ts"
import { key } from "../families/guide.ts"
import { productCode } from "./independent-tree.ts"
import { declared, type StructureGuide, type StructureTree } from "./tree.ts"

export const leafTree: StructureTree = {
  children: () => [],
  with: spec => spec,
  columns: spec => spec.columns as string[],

  // columns that are modelled together each depend on those before
  arrows(spec, { add }) {
    const columns = spec.columns as readonly string[]
    const { on } = spec.options as { readonly on?: readonly string[] }
    for (const [j, column] of columns.entries()) add(column, [...(on ?? []), ...columns.slice(0, j)])
  },

  parts(spec, description, visitor) {
    const { columns, family, options } = leafOf(spec)
    const name = columns.join(", ")
    const parameters = description[name] as Description
    visitor.part({ part: "parameters", name, columns, family, options, parameters })
  },

  leaf: leafOf,
  families(spec) {
    const { columns, family } = leafOf(spec)
    return columns.map(column => [column, family])
  },
}

function leafOf(spec: Description) {
  const columns = spec.columns as readonly string[]
  return { columns, family: spec.family as string, options: spec.options as Description, spec }
}

export const leafGuide: StructureGuide = {
  title: spec => leafOf(spec).columns.join(", "),
  makers: ["declare"],
  code(spec, writing) {
    const leaf = leafOf(spec)
    const family = leaf.columns.length === 1 ? writing.family(leaf) : undefined
    if (family === undefined) return writing.joint(leaf) ?? declared(spec)
    return productCode([`{ ${key(leaf.columns[0])}: ${family} }`])
  },
}

/** A family on its columns, declared. */
export function leafSpec(columns: readonly string[], family: string, options: Description = {}): Description {
  return { kind: "leaf", columns, family, options }
}
