/** Priors in the units of the data: `prior: { … }` of a family, checked. A number is a factor on the default prior. */
import type { About } from "../contract/belief.ts"
import type { Description, Json } from "../contract/report.ts"
import { didYouMean, list, nearest, SufficeError, show } from "../errors.ts"
import { isRecord } from "../shape.ts"

/** The prior of an option: a factor on the default one, or a description whose fields are known. */
export function priorOf(
  about: About,
  fields: readonly string[],
): { readonly factor: number; readonly given?: Description } {
  const prior = about.options.prior ?? 1
  if (isRecord(prior)) {
    for (const name of Object.keys(prior)) {
      if (fields.includes(name)) continue
      const near = nearest(name, fields)
      throw refused(
        about,
        `the prior of ${of(about)} has ${show(name)}. It knows ${list(fields)}. ${didYouMean(near, "Leave it out.")}`,
      )
    }
    return { factor: 1, given: prior as Description }
  }
  if ((prior as number) > 0) return { factor: prior as number }
  throw refused(
    about,
    `the prior of ${of(about)} is ${show(prior)}, and bayes() learns it. Evidence needs a proper prior. Give a number above 0, or leave it out.`,
  )
}

/** A number of the prior, above a bound, and below another; `why` says what it is. */
export function amount(
  about: About,
  given: Description,
  name: string,
  above: number,
  why: string,
  below = Number.POSITIVE_INFINITY,
): number {
  const value = given[name]
  if (typeof value === "number" && Number.isFinite(value) && value > above && value < below) return value
  const wanted =
    below < Number.POSITIVE_INFINITY
      ? `a number between ${above} and ${below}`
      : `a finite number${above === -Infinity ? "" : ` above ${above}`}, in the units of the data`
  throw refused(about, `${name} in the prior of ${of(about)} is ${show(value)}. ${why} Give ${wanted}.`)
}

export const STRENGTH = "It counts pseudo-rows, and with none the prior is improper."
export const DEGREES = "With so few degrees of freedom the prior of a spread is improper."
export const SPREAD = "A spread is positive."
export const SHARE = "With what is certain or impossible the prior is improper."

/**
 * Throws unless means and squared spreads in encoded units, and what is made of them, are numbers: the values themselves are about 1 there.
 */
export function checkReach(about: About, means: ArrayLike<number>, squares: ArrayLike<number>): void {
  const isNear = Array.from(means).every(mean => Math.abs(mean) < FAR)
  if (isNear && Array.from(squares).every(square => square > 1 / (FAR * FAR) && square < FAR * FAR)) return
  throw refused(
    about,
    `the prior of ${of(about)} lies more than 1e152 times the spread of its values away, or is wider or narrower by so much. No number holds both. Give the prior in the units of the data.`,
  )
}

const FAR = 1e152

/** Throws unless these names are all known. */
export function knownNames(
  about: About,
  what: string,
  given: Json | undefined,
  known: readonly string[],
): void {
  if (!isRecord(given)) {
    throw refused(
      about,
      `${what} in the prior of ${of(about)} is ${show(given)}. It has a number for each of ${list(known)}. Give them by name.`,
    )
  }
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    throw refused(
      about,
      `${what} in the prior of ${of(about)} has ${show(name)}, which is none of ${list(known)}. Nothing can be believed of it. ${didYouMean(nearest(name, known), "Leave it out.")}`,
    )
  }
}

/** Probabilities by name: above 0, adding up to 1. */
export function shares(about: About, given: Description, names: readonly string[]): Float64Array {
  const by = given.probabilities
  knownNames(about, "probabilities", by, names)
  const values = names.map(name => (by as Description)[name] as number)
  const total = values.reduce((sum, value) => sum + value, 0)
  if (values.every(value => typeof value === "number" && value > 0) && Math.abs(total - 1) < 1e-6)
    return Float64Array.from(values)
  throw refused(
    about,
    `the probabilities in the prior of ${of(about)} are ${values.map(value => show(value)).join(", ")} for ${list(names)}. A proper prior gives every level a probability above 0, and they add up to 1. Give one for each level.`,
  )
}

export function of({ columns }: About): string {
  return columns.length === 1 ? show(columns[0].name) : list(columns.map(({ name }) => name))
}

export function refused({ family, maker = family, columns }: About, message: string): SufficeError {
  return new SufficeError("option", `${maker}: ${message}`, { option: "prior", column: columns[0]?.name })
}
