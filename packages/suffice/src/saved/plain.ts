/**
 * Plain data to JSON and back without losing a bit: the numbers JSON cannot write (NaN, ±Infinity, −0) become
 * { "$number": "-0" }. An object that happens to look like that gets another "$", which reading removes.
 */
import type { Json } from "../contract/report.ts"
import { SufficeError, show } from "../errors.ts"
import { isRecord, misshapen } from "../shape.ts"

/** Deeper nesting is refused, in reading and writing: walking it must not exhaust the stack. Each structure of a model takes 2. */
export const DEEPEST = 64

const ODD = new Map([
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
  ["-0", -0],
])
const TAG = /^\$+number$/

/** `value` in a form that JSON.stringify writes without loss. */
export function encodePlain(value: unknown, path: string, depth = 0): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "number") {
    if (Object.is(value, -0)) return { $number: "-0" }
    return Number.isFinite(value) ? value : { $number: String(value) }
  }
  if (depth === DEEPEST) throw tooDeep(path)
  if (Array.isArray(value)) return value.map((item, i) => encodePlain(item, `${path}[${i}]`, depth + 1))
  if (!isRecord(value)) {
    throw new SufficeError(
      "saved",
      `the model has ${show(value)} at ${path}. A file holds plain data: numbers, text, booleans, lists and objects. Give the family options of these kinds.`,
      { path },
    )
  }
  // Object.fromEntries treats "__proto__" as an ordinary field
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  const isTag = entries.length === 1 && TAG.test(entries[0][0])
  return Object.fromEntries(
    entries.map(([name, item]) => [
      isTag ? `$${name}` : name,
      encodePlain(item, `${path}.${name}`, depth + 1),
    ]),
  )
}

/** Restores what `encodePlain` encoded. */
export function decodePlain(value: unknown, path: string, depth = 0): Json {
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "boolean" ||
    typeof value === "number"
  ) {
    return value
  }
  if (depth > DEEPEST) throw tooDeep(path) // a $number is one level deeper than its number
  if (Array.isArray(value)) {
    // a vocabulary has hundreds of thousands of words: no path string for each
    return value.map((item, i) =>
      typeof item === "string" ? item : decodePlain(item, `${path}[${i}]`, depth + 1),
    )
  }
  if (!isRecord(value)) throw misshapen(path, value, "plain data")
  const entries = Object.entries(value)
  const isTag = entries.length === 1 && TAG.test(entries[0][0])
  if (isTag && entries[0][0] === "$number") {
    const odd = ODD.get(entries[0][1] as string)
    if (odd === undefined) throw misshapen(path, entries[0][1], `one of ${[...ODD.keys()].join(", ")}`)
    return odd
  }
  return Object.fromEntries(
    entries.map(([name, item]) => [
      isTag ? name.slice(1) : name,
      decodePlain(item, `${path}.${name}`, depth + 1),
    ]),
  )
}

function tooDeep(path: string): SufficeError {
  const start = path.length > 60 ? `${path.slice(0, 60)}…` : path
  return new SufficeError(
    "saved",
    `the model is nested more than ${DEEPEST} deep, at ${start}. No model needs that, and reading it could exhaust the stack. Nest fewer structures.`,
    { path },
  )
}
