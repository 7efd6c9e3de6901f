/** `normal(columns)`: several correlated columns as one leaf. */
import type { Model } from "../contract/model.ts"
import { SufficeError, show } from "../errors.ts"
import { type NormalOptions, normalFamily } from "../families/normal/normal.ts"
import { leafModel } from "./leaf.ts"

export function normal<const Names extends readonly string[]>(
  columns: Names,
  options: NormalOptions = {},
): Model<{ [Name in Names[number]]: number }, never> {
  if (!Array.isArray(columns) || columns.length === 0 || columns.some(name => typeof name !== "string")) {
    throw new SufficeError(
      "model",
      `normal: the columns are ${show(columns)}. It takes a list of column names. Write for example normal(["x", "y"]).`,
    )
  }
  const twice = columns.find((name, j) => columns.indexOf(name) !== j)
  if (twice !== undefined) {
    throw new SufficeError(
      "model",
      `normal: column ${show(twice)} is named twice. A column correlates with itself perfectly, which no density allows. Name it once.`,
      { column: twice },
    )
  }
  return leafModel(normalFamily(options), columns)
}
