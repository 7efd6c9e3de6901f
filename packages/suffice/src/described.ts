/** Reading described parameters back: what `describe()` prints, checked. */
import type { Level } from "./contract/cells.ts"
import type { Description, Json } from "./contract/report.ts"
import { list, SufficeError, show } from "./errors.ts"

/** A finite number ≥ 0 of a description. */
export function notNegative(family: string, column: string, description: Description, name: string): number {
  const value = description?.[name]
  if (typeof value === "number" && value >= 0 && value < Infinity) return value
  throw new SufficeError(
    "parameters",
    `${family}: ${show(name)} of column ${show(column)} is ${show(value)}. It must be a finite number ≥ 0. Give the parameters as describe() prints them.`,
    { family, column, parameter: name, value },
  )
}

/** A finite number of a description, greater than `above` if that is given. */
export function finite(
  family: string,
  column: string,
  description: Description,
  name: string,
  above = -Infinity,
): number {
  const value = description?.[name]
  if (typeof value === "number" && Number.isFinite(value) && value > above) return value
  throw new SufficeError(
    "parameters",
    `${family}: ${show(name)} of column ${show(column)} is ${show(value)}. It must be a finite number${above === 0 ? " above 0" : ""}. Give the parameters as describe() prints them.`,
    { family, column, parameter: name, value },
  )
}

/** Probabilities by level from a description: not negative, adding up to one. */
export function probabilitiesOf(
  family: string,
  column: string,
  description: Description,
  levels: readonly Level[],
): number[] {
  const given = description?.probabilities as Record<string, Json> | undefined
  const values = levels.map(level => given?.[String(level)] as number)
  const total = values.reduce((sum, value) => sum + value, 0)
  if (values.every(value => typeof value === "number" && value >= 0) && Math.abs(total - 1) < 1e-6) {
    return values.map(value => value / total)
  }
  throw new SufficeError(
    "parameters",
    `${family}: the probabilities of column ${show(column)} are not a distribution over ${list(levels.map(String))}. Each level needs a number ≥ 0 and they must add up to 1. Give the parameters as describe() prints them.`,
    { family, column },
  )
}

/** A described probability: a number between 0 and 1. */
export function probability(family: string, column: string, name: string, value: Json | undefined): number {
  if (typeof value === "number" && value >= 0 && value <= 1) return value
  throw new SufficeError(
    "parameters",
    `${family}: ${show(name)} of column ${show(column)} is ${show(value)}. It must be a number between 0 and 1. Give the parameters as describe() prints them.`,
    { family, column, parameter: name, value },
  )
}
