/** `linear(column, on)`: a column given others, by linear regression. It models the one and reads the others. */
import type { Model } from "../contract/model.ts"
import { SufficeError, show } from "../errors.ts"
import { type LinearLeafOptions, linearFamily, notItself } from "../families/linear/linear.ts"
import { leafModel } from "./leaf.ts"

export type { LinearLeafOptions }

export function linear<const Name extends string, const Names extends readonly string[]>(
  column: Name,
  on: Names,
  options: LinearLeafOptions = {},
): Model<{ [Each in Name | Names[number]]: number }, never> {
  if (typeof column !== "string") {
    throw new SufficeError(
      "model",
      `linear: the column is ${show(column)}. It is the name of the column that depends on the others. Write for example linear("y", ["x"]).`,
    )
  }
  const family = linearFamily(on, options)
  if (on.includes(column)) throw notItself(column)
  return leafModel(family, [column])
}
