/**
 * One entry of the list of structures: how saving and `specify` know a structure. A declared model is saved as plain data, its spec; the kind makes the
 * model from it again, and finds the parts of the model in a description.
 */
import type { Level } from "../contract/cells.ts"
import type { FamilyKind, Given } from "../contract/family.ts"
import type { Model } from "../contract/model.ts"
import type { Description, Json } from "../contract/report.ts"
import { didYouMean, list, nearest, SufficeError, show } from "../errors.ts"
import { isRecord, listAt, misshapen, type Reader, textAt } from "../shape.ts"
import type { StructureTree } from "./tree.ts"

/** How saving knows a structure: it makes the model again from its spec. */
export interface StructureKind {
  readonly name: string
  /** The model that a spec from a file declares. Everything in it is checked, and nothing in it is run. */
  revive(spec: unknown, revival: Revival, path: string): Model
  /** Reads its spec: the models inside, columns, arrows, parts. */
  readonly tree: StructureTree
  /** The names under which the model describes itself. */
  names(spec: Description, kinds: Kinds): readonly string[]
  /** Visit the parts of a description of the model. */
  walk(spec: Description, description: Description, path: string, visitor: Visitor, kinds: Kinds): void
}

/** The known structures, by name. */
export type Kinds = ReadonlyMap<string, StructureKind>

export interface Revival extends Given {
  /** The families and the structures that a spec may name. */
  readonly families: ReadonlyMap<string, FamilyKind>
  readonly structures: Kinds
  /** The most values a switch can have: the number of statistics in the file. */
  readonly most: number
}

/** Is told of the parts of a description. */
export interface Visitor {
  leaf(columns: readonly string[], description: Description, path: string): void
  /** The levels of a label: declared, or named by the description. */
  label(column: string, levels: readonly string[], path: string): void
  /** Levels given from outside for a column whose model declares none. */
  levels(column: string): readonly Level[] | undefined
}

// ── specs ──────────────────────────────────────────────────────────────────────────────────────────

/** The model that a spec from a file declares. */
export function revive(spec: unknown, revival: Revival, path: string): Model {
  if (!isRecord(spec)) throw misshapen(path, spec, "a model")
  const kind = revival.structures.get(spec.kind as string)
  if (kind) return kind.revive(spec, revival, path)
  const name = textAt(spec.kind, `${path}.kind`)
  throw new SufficeError(
    "saved",
    `the model file has the structure ${show(name)} at ${path}.kind, which is not known here: ${list(revival.structures.keys(), 20)} are. It was damaged, or written by another Suffice. Update Suffice, or save the model again.`,
    { path: `${path}.kind`, kind: name },
  )
}

export function modelAt(revival: Revival): Reader<Model> {
  return (value, path) => revive(value, revival, path)
}

export function modelsAt(revival: Revival): Reader<Model[]> {
  return (value, path) => listAt(value, path, (spec, at) => revive(spec, revival, at))
}

/** Errors thrown by `make` become errors about this place in the file. A user's family may throw anything. */
export function within<T>(path: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof SufficeError && error.code === "saved") throw error
    throw new SufficeError(
      "saved",
      `the model file cannot be used at ${path}: ${error instanceof Error ? error.message : String(error)}`,
      { ...(error instanceof SufficeError && error.details), path, error },
    )
  }
}

// ── descriptions ───────────────────────────────────────────────────────────────────────────────────

export function kindOf({ kind }: Description, kinds: Kinds): StructureKind {
  const found = kinds.get(kind as string)
  if (found) return found
  throw new SufficeError(
    "model",
    `specify: the structure ${show(kind)} is not known here: ${list(kinds.keys())} are. How it describes itself cannot be guessed. Build the model of these, or fit it to data.`,
    { kind },
  )
}

/** The columns of a spec, as Model.uses orders them. */
export function columnsOf(spec: Description, kinds: Kinds): readonly string[] {
  return kindOf(spec, kinds).tree.columns(spec, child => columnsOf(child, kinds))
}

/** Visits a whole description: every part of the model, and no other. */
export function walkBody(
  spec: Description,
  description: Description,
  path: string,
  visitor: Visitor,
  kinds: Kinds,
): void {
  const kind = kindOf(spec, kinds)
  checkKeys(description, kind.names(spec, kinds), path, "part of the model")
  kind.walk(spec, description, path, visitor, kinds)
}

/** The object under `name`; throws if it is missing. */
export function partOf(description: Description, name: string, path: string): Description {
  const part = Object.hasOwn(description, name) ? (description[name] as Json | undefined) : undefined
  if (isRecord(part)) return part as Description
  const names = Object.keys(description)
  const near = nearest(name, names)[0]
  throw new SufficeError(
    "parameters",
    part === undefined
      ? `specify: ${at(path, name)} is missing from the description; ${path === "" ? "it" : path} has ${names.length > 0 ? list(names) : "nothing"}. Every part of the model needs its parameters. ${near && near !== name ? `Did you mean ${show(name)} where it says ${show(near)}?` : "Add it, as describe() prints it."}`
      : `specify: ${at(path, name)} is ${show(part)}. An object belongs there. Write it as describe() prints it.`,
    { path: at(path, name), nearest: near },
  )
}

/** Refuse unexpected names: a misspelt one would otherwise be ignored silently. */
export function checkKeys(
  description: Description,
  expected: readonly string[],
  path: string,
  what: "part of the model" | "level of the model",
): void {
  const known = new Set(expected)
  for (const name of Object.keys(description)) {
    if (known.has(name)) continue
    const near = nearest(name, expected)
    throw new SufficeError(
      "parameters",
      `specify: ${at(path, name)} is no ${what}. There it has ${list(expected)}. ${didYouMean(near, "Take it out of the description, or add it to the model.")}`,
      { path: at(path, name), nearest: near[0] },
    )
  }
}

/** species.given["Iris setosa"] */
export function at(path: string, name: string): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return `${path}[${show(name)}]`
  return path === "" ? name : `${path}.${name}`
}
