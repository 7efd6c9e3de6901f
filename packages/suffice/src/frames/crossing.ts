/**
 * Data that crosses between machines as text, without losing a bit: JSON, in which arrays of doubles are base64 and what JSON has no word for is tagged.
 *
 *     { "$": "doubles", of: base64 }        { "$": "number", of: "-0" }        { "$": "map", of: pairs }        { "$": "record", of: pairs }
 *
 * The last is for a record that has "$" itself.
 */
import { float64FromBase64, float64ToBase64 } from "../kernels/base64.ts"

/** Plain data, arrays of doubles and maps, as text on one line. */
export function packData(value: unknown): string {
  return JSON.stringify(tagged(value))
}

/** What `packData` packed; undefined: it is none. */
export function readData<T>(text: string): T | undefined {
  try {
    return untagged(JSON.parse(text)) as T
  } catch {
    return undefined
  }
}

function tagged(value: unknown): unknown {
  if (typeof value === "number")
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { $: "number", of: Object.is(value, -0) ? "-0" : String(value) }
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(tagged)
  if (value instanceof Float64Array) return { $: "doubles", of: float64ToBase64(value) }
  const pairs = (entries: Iterable<readonly [unknown, unknown]>): unknown[] =>
    Array.from(entries, ([key, item]) => [tagged(key), tagged(item)])
  if (value instanceof Map) return { $: "map", of: pairs(value) }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  if (Object.hasOwn(value, "$")) return { $: "record", of: pairs(entries) }
  return Object.fromEntries(entries.map(([name, item]) => [name, tagged(item)]))
}

function untagged(plain: unknown): unknown {
  if (typeof plain !== "object" || plain === null) return plain
  if (Array.isArray(plain)) return plain.map(untagged)
  const { $, of } = plain as { readonly $?: unknown; readonly of?: unknown }
  const pairs = (): [string, unknown][] =>
    (of as [unknown, unknown][]).map(([key, item]) => [untagged(key) as string, untagged(item)])
  switch ($) {
    case undefined:
      return Object.fromEntries(Object.entries(plain).map(([name, item]) => [name, untagged(item)]))
    case "number":
      return of === "-0" ? -0 : Number(of)
    case "doubles":
      return doublesOf(of as string)
    case "map":
      return new Map(pairs())
    case "record":
      return Object.fromEntries(pairs())
    default:
      throw new TypeError("no such tag")
  }
}

function doublesOf(text: string): Float64Array {
  const doubles = float64FromBase64(text)
  if (!doubles) throw new TypeError("no doubles")
  return doubles
}
