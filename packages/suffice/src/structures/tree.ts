/**
 * The tree of a declaration. Each structure reads its own spec, the data under `Model.spec` and in model files. Walks over specs (declare/tree.ts) name no
 * structure.
 */
import type { Level } from "../contract/cells.ts"
import type { DescribedPart } from "../contract/described.ts"
import type { Description } from "../contract/report.ts"
import { SufficeError } from "../errors.ts"
import { record } from "../families/guide.ts"

/** How a structure answers for its part of a declaration. */
export interface StructureTree {
  /** The models inside, in order. */
  children(spec: Description): readonly Description[]
  /** The same declaration around other models. */
  with(spec: Description, children: readonly Description[]): Description
  /** The columns, as Model.uses orders them. `below`: the columns of a model inside. */
  columns(spec: Description, below: (child: Description) => readonly string[]): readonly string[]
  /** Draws which column is modelled given which others; throws if the columns belong to steps. */
  arrows(spec: Description, drawing: Drawing): void
  /** Visits the parts of a description of the model. */
  parts(spec: Description, description: Description, visitor: PartVisitor): void
  /** The family on its columns, if it is one. */
  leaf?(spec: Description): LeafSpec
  /** The family of each of its own columns; "": hidden ones. */
  families?(spec: Description): readonly (readonly [column: string, family: string])[]
  /** The columns that have arrows of their own. */
  nodes?(spec: Description): readonly string[]
  /** The columns of a row and their parents, if it is a network, or holds nothing else. `below`: the graph of a model inside. */
  graph?(
    spec: Description,
    below: (child: Description) => readonly GraphNode[] | undefined,
  ): readonly GraphNode[] | undefined
  /** The column whose level each model inside is given. */
  label?(spec: Description): string
  /** The state of the steps, if it has a name. */
  state?(spec: Description): { readonly column: string; readonly isHidden: boolean } | undefined
  /** The columns that the next step depends on, in the order of the declaration. */
  carried?(spec: Description): readonly string[]
}

/** A family on its columns, as a spec names it. */
export interface LeafSpec {
  readonly columns: readonly string[]
  readonly family: string
  readonly options: Description
  readonly spec: Description
  /** True if its cells are made of other columns. */
  readonly isMade?: true
}

/** A column of a network. */
export interface GraphNode {
  readonly name: string
  readonly parents: readonly string[]
  /** It has levels, is a number, or is never seen. */
  readonly kind: "levels" | "number" | "hidden"
  /** As declared; absent: the levels of the data. */
  readonly levels?: readonly string[]
}

export interface Drawing {
  /** A column given others; those above are added. */
  add(column: string, parents?: readonly string[]): void
  /** A column that is in no data. */
  hide(column: string): void
  /** A model inside, given one more column or unchanged. */
  visit(child: Description, given?: string): void
  /** The columns of a model inside. */
  columnsIn(child: Description): readonly string[]
}

/** `above` is added by whoever visits. */
export type OwnPart = DescribedPart extends infer Part
  ? Part extends unknown
    ? Omit<Part, "above">
    : never
  : never

export interface PartVisitor {
  /** The columns of a model inside. */
  columnsIn(child: Description): readonly string[]
  part(part: OwnPart, levels?: readonly { readonly name: string; readonly level: string }[]): void
  /** A model inside and its description, below a level or at the same level. */
  visit(child: Description, description: Description, name?: string, level?: string): void
}

/** `arrows` of structures over steps. */
export function withoutArrows({ kind }: Description): never {
  throw new SufficeError(
    "model",
    `the columns of ${String(kind)} stand in the steps of rows. Arrows between columns of a row say nothing of them. Ask about a model of networks, classes, mixtures and independent parts.`,
    { kind },
  )
}

/** The declarations under `name`. */
export function listIn(spec: Description, name: string): readonly Description[] {
  return spec[name] as readonly Description[]
}

/** Visits one body for all levels, or the body of each level. */
export function visitBodies(
  spec: Description,
  given: Readonly<Record<string, Description>>,
  visitor: PartVisitor,
  name: string,
): void {
  const bodies = listIn(spec, "bodies")
  const levels = (spec.levels as readonly Level[] | undefined)?.map(String) ?? Object.keys(given)
  for (const [level, below] of Object.entries(given))
    visitor.visit(bodies[bodies.length > 1 ? levels.indexOf(level) : 0], below, name, level)
}

// ── for people ─────────────────────────────────────────────────────────────────────────────────────

/** The answers of a structure to pages and code. */
export interface StructureGuide {
  /** "mixture", "classes of species" */
  title(spec: Description): string
  /** TypeScript that declares it, by the functions in `makers`. */
  code(spec: Description, writing: CodeWriting): string
  readonly makers: readonly string[]
  /** The field that counts its hidden values. */
  count?(spec: Description): { readonly field: string; readonly name: string } | undefined
  /** Other declarations may be put between it and its body. */
  readonly opens?: true
  /** It is a set of parts that can be grouped and left out. */
  readonly groups?: true
  /** It is a mixture, which can be put below another structure and taken away. */
  readonly mixes?: true
}

export interface CodeWriting {
  readonly indent: string
  /** A model inside; `deeper`: two spaces further. */
  model(child: Description, deeper?: boolean): string
  /** A family with its options; undefined: it is joint, and a model. */
  family(leaf: Pick<LeafSpec, "family" | "columns" | "options">): string | undefined
  /** A joint family on its columns; undefined: only its spec declares it. */
  joint(leaf: LeafSpec): string | undefined
}

/** A spec that no maker writes shorter. */
export function declared(spec: Description): string {
  return `declare(${JSON.stringify(spec)})`
}

/** The options that differ from the usual ones, as a last argument. */
export function lastArgument(options: Description, usual: Description): string {
  const other = Object.entries(options).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(usual[name]),
  )
  return other.length === 0 ? "" : `, ${record(Object.fromEntries(other))}`
}
