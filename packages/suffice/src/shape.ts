/** Reading untrusted data: every value has a path, and its type is checked before it is used. */
import type { Level } from "./contract/cells.ts"
import { didYouMean, list, nearest, SufficeError, show } from "./errors.ts"

/** A model file that Suffice did not write, or that was changed. */
export function damaged(what: string, details: Readonly<Record<string, unknown>>): SufficeError {
  return new SufficeError(
    "saved",
    `the model file ${what}. It was damaged, or changed by hand. Save the model again, or undo the change.`,
    details,
  )
}

/** A value of a model file that has the wrong type or range. */
export function misshapen(path: string, value: unknown, belongs: string): SufficeError {
  const found = value === undefined ? "nothing" : show(value)
  return damaged(`has ${found} at ${path}, where ${belongs} belongs`, { path, value })
}

/** Returns a value if it is valid, otherwise throws. */
export type Reader<T = unknown> = (value: unknown, path: string) => T
type Readers = Readonly<Record<string, Reader>>
type Fields<R extends Readers> = { readonly [Name in keyof R]: ReturnType<R[Name]> }

/** An object that has all the required fields, perhaps some of the optional ones, and no others, each read by its reader. Path "": the file itself. */
export function fieldsAt<
  Required extends Readers,
  Optional extends Readers = Readonly<Record<never, Reader>>,
>(
  value: unknown,
  path: string,
  required: Required,
  optional?: Optional,
): Fields<Required> & Partial<Fields<Optional>> {
  if (!isRecord(value)) throw misshapen(path, value, "an object")
  const readers: Readers = { ...required, ...optional }
  const known = Object.keys(readers)
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`)
  for (const name in required)
    if (!Object.hasOwn(value, name)) throw misshapen(at(name), undefined, "a value")
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue
    throw new SufficeError(
      "saved",
      `the model file has ${show(name)} at ${path || "the top"}, where only ${list(known, 20)} belong. It was damaged, or changed by hand. ${didYouMean(nearest(name, known), "Take it out.")}`,
      { path, field: name },
    )
  }
  const read = known.flatMap(name =>
    name in required || value[name] !== undefined ? [[name, readers[name](value[name], at(name))]] : [],
  )
  return Object.fromEntries(read)
}

/** A flag that is either absent or true. */
export function markAt(value: unknown, path: string): true {
  if (value !== true) throw misshapen(path, value, "true or nothing")
  return value
}

/** A list, each item read by `read`. */
export function listAt<T>(value: unknown, path: string, read: Reader<T>): T[] {
  if (!Array.isArray(value)) throw misshapen(path, value, "a list")
  return value.map((item, i) => read(item, `${path}[${i}]`))
}

/** Returns the value if it is valid, otherwise throws. */
function fine<T>(value: unknown, path: string, isFine: boolean, belongs: string): T {
  if (isFine) return value as T
  throw misshapen(path, value, belongs)
}

/** Accepts anything: it is checked later, or elsewhere. */
export function asItIs(value: unknown): unknown {
  return value
}

export function textAt(value: unknown, path: string): string {
  return fine(value, path, typeof value === "string", "text")
}

/** Any number, including NaN and ±Infinity. */
export function numberAt(value: unknown, path: string): number {
  return fine(value, path, typeof value === "number", "a number")
}

export function finiteAt(value: unknown, path: string): number {
  return fine(value, path, Number.isFinite(value), "a finite number")
}

export function positiveAt(value: unknown, path: string, least = 0): number {
  return fine(
    value,
    path,
    Number.isFinite(value) && (value as number) > least,
    `a finite number above ${least}`,
  )
}

export function notNegativeAt(value: unknown, path: string): number {
  return fine(value, path, Number.isFinite(value) && (value as number) >= 0, "a finite number ≥ 0")
}

export function countAt(value: unknown, path: string, least = 0): number {
  const counts = Number.isSafeInteger(value) && (value as number) >= least
  return fine(value, path, counts, `a whole number ≥ ${least}`)
}

/** An object with any fields. */
export function recordAt(value: unknown, path: string): Readonly<Record<string, unknown>> {
  return fine(value, path, isRecord(value), "an object")
}

/** Strings, without duplicates. */
export function namesAt(value: unknown, path: string): string[] {
  const names = listAt(value, path, textAt)
  checkOnce(names, path)
  return names
}

/** Levels, without duplicates, not even 1 and "1". */
export function levelsAt(value: unknown, path: string): Level[] {
  const levels = listAt(value, path, levelAt)
  checkOnce(levels.map(String), path)
  return levels
}

function levelAt(value: unknown, path: string): Level {
  return fine(value, path, isLevel(value), "text, a boolean or a finite number")
}

export function isLevel(value: unknown): value is Level {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)
}

function checkOnce(names: readonly string[], path: string): void {
  const seen = new Set<string>()
  const at = names.findIndex(name => seen.size === seen.add(name).size)
  if (at < 0) return
  const place = `${path}[${at}]`
  throw damaged(`has ${show(names[at])} a second time at ${place}, where each stands once`, {
    path: place,
    name: names[at],
  })
}

/** An object with any fields, but not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
