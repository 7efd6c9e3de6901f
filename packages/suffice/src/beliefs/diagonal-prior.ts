/** The prior of uncorrelated columns in the units of the data. */
import type { About } from "../contract/belief.ts"
import { encodedMeans, entry, type NumberColumn } from "../families/normal/columns.ts"
import { amount, DEGREES, knownNames, refused, STRENGTH } from "./elicited.ts"

/** κ₀, m₀, ν₀ and S₀ = ν₀·sd², in encoded units. */
export function elicitedColumns(about: About, columns: readonly NumberColumn[], isFixed: boolean) {
  const given = about.options.prior as { readonly [name: string]: never }
  const names = columns.map(({ name }) => name)
  knownNames(about, "mean", given.mean, names)
  const degrees = isFixed ? 1 : amount(about, given, "degrees", 0, DEGREES)
  try {
    return {
      kappa: amount(about, given, "strength", 0, STRENGTH),
      mean: encodedMeans(columns, given),
      degrees,
      scatter: isFixed
        ? [1]
        : columns.map(({ name, scale }) => {
            const sd = entry(name, given, "sd", 0) / scale
            return degrees * sd * sd
          }),
    }
  } catch (error) {
    throw refused(about, `the prior cannot be used. ${(error as Error).message}`)
  }
}
