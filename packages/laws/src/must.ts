/** What laws demand of numbers, and how they report a failure. */
import { type Description, SufficeError } from "suffice"
import type { Json } from "suffice/contract"

export function must(fine: boolean, message: () => string): void {
  if (!fine) throw new Error(message())
}

/** |a − b| ≤ tolerance · max(1, |a|, |b|); infinities must be the same. */
export function isNear(a: number, b: number, tolerance: number): boolean {
  if (a === b) return true
  return Number.isFinite(a - b) && Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b))
}

export function near(a: number, b: number, tolerance: number, what: string): void {
  must(isNear(a, b, tolerance), () => `${what}: ${a} and ${b} differ by ${Math.abs(a - b)}.`)
}

export function allNear(a: ArrayLike<number>, b: ArrayLike<number>, tolerance: number, what: string): void {
  must(a.length === b.length, () => `${what}: ${a.length} numbers and ${b.length}.`)
  for (let j = 0; j < a.length; j++) near(a[j], b[j], tolerance, `${what}, entry ${j}`)
}

/** The same numbers, bit for bit. */
export function same(a: ArrayLike<number>, b: ArrayLike<number>, what: string): void {
  must(a.length === b.length, () => `${what}: ${a.length} numbers and ${b.length}.`)
  for (let j = 0; j < a.length; j++) {
    must(Object.is(a[j], b[j]), () => `${what}, entry ${j}: ${a[j]} and ${b[j]} are not the same bits.`)
  }
}

export function noNaN(a: ArrayLike<number>, what: string): void {
  for (let j = 0; j < a.length; j++) must(a[j] === a[j], () => `${what}, entry ${j}, is NaN.`)
}

/** Each row of probabilities lies in [0, 1] and adds up to 1. */
export function distributions(probabilities: Float64Array, count: number, what: string): void {
  for (let at = 0; at < probabilities.length; at += count) {
    let sum = 0
    for (let l = 0; l < count; l++) {
      const p = probabilities[at + l]
      must(p >= 0 && p <= 1 + 1e-12, () => `${what}: row ${at / count} holds the probability ${p}.`)
      sum += p
    }
    near(sum, 1, 1e-12, `${what}: the sum over the levels of row ${at / count}`)
  }
}

/** The same description, numbers up to the tolerance (0: the same bits). */
export function sameDescription(a: Json, b: Json, tolerance: number, what = "describe()"): void {
  if (typeof a === "number" && typeof b === "number") {
    if (tolerance === 0) must(Object.is(a, b), () => `${what}: ${a} and ${b} are not the same bits.`)
    else near(a, b, tolerance, what)
    return
  }
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) {
    must(a === b, () => `${what}: ${JSON.stringify(a)} and ${JSON.stringify(b)}.`)
    return
  }
  const keys = Object.keys(a).sort()
  const others = Object.keys(b).sort()
  must(
    keys.join("\n") === others.join("\n"),
    () => `${what} has ${keys.join(", ")} and ${others.join(", ")}.`,
  )
  for (const key of keys) {
    sameDescription((a as Description)[key], (b as Description)[key], tolerance, `${what} → ${key}`)
  }
}

/** Every number of a description is finite. */
export function finiteDescription(description: Json, what = "describe()"): void {
  if (typeof description === "number") {
    must(Number.isFinite(description), () => `${what} is ${description}.`)
  } else if (typeof description === "object" && description !== null) {
    for (const [key, value] of Object.entries(description)) finiteDescription(value, `${what} → ${key}`)
  }
}

/** The work must throw one of our errors, with this code, and these words in its message. */
export async function refuses(
  work: () => unknown,
  code: SufficeError["code"],
  words: readonly string[],
  what: string,
): Promise<void> {
  let error: unknown
  try {
    await work()
  } catch (thrown) {
    error = thrown
  }
  must(error !== undefined, () => `${what} went through without an error.`)
  must(error instanceof SufficeError, () => `${what} gave ${String(error)}, which is no SufficeError.`)
  const { code: found, message } = error as SufficeError
  must(found === code, () => `${what} gave the code "${found}", not "${code}": ${message}`)
  for (const word of words) {
    must(message.includes(word), () => `${what} gave a message without ${JSON.stringify(word)}: ${message}`)
  }
}
