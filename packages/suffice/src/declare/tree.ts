/** Walks over a declaration, the data under `Model.spec`: its leaves, its parts, changed copies. */
import type { Description } from "../contract/report.ts"
import { isRecord } from "../shape.ts"
import { type LeafSpec, type StructureTree, withoutArrows } from "../structures/tree.ts"
import { trees } from "./trees.ts"

const KNOWN: Readonly<Record<string, StructureTree>> = trees

/** The tree of the structure of a spec. Your own structures: the models in any of their fields. */
export function treeOf({ kind }: Description): StructureTree {
  return Object.hasOwn(KNOWN, kind as string) ? KNOWN[kind as string] : unknownTree
}

/** The declarations directly inside. */
export function childrenOf(spec: Description): readonly Description[] {
  return treeOf(spec).children(spec)
}

/** The declaration and every one inside, outermost first. */
export function specsIn(spec: Description): Description[] {
  return [spec, ...childrenOf(spec).flatMap(specsIn)]
}

/** True if a part of the declaration suits. */
export function has(spec: Description, suits: (spec: Description, tree: StructureTree) => boolean): boolean {
  return specsIn(spec).some(one => suits(one, treeOf(one)))
}

/** The families on their columns, in order. A network has none: its columns are nodes. */
export function leaves(spec: Description): LeafSpec[] {
  return specsIn(spec).flatMap(one => treeOf(one).leaf?.(one) ?? [])
}

/** The family of each column, in its first declaration. */
export function familiesIn(spec: Description): Map<string, string> {
  const all = specsIn(spec).flatMap(one => treeOf(one).families?.(one) ?? [])
  return new Map(all.toReversed())
}

/** Every declaration in data that is not checked yet. */
export function uncheckedSpecs(value: unknown): Description[] {
  return inner(value).flatMap(spec => [spec, ...Object.values(spec).flatMap(uncheckedSpecs)])
}

/** The declaration with every part changed, innermost first. */
export function mapTree(spec: Description, change: (spec: Description) => Description): Description {
  const tree = treeOf(spec)
  const children = tree.children(spec)
  const inner = children.map(child => mapTree(child, change))
  return change(children.length === 0 ? spec : tree.with(spec, inner))
}

/** The columns, as Model.uses orders them. */
export function columnsIn(spec: Description): readonly string[] {
  return treeOf(spec).columns(spec, columnsIn)
}

const unknownTree: StructureTree = {
  children: spec => Object.values(spec).flatMap(inner),
  with: spec => spec,
  columns: (spec, below) => unknownTree.children(spec).flatMap(below),
  arrows: withoutArrows,
  parts: () => undefined,
}

function inner(value: unknown): Description[] {
  if (Array.isArray(value)) return value.flatMap(inner)
  return isRecord(value) && typeof value.kind === "string" ? [value as Description] : []
}
