/** The prior of uncorrelated columns in the units of the data. */
import type { About } from "../contract/belief.ts"
import { encodedMeans, entry, type NumberColumn } from "../families/normal/columns.ts"
import { amount, checkReach, DEGREES, knownNames, refused, STRENGTH } from "./elicited.ts"

/** κ₀, m₀, ν₀ and S₀ = ν₀·sd², in encoded units. */
export function elicitedColumns(about: About, columns: readonly NumberColumn[], isFixed: boolean) {
  const given = about.options.prior as { readonly [name: string]: never }
  const names = columns.map(({ name }) => name)
  knownNames(about, "mean", given.mean, names)
  const kappa = amount(about, given, "strength", 0, STRENGTH)
  const degrees = isFixed ? 1 : amount(about, given, "degrees", 0, DEGREES)
  let mean: ArrayLike<number>
  let scatter: number[]
  try {
    mean = encodedMeans(columns, given)
    scatter = isFixed
      ? [1]
      : columns.map(({ name, scale }) => {
          const sd = entry(name, given, "sd", 0) / scale
          return degrees * sd * sd
        })
  } catch (error) {
    throw refused(about, `the prior cannot be used. ${(error as Error).message}`)
  }
  // a spread that is known is 1 in the units of the data
  if (!isFixed) checkReach(about, mean, scatter)
  return { kappa, mean, degrees, scatter }
}
