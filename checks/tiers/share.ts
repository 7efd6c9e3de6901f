/**
 * The share of numbered cases that a tier runs. `npm test` takes every `first`-th, `npm run test:all` the other multiples of `second`,
 * so together they run every `second`-th. LAWS=all makes `second` 1: every case runs.
 */
const { LAWS, TIER } = process.env

/** True in `npm test`, where a slow case may be left to test:all. */
export const isBrief = TIER === "test"

/** True if every case is to run. */
export const isEverything = LAWS === "all"

/** True if the tier of this process runs case `i`. `second` divides `first`. */
export function isDue(i: number, first: number, second: number): boolean {
  const isFirst = i % first === 0
  if (isBrief) return isFirst
  const isSecond = isEverything || i % second === 0
  return TIER === "all" ? isSecond && !isFirst : isSecond
}

/** A number of a text, the same on every machine: cases keep their tier when others come or go. */
export function numberOf(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) >>> 0
  return hash
}

/** How many random tries a test makes: fewer in `npm test`. LAWS_RUNS sets the number. */
export function tries(first: number, second: number): number {
  return Number(process.env.LAWS_RUNS ?? (isBrief ? first : second))
}
