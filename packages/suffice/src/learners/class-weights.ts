/** Factors on the weight of rows, by level of the target. */
import type { Column } from "../contract/columns.ts"
import { didYouMean, list, nearest, SufficeError, show } from "../errors.ts"
import { isRecord, option } from "./options.ts"

/** A checked copy: the caller may change the original later. */
export function checkedFactors(factors: Readonly<Record<string, number>>): Record<string, number> {
  const fine =
    isRecord(factors) && Object.values(factors).every(factor => Number.isFinite(factor) && factor >= 0)
  option("sdem", "classWeights", factors, fine, "finite numbers ≥ 0 by level, such as { rare: 5 }")
  return { ...factors }
}

/** In the order of the target's levels; throws on levels it does not have. */
export function factorsOf(column: Column, byName: Readonly<Record<string, number>>): Float64Array {
  const target = column.name
  if (column.kind !== "level") {
    throw new SufficeError(
      "option",
      `sdem: classWeights weigh the levels of the target, but ${show(target)} is a number. It has no levels. Leave them out.`,
      { option: "classWeights", column: target },
    )
  }
  const names = column.levels.map(String)
  for (const name of Object.keys(byName)) {
    if (names.includes(name)) continue
    throw new SufficeError(
      "option",
      `sdem: classWeights names ${show(name)}, which is no level of ${show(target)}. Its levels are ${list(column.levels)}. ${didYouMean(nearest(name, names), "Leave it out.")}`,
      { option: "classWeights", level: name },
    )
  }
  return Float64Array.from(names, name => (Object.hasOwn(byName, name) ? byName[name] : 1))
}
