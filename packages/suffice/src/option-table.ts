/** Options as tables: names, defaults and checks, in the order in which they are listed and recorded. */
import type { Description } from "./contract/report.ts"
import { refuseUnknown, wrongOption } from "./errors.ts"

export interface Option<T> {
  readonly fallback: T
  /** Returns a valid value, which may be a copy; throws on others. */
  read(where: string, name: string, value: unknown): T
}

/** An entry for every option: a table without one of them does not compile. */
export type Table<Options> = { readonly [Name in keyof Options]-?: Option<Options[Name] | undefined> }
export type Values<T> = { readonly [Name in keyof T]: T[Name] extends Option<infer V> ? V : never }

/** The given options with the defaults of the others; throws on unknown names and invalid values. */
export function valuesOf<const T extends Readonly<Record<string, Option<unknown>>>>(
  where: string,
  table: T,
  options: object,
): Values<T> {
  refuseUnknown(where, options, Object.keys(table))
  const values: Record<string, unknown> = {}
  for (const name in table) {
    const value = (options as Record<string, unknown>)[name]
    values[name] = value === undefined ? table[name].fallback : table[name].read(where, name, value)
  }
  return values as Values<T>
}

/** Options for a record: without undefined ones. */
export function recorded(values: object): Description {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** Throws unless the value is in its range, which completes "It must be …". */
export function requireRange(
  where: string,
  name: string,
  value: unknown,
  isValid: boolean,
  range: string,
): void {
  if (!isValid) throw wrongOption(where, name, value, `It must be ${range}. Leave it out for the default.`)
}

/** A value with a check of its own. */
export function other<T>(fallback: T, range: string, isValid: (value: never) => boolean): Option<T> {
  return {
    fallback,
    read(where, name, value) {
      requireRange(where, name, value, isValid(value as never), range)
      return value as T
    },
  }
}

/** An integer. */
export const whole = <F extends number | undefined>(fallback: F, least = 1): Option<F | number> =>
  other<F | number>(
    fallback,
    `a whole number ≥ ${least}`,
    (x: number) => Number.isSafeInteger(x) && x >= least,
  )

/** A finite number ≥ 0. */
export const amount = <F extends number | undefined>(fallback: F, note = ""): Option<F | number> =>
  other<F | number>(fallback, `a finite number ≥ 0${note}`, (x: number) => Number.isFinite(x) && x >= 0)

/** A number from 0 to 1. */
export const share = <F extends number | undefined>(fallback: F): Option<F | number> =>
  other<F | number>(fallback, "between 0 and 1", (x: number) => Number.isFinite(x) && x >= 0 && x <= 1)

export const flag = <F extends boolean | undefined>(fallback: F): Option<F | boolean> =>
  other<F | boolean>(fallback, "true or false", (x: unknown) => typeof x === "boolean")

export const oneOf = <const Words extends readonly string[]>(
  fallback: NoInfer<Words[number]>,
  words: Words,
): Option<Words[number]> =>
  other(fallback, words.map(word => `"${word}"`).join(" or "), (x: string) => words.includes(x))

/** An object; without a default. */
export const record = <T extends object>(range: string): Option<T | undefined> =>
  other<T | undefined>(undefined, range, isPlainObject)

/** False for lists, Maps and Dates. */
export function isPlainObject(value: unknown): boolean {
  return Object.prototype.toString.call(value) === "[object Object]"
}
