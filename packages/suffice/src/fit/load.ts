/** `load`: a fitted model from a saved one. */

import { beliefs } from "../beliefs/list.ts"
import type { Cell } from "../contract/cells.ts"
import type { Stem } from "../contract/columns.ts"
import type { FamilyKind } from "../contract/family.ts"
import { families } from "../families/list.ts"
import { prepareKernels } from "../kernels/fast/use.ts"
import { readHistory } from "../saved/history.ts"
import { largeStructures } from "../structures/large.ts"
import { Fitted } from "./fitted.ts"
import { familiesOf, stemmersOf } from "./load-options.ts"
import { readModel } from "./read-model.ts"

export interface LoadOptions {
  /** Families of your own that the model uses, besides the built-in ones. */
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
  const { known, saved } = readModel(json, [...families, ...familiesOf("load", options)], largeStructures, {
    ...stemmersOf("load", options),
    beliefs,
  })
  return new Fitted<Cells, Target>({ ...known, ...readHistory(saved) })
}
