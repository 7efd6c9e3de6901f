/** Checks of options that families share. */
import type { Level } from "../contract/cells.ts"
import type { Description, Json } from "../contract/report.ts"
import { list, refuseUnknown, SufficeError, show } from "../errors.ts"
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

/** The number of pseudo-rows a prior is worth: finite and not negative. One in the units of the data (priors.ts) is read by those who keep a posterior. */
export function pseudoRows(family: string, value: number | object): number {
  if (isRecord(value)) return 1
  if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return value
  throw new SufficeError(
    "option",
    `${family}: prior is ${show(value)}. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default.`,
    { family, option: "prior", value },
  )
}

/** Options of a maker, all of them known. */
export function known<Options extends object>(
  family: string,
  options: Options,
  names: readonly (keyof Options & string)[],
): Options {
  refuseUnknown(family, options, names)
  return options
}

/** Refuse unknown options: a misspelt one would otherwise be ignored silently. */
export function knownOptions(
  family: string,
  options: Description,
  names: readonly string[],
): Record<string, Json> {
  refuseUnknown(family, options, names)
  return { ...options }
}
