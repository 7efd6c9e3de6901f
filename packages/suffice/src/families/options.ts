/** Options that families share. */
import type { Level } from "../contract/cells.ts"
import { list, SufficeError, show } from "../errors.ts"
import type { Option } from "../option-table.ts"
import { isLevel, isRecord } from "../shape.ts"

/** One of a few words. */
export function oneOf<T extends string>(family: string, option: string, value: T, words: readonly T[]): T {
  if (words.includes(value)) return value
  throw new SufficeError(
    "option",
    `${family}: ${option} is ${show(value)}. It must be one of ${list(words)}. Choose one of them, or leave it out.`,
    { family, option, value },
  )
}

/** The option of one of a few words. */
export function choice<const Words extends readonly string[]>(
  fallback: NoInfer<Words[number]>,
  words: Words,
): Option<Words[number]> {
  return { fallback, read: (family, option, value) => oneOf(family, option, value as string, words) }
}

/** The option `prior`: pseudo-rows, or a prior in the units of the data. */
export function prior(fallback: number): Option<number>
export function prior<P extends object>(fallback: number): Option<number | P>
export function prior(fallback: undefined): Option<number | undefined>
export function prior<P extends object>(fallback: undefined): Option<number | P | undefined>
export function prior(fallback: number | undefined): Option<never> {
  return {
    fallback: fallback as never,
    read(family, _option, value) {
      pseudoRows(family, value as number | object)
      return value as never
    },
  }
}

/** The pseudo-rows of a valid prior; a prior in the units of the data is read by learners of a posterior. */
export function pseudoRowsOf(prior: number | object): number {
  return typeof prior === "object" ? 1 : prior
}

/** The option `levels`. */
export const levels: Option<readonly Level[] | undefined> = {
  fallback: undefined,
  read: (family, option, value) => declaredLevels(family, option, value as readonly Level[]),
}

/** A checked copy of declared levels. `what`: their name in messages. */
export function declaredLevels<L extends Level>(
  where: string,
  what: string,
  levels: readonly L[],
): readonly L[] {
  if (!Array.isArray(levels) || levels.length === 0 || !levels.every(isLevel)) {
    const wrong = Array.isArray(levels) ? levels.findIndex(level => !isLevel(level)) : -1
    const found = wrong < 0 ? `${what} is ${show(levels)}` : `${what} has ${show(levels[wrong])} at ${wrong}`
    throw new SufficeError(
      "option",
      `${where}: ${found}. It lists text, booleans or finite numbers, at least one. Leave it out to take the levels of the data.`,
      { option: "levels", value: levels },
    )
  }
  const seen = new Set<string>()
  const again = levels.findIndex(level => seen.size === seen.add(String(level)).size)
  if (again < 0) return levels.slice() as L[]
  throw new SufficeError(
    "option",
    `${where}: ${what} has ${show(levels[again])} twice. Each level stands once, and 1 is the same as "1". Remove the repetition.`,
    { option: "levels", value: levels },
  )
}

/** The pseudo-rows of a prior, which may be in the units of the data (priors.ts); throws on others. */
export function pseudoRows(family: string, value: number | object): number {
  if (isRecord(value) || (Number.isFinite(value) && (value as number) >= 0)) return pseudoRowsOf(value)
  throw new SufficeError(
    "option",
    `${family}: prior is ${show(value)}. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default.`,
    { family, option: "prior", value },
  )
}
