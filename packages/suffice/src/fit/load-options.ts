/** The options of `load` and `loadPredictor`, checked: what a saved model names and cannot hold. */
import type { FamilyKind, Given } from "../contract/family.ts"
import { refuseUnknown, SufficeError, show } from "../errors.ts"
import type { StructureKind } from "../structures/kind.ts"

interface Families {
  readonly families?: readonly FamilyKind[]
}

/** Kinds of families, as `load` and `loadPredictor` take them. */
export function familiesOf(
  where: string,
  options: Families,
  more: readonly string[] = [],
): readonly FamilyKind[] {
  refuseUnknown(where, options, ["families", "stemmers", ...more])
  const { families = [] } = options
  const isKind = (kind: unknown): boolean =>
    typeof (kind as FamilyKind)?.name === "string" && typeof (kind as FamilyKind).make === "function"
  const wrong = Array.isArray(families) ? families.findIndex(kind => !isKind(kind)) : undefined
  if (wrong === -1) return families
  throw new SufficeError(
    "option",
    `${where}: ${wrong === undefined ? `families is ${show(families)}` : `families[${wrong}] is ${show(families[wrong])}`}. It takes a list of kinds of families, each with a name and make(options). Write for example { families: [zipfKind] }.`,
    { option: "families" },
  )
}

export interface Structures {
  readonly structures?: readonly StructureKind[]
}

/** Kinds of structures, as `loadPredictor` takes them. */
export function structuresOf(where: string, { structures = [] }: Structures): readonly StructureKind[] {
  const isKind = (kind: unknown): boolean => typeof (kind as StructureKind)?.revive === "function"
  if (Array.isArray(structures) && structures.every(isKind)) return structures
  throw new SufficeError(
    "option",
    `${where}: structures is ${show(structures)}. It takes a list of kinds of structures. Write for example { structures: [chainKind] }.`,
    { option: "structures" },
  )
}

/** Functions by name, as `load` and `declare` take them. */
export function stemmersOf(where: string, { stemmers = {} }: Given): Given {
  if (typeof stemmers !== "object" || stemmers === null) throw noStemmers(where, "stemmers", stemmers)
  for (const [name, stem] of Object.entries(stemmers)) {
    if (typeof stem !== "function") throw noStemmers(where, `stemmers.${name}`, stem)
  }
  return { stemmers }
}

function noStemmers(where: string, what: string, value: unknown): SufficeError {
  return new SufficeError(
    "option",
    `${where}: ${what} is ${show(value)}. It takes functions from words to stems, by name. Write for example { stemmers: { english: stemmer("english") } }, with stemmer from "suffice-files/text".`,
    { option: "stemmers" },
  )
}
