/** The prior of uncorrelated columns in the units of the data. */
import type { About } from "../contract/belief.ts"
import { list } from "../errors.ts"
import { encodedMeans, encodedVariances, type NumberColumn } from "../families/normal/columns.ts"
import { amount, checkReach, DEGREES, knownNames, of, refused, STRENGTH } from "./elicited.ts"

/** κ₀, m₀, ν₀ and S₀ = ν₀·sd², in encoded units. */
export function elicitedColumns(
  about: About,
  columns: readonly NumberColumn[],
  shape: "diag" | "spherical" | "identity",
) {
  const isFixed = shape === "identity"
  const given = about.options.prior as { readonly [name: string]: never }
  const names = columns.map(({ name }) => name)
  knownNames(about, "mean", given.mean, names)
  const kappa = amount(about, given, "strength", 0, STRENGTH)
  const degrees = isFixed ? 1 : amount(about, given, "degrees", 0, DEGREES)
  if (!isFixed) knownNames(about, "sd", given.sd, names)
  let mean: ArrayLike<number>
  let scatter: number[]
  try {
    mean = encodedMeans(columns, given)
    scatter = isFixed
      ? [1]
      : encodedVariances(columns, { sd: given.sd }, "each").map(variance => degrees * variance)
  } catch (error) {
    throw refused(about, `the prior cannot be used. ${(error as Error).message}`)
  }
  const sds = isFixed ? [] : names.map(name => given.sd[name] as number)
  if (shape === "spherical" && sds.some(sd => Math.abs(sd - sds[0]) > 1e-9 * sds[0])) {
    throw refused(
      about,
      `sd in the prior of ${of(about)} is ${list(sds, 5)}. Spherical columns have one spread. Give each of them the same, or choose covariance: "diag".`,
    )
  }
  // a spread that is known is 1 in the units of the data
  if (!isFixed) checkReach(about, mean, scatter)
  return { kappa, mean, degrees, scatter }
}
