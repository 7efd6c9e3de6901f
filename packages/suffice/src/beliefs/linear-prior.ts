/** The prior of a line in the units of the data, as pseudo-statistics. */
import type { About } from "../contract/belief.ts"
import type { Description } from "../contract/report.ts"
import { show } from "../errors.ts"
import {
  encodedCovariance,
  encodedMeans,
  type NumberColumn,
  pooledVariances,
} from "../families/normal/columns.ts"
import { triangle } from "../kernels/triangle.ts"
import { amount, checkReach, DEGREES, knownNames, SPREAD as POSITIVE, refused, STRENGTH } from "./elicited.ts"

/** Pseudo-statistics of (1, x, y), the degrees of freedom and S₀ = degrees·sd², in encoded units. */
export function elicitedLine(about: About, columns: readonly NumberColumn[]) {
  const prior = about.options.prior as { readonly [name: string]: never }
  const [y, ...given] = columns
  const d = given.length
  const names = given.map(({ name }) => name)
  knownNames(about, "coefficients", prior.coefficients, names)
  const strength = amount(about, prior, "strength", 0, STRENGTH)
  const degrees = amount(about, prior, "degrees", 0, DEGREES)
  const sd = amount(about, prior, "sd", 0, POSITIVE) / y.scale
  let intercept = amount(about, prior, "intercept", -Infinity, "It is where the line begins.") - y.shift
  const w = new Float64Array(d + 2)
  given.forEach(({ name, shift, scale }, j) => {
    const called = `the coefficient of ${show(name)}`
    const given = { [called]: (prior.coefficients as Description)[name] }
    const slope = amount(about, given as Description, called, -Infinity, "It is the slope of the line.")
    intercept += slope * shift
    w[1 + j] = (slope * scale) / y.scale
  })
  w[0] = intercept / y.scale
  // E[zzᵀ] of x as `on` says, or as it is pooled
  const zz = new Float64Array(triangle(d + 2))
  let mean: ArrayLike<number> = new Float64Array(d)
  let spread: Float64Array | undefined
  try {
    if (prior.on !== undefined) {
      mean = encodedMeans(given, prior.on, "linear")
      spread = encodedCovariance(given, prior.on, "linear")
    }
  } catch (error) {
    throw refused(about, `the prior cannot be used. ${(error as Error).message}`)
  }
  const pooled = pooledVariances(given)
  const entry = (j: number, k: number): number => {
    if (j === 0) return 1
    if (k === 0) return mean[j - 1]
    const own = spread ? spread[triangle(j - 1) + k - 1] : j === k ? pooled[j - 1] : 0
    return own + mean[j - 1] * mean[k - 1]
  }
  for (let j = 0; j <= d; j++) for (let k = 0; k <= j; k++) zz[triangle(j) + k] = strength * entry(j, k)
  const row = triangle(d + 1)
  for (let j = 0; j <= d; j++) {
    for (let k = 0; k <= d; k++) zz[row + j] += zz[j >= k ? triangle(j) + k : triangle(k) + j] * w[k]
  }
  for (let j = 0; j <= d; j++) zz[row + d + 1] += zz[row + j] * w[j]
  const scatter = degrees * sd * sd
  const squares = spread ? given.map((_, j) => spread[triangle(j) + j]) : []
  checkReach(about, [...Array.from(mean), ...w], [scatter, ...squares])
  return { pseudo: zz, degrees, scatter }
}
