/** The declaration of `window`: a family on words that are made of other columns. */
import type { Description } from "../contract/report.ts"
import { leafTree } from "./leaf-tree.ts"
import { declared, type LeafSpec, type StructureGuide, type StructureTree, withoutArrows } from "./tree.ts"

export const windowTree: StructureTree = {
  children: () => [],
  with: spec => spec,
  columns: spec => [spec.column as string],
  arrows: withoutArrows,
  parts: (spec, description, visitor) => leafTree.parts(asLeaf(spec), description, visitor),
  leaf: spec => ({ ...leafTree.leaf!(asLeaf(spec)), spec, isMade: true }) satisfies LeafSpec,
}

function asLeaf(spec: Description): Description {
  return { ...spec, columns: [spec.column] }
}

export const windowGuide: StructureGuide = {
  title(spec) {
    const parts = spec.parts as readonly { readonly of: string | readonly string[] }[]
    return `words around a step of ${[...new Set(parts.flatMap(({ of }) => of))].join(", ")}`
  },
  makers: ["window"],
  code(spec, { family }) {
    const { column, parts } = spec
    const own = family(windowTree.leaf!(spec))
    if (own === undefined) return declared(spec)
    return `window(${JSON.stringify(parts)}, { column: ${JSON.stringify(column)}, family: ${own} })`
  },
}
