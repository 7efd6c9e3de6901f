/** Guides by name: of families and of structures; a declaration as the TypeScript that declares it. */
import type { ColumnKind, Guide } from "../contract/guide.ts"
import type { Description } from "../contract/report.ts"
import { inWords, noMean } from "../families/guide.ts"
import { type FamilyName, guides } from "../families/list.ts"
import type { CodeWriting, LeafSpec, StructureGuide } from "../structures/tree.ts"
import { structureGuides } from "./trees.ts"

const KNOWN: Readonly<Record<string, Guide>> = guides
const STRUCTURES: Readonly<Record<string, StructureGuide>> = structureGuides

/** The guide of a family; of your own families one that lists parameters. */
export function guideOf(family: string): Guide {
  if (Object.hasOwn(KNOWN, family)) return KNOWN[family]
  return {
    title: family,
    columns: [],
    summary: inWords,
    mean: noMean,
    makers: [],
    joint: true,
    code: () => "",
  }
}

/** The family that columns of a kind are read as unless another is named. */
export function usualFamily(kind: NonNullable<Guide["usual"]>): FamilyName {
  return familyWith(({ usual }) => usual === kind)
}

/** The first family whose guide suits; there is one. */
export function familyWith(suits: (guide: Guide) => boolean): FamilyName {
  return (Object.entries(guides) as [FamilyName, Guide][]).find(([, guide]) => suits(guide))![0]
}

/** The families that may take its place on the same column, and itself. */
export function alternatives(family: string): string[] {
  const { columns, joint } = guideOf(family)
  if (columns.includes("text")) return suiting("text")
  if (joint) return [family]
  if (columns.includes("level")) return suiting("level")
  return [...suiting("number", "count"), usualFamily("category")]
}

function suiting(...kinds: readonly ColumnKind[]): string[] {
  return Object.entries(KNOWN).flatMap(([name, { columns, joint }]) =>
    columns.some(kind => kinds.includes(kind) && (kind === "text" || !joint)) ? [name] : [],
  )
}

/** The guide of the structure of a spec; undefined: it is your own. */
export function structureGuideOf({ kind }: Description): StructureGuide | undefined {
  return Object.hasOwn(STRUCTURES, kind as string) ? STRUCTURES[kind as string] : undefined
}

/** The title of a declaration: "mixture", "classes of species". */
export function titleOf(spec: Description): string {
  return structureGuideOf(spec)?.title(spec) ?? String(spec.kind)
}

/** TypeScript that declares the same model, by functions of `suffice`. */
export function codeOf(spec: Description, indent = ""): string {
  const writing: CodeWriting = {
    indent,
    model: (child, deeper = false) => codeOf(child, deeper ? `${indent}  ` : indent),
    family: leaf => (guideOf(leaf.family).joint ? undefined : familyCode(leaf)),
    joint: leaf => (Object.hasOwn(KNOWN, leaf.family) ? familyCode(leaf) : undefined),
  }
  return structureGuideOf(spec)?.code(spec, writing) ?? `declare(${JSON.stringify(spec)})`
}

function familyCode({ family, columns, options }: Pick<LeafSpec, "family" | "columns" | "options">): string {
  return guideOf(family).code(columns, options)
}

/** The functions of `suffice` that such code may call. */
export const MAKERS: readonly string[] = /* @__PURE__ */ makersOf()

function makersOf(): string[] {
  const all = [...Object.values(KNOWN), ...Object.values(STRUCTURES)]
  return [...new Set(all.flatMap(({ makers }) => makers))].sort()
}
