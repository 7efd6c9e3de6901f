/** `load`: a saved model, fitted again. */
import type { Cell, FamilyKind, Given, Stem } from "../contract.ts"
import { refuseUnknown, SufficeError, show } from "../errors.ts"
import { families } from "../families/list.ts"
import { prepareKernels } from "../kernels/fast/use.ts"
import { readHistory } from "../saved/history.ts"
import { Fitted } from "./fitted.ts"
import { readModel } from "./read-model.ts"

export interface LoadOptions {
  /** Families of your own that the model uses, beside those of the list. */
  readonly families?: readonly FamilyKind[]
  /** The stemmers that the model names: { english: stemmer("english") }, with stemmer from "suffice-files/text". */
  readonly stemmers?: Readonly<Record<string, Stem>>
}

/** The fitted model of a file: its text, or the object parsed from it. */
export function load<Cells = Record<string, Cell>, Target extends string = string>(
  json: unknown,
  options: LoadOptions = {},
): Fitted<Cells, Target> {
  prepareKernels()
  const { known, saved } = readModel(json, [...families, ...familiesOf(options)], stemmersOf("load", options))
  return new Fitted<Cells, Target>({ ...known, ...readHistory(saved) })
}

function familiesOf(options: LoadOptions): readonly FamilyKind[] {
  refuseUnknown("load", options, ["families", "stemmers"])
  const { families = [] } = options
  const isKind = (kind: unknown): boolean =>
    typeof (kind as FamilyKind)?.name === "string" && typeof (kind as FamilyKind).make === "function"
  const wrong = Array.isArray(families) ? families.findIndex(kind => !isKind(kind)) : undefined
  if (wrong === -1) return families
  throw new SufficeError(
    "option",
    `load: ${wrong === undefined ? `families is ${show(families)}` : `families[${wrong}] is ${show(families[wrong])}`}. It takes a list of kinds of families, each with a name and make(options). Write for example { families: [zipfKind] }.`,
    { option: "families" },
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
