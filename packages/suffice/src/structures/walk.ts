/** Where in a description the parts of a model stand, structure by structure: what `specify` reads before there is data. */
import type { Description, Json, Level, Model } from "../contract.ts"
import { didYouMean, list, nearest, SufficeError, show } from "../errors.ts"
import { isRecord } from "../shape.ts"
import { hiddenName } from "./classes.ts"

/** What the walk meets. */
export interface Visitor {
  leaf(columns: readonly string[], description: Description, path: string): void
  /** The levels of a label: declared, or named by the description. */
  label(column: string, levels: readonly string[], path: string): void
  /** Levels given from outside for a column whose model declares none. */
  levels(column: string): readonly Level[] | undefined
}

interface Structure {
  /** The columns of a spec, as Model.uses orders them. */
  columns(spec: Description): readonly string[]
  /** The names under which the model describes itself. */
  names(spec: Description): readonly string[]
  /** Visit the parts of a description of the model. */
  walk(spec: Description, description: Description, path: string, visitor: Visitor): void
}

const leaf: Structure = {
  columns: spec => spec.columns as string[],
  names: spec => [(spec.columns as string[]).join(", ")],
  walk(spec, description, path, visitor) {
    const [name] = leaf.names(spec)
    const own = partOf(description, name, path)
    if (own.family !== undefined && own.family !== spec.family) {
      throw new SufficeError(
        "parameters",
        `specify: ${at(path, name)} describes ${show(own.family)}, but the model has ${show(spec.family)} there. Parameters of one family mean nothing to another. Describe ${show(spec.family)}, or change the model.`,
        { path: at(path, name), family: own.family },
      )
    }
    visitor.leaf(spec.columns as string[], own, at(path, name))
  },
}

const product: Structure = {
  columns: spec => (spec.parts as Description[]).flatMap(columnsOf),
  names: spec => (spec.parts as Description[]).flatMap(part => structureOf(part).names(part)),
  walk(spec, description, path, visitor) {
    for (const part of spec.parts as Description[]) structureOf(part).walk(part, description, path, visitor)
  },
}

const seenSwitch: Structure = {
  columns: spec => [
    ...new Set([spec.column as string, ...(spec.bodies as Description[]).flatMap(columnsOf)]),
  ],
  names: spec => [spec.column as string],
  walk(spec, description, path, visitor) {
    const column = spec.column as string
    walkSwitch(
      spec,
      column,
      (spec.levels as Level[] | undefined) ?? visitor.levels(column),
      description,
      path,
      visitor,
    )
  },
}

const hiddenSwitch: Structure = {
  columns(spec) {
    const below = (spec.bodies as Description[]).flatMap(columnsOf)
    return [...new Set(spec.name === undefined ? below : [spec.name as string, ...below])]
  },
  names: spec => [(spec.name as string | undefined) ?? hiddenName(hiddenSwitch.columns(spec))],
  walk(spec, description, path, visitor) {
    const levels = Array.from({ length: spec.components as number }, (_, l) => l)
    walkSwitch(spec, hiddenSwitch.names(spec)[0], levels, description, path, visitor)
  },
}

const STRUCTURES: ReadonlyMap<string, Structure> = new Map([
  ["leaf", leaf],
  ["independent", product],
  ["classes", seenSwitch],
  ["mixture", hiddenSwitch],
])

/** Visit the parts of a description of the model: what it lacks, or has too much, is named. */
export function walkDescription(model: Model, description: Description, visitor: Visitor): void {
  walkBody(model.spec, description, "", visitor)
}

function structureOf({ kind }: Description): Structure {
  const structure = STRUCTURES.get(kind as string)
  if (structure) return structure
  throw new SufficeError(
    "model",
    `specify: the structure ${show(kind)} is not known here: ${list(STRUCTURES.keys())} are. How it describes itself cannot be guessed. Build the model of these, or fit it to data.`,
    { kind },
  )
}

function columnsOf(spec: Description): readonly string[] {
  return structureOf(spec).columns(spec)
}

/** A whole description: every part the model has, and no other. */
function walkBody(spec: Description, description: Description, path: string, visitor: Visitor): void {
  checkKeys(description, structureOf(spec).names(spec), path, "part of the model")
  structureOf(spec).walk(spec, description, path, visitor)
}

function walkSwitch(
  spec: Description,
  column: string,
  declared: readonly Level[] | undefined,
  description: Description,
  path: string,
  visitor: Visitor,
): void {
  const here = at(path, column)
  const own = partOf(description, column, path)
  const probabilities = partOf(own, "probabilities", here)
  const levels = declared?.map(String) ?? Object.keys(probabilities)
  checkKeys(probabilities, levels, at(here, "probabilities"), "level of the model")
  const given = partOf(own, "given", here)
  checkKeys(given, levels, at(here, "given"), "level of the model")
  if (spec.kind === "classes") visitor.label(column, levels, here)
  const bodies = spec.bodies as Description[]
  levels.forEach((level, l) => {
    const below = at(at(here, "given"), level)
    walkBody(bodies[bodies.length > 1 ? l : 0], partOf(given, level, at(here, "given")), below, visitor)
  })
}

/** The object under `name`, which the model needs. */
function partOf(description: Description, name: string, path: string): Description {
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

/** Refuse names that are not expected: a misspelt one would otherwise be ignored in silence. */
function checkKeys(
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
function at(path: string, name: string): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return `${path}[${show(name)}]`
  return path === "" ? name : `${path}.${name}`
}
