/** Reading data that nobody vouches for: every value has a path, and its type is checked before it is used. */
import type { Level } from "./contract.ts"
import { didYouMean, list, nearest, SufficeError, show } from "./errors.ts"

/** A value of a model file that is not what belongs there. */
export function misshapen(path: string, value: unknown, belongs: string): SufficeError {
  return new SufficeError(
    "saved",
    `the model file has ${value === undefined ? "nothing" : show(value)} at ${path}, where ${belongs} belongs. It was damaged, or changed by hand. Save the model again, or undo the change.`,
    { path, value },
  )
}

/** An object that has all the required fields, perhaps some of the optional ones, and no others. Path "": the file itself. */
export function fieldsAt<Name extends string, Perhaps extends string = never>(
  value: unknown,
  path: string,
  required: readonly Name[],
  optional: readonly Perhaps[] = [],
): { readonly [Field in Name]: unknown } & { readonly [Field in Perhaps]?: unknown } {
  if (!isRecord(value)) throw misshapen(path, value, "an object")
  for (const name of required) {
    if (!Object.hasOwn(value, name))
      throw misshapen(path === "" ? name : `${path}.${name}`, undefined, "a value")
  }
  const known: readonly string[] = [...required, ...optional]
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue
    throw new SufficeError(
      "saved",
      `the model file has ${show(name)} at ${path || "the top"}, where only ${list(known, 20)} belong. It was damaged, or changed by hand. ${didYouMean(nearest(name, known), "Take it out.")}`,
      { path, field: name },
    )
  }
  return value as { readonly [Field in Name]: unknown } & { readonly [Field in Perhaps]?: unknown }
}

/** A list, each item read by `read`. */
export function listAt<T>(value: unknown, path: string, read: (item: unknown, path: string) => T): T[] {
  if (!Array.isArray(value)) throw misshapen(path, value, "a list")
  return value.map((item, i) => read(item, `${path}[${i}]`))
}

export function textAt(value: unknown, path: string): string {
  if (typeof value !== "string") throw misshapen(path, value, "text")
  return value
}

export function flagAt(value: unknown, path: string): boolean {
  if (typeof value !== "boolean") throw misshapen(path, value, "true or false")
  return value
}

/** Any number, NaN and ±Infinity too. */
export function numberAt(value: unknown, path: string): number {
  if (typeof value !== "number") throw misshapen(path, value, "a number")
  return value
}

export function finiteAt(value: unknown, path: string): number {
  if (!Number.isFinite(value)) throw misshapen(path, value, "a finite number")
  return value as number
}

export function countAt(value: unknown, path: string): number {
  if (!(Number.isSafeInteger(value) && (value as number) >= 0))
    throw misshapen(path, value, "a whole number ≥ 0")
  return value as number
}

/** Texts, none of them twice. */
export function namesAt(value: unknown, path: string): string[] {
  const names = listAt(value, path, textAt)
  checkOnce(names, path)
  return names
}

/** Levels, none of them twice, not even as 1 and "1". */
export function levelsAt(value: unknown, path: string): Level[] {
  const levels = listAt(value, path, levelAt)
  checkOnce(levels.map(String), path)
  return levels
}

function levelAt(value: unknown, path: string): Level {
  if (typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return value as Level
  throw misshapen(path, value, "text, a boolean or a finite number")
}

function checkOnce(names: readonly string[], path: string): void {
  if (new Set(names).size === names.length) return
  const seen = new Set<string>()
  for (const [i, name] of names.entries()) {
    if (seen.has(name)) {
      throw new SufficeError(
        "saved",
        `the model file has ${show(name)} a second time at ${path}[${i}], where each stands once. It was damaged, or changed by hand. Save the model again, or undo the change.`,
        { path: `${path}[${i}]`, name },
      )
    }
    seen.add(name)
  }
}

/** An object of any fields; no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
