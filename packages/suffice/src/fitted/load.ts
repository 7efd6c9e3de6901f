/** `load`: a saved model, fitted again. */
import type { Cell, FamilyKind } from "../contract.ts"
import { nearest, SufficeError, show } from "../errors.ts"
import { families } from "../families/list.ts"
import { prepareKernels } from "../kernels/wasm/use.ts"
import { readHistory } from "../saved/history.ts"
import { Fitted } from "./fitted.ts"
import { readModel } from "./read-model.ts"

export interface LoadOptions {
  /** Families of your own that the model uses, beside those of the list. */
  readonly families?: readonly FamilyKind[]
}

/** The fitted model of a file: its text, or the object parsed from it. */
export function load<Cells = Record<string, Cell>, Target extends string = string>(
  json: unknown,
  options: LoadOptions = {},
): Fitted<Cells, Target> {
  prepareKernels()
  const { known, saved } = readModel(json, [...families, ...familiesOf(options)])
  return new Fitted<Cells, Target>({ ...known, ...readHistory(saved) })
}

function familiesOf(options: LoadOptions): readonly FamilyKind[] {
  for (const name of Object.keys(options)) {
    if (name === "families") continue
    throw new SufficeError(
      "option",
      `load: there is no option ${show(name)}. It knows "families". ${nearest(name, ["families"]).length > 0 ? 'Did you mean "families"?' : "Leave it out."}`,
      { option: name },
    )
  }
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
