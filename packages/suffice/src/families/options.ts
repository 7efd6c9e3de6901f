/** Checks that every family makes of its options. */
import type { Description, Json } from "../contract.ts"
import { list, refuseUnknown, SufficeError, show } from "../errors.ts"

/** One of a few words. */
export function oneOf<T extends string>(family: string, option: string, value: T, words: readonly T[]): T {
  if (words.includes(value)) return value
  throw new SufficeError(
    "option",
    `${family}: ${option} is ${show(value)}. It must be one of ${list(words)}. Choose one of them, or leave it out.`,
    { family, option, value },
  )
}

/** The number of pseudo-rows a prior is worth: finite and not negative. */
export function pseudoRows(family: string, value: number): number {
  if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return value
  throw new SufficeError(
    "option",
    `${family}: prior is ${show(value)}. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default.`,
    { family, option: "prior", value },
  )
}

/** Refuse options a family does not know: a misspelt one would otherwise be ignored in silence. */
export function knownOptions(
  family: string,
  options: Description,
  names: readonly string[],
): Record<string, Json> {
  refuseUnknown(family, options, names)
  return { ...options }
}
