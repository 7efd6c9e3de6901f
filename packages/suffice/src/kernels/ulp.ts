// How far a computed number is from the true one, in units of the last place: what the kernels' tests measure.

import { highWord, powersOfTwo } from "./float64.ts"

/** The distance between doubles of the size of x: 2^(e − 52) for 2^e ≤ |x| < 2^(e + 1). */
export function ulp(x: number): number {
  const exponent = (highWord(x) >>> 20) & 0x7ff // e + 1023, 0 for subnormals
  return powersOfTwo[Math.max(exponent, 1) - 1]
}

/** The largest error of f in ulps over a flat table x, y, rest, x, y, rest, …; truly, f(x) = y + rest. */
export function worstUlps(f: (x: number) => number, table: readonly number[]): number {
  let worst = 0
  for (let i = 0; i < table.length; i += 3) {
    const error = Math.abs(f(table[i]) - table[i + 1] - table[i + 2]) / ulp(table[i + 1])
    if (!(error <= worst)) worst = error // NaN counts as the worst
  }
  return worst
}

/** The largest |f(x) − (y + rest)| / max(1, |y|) over such a table, for functions with zeros. */
export function worstAbsolute(f: (x: number) => number, table: readonly number[]): number {
  let worst = 0
  for (let i = 0; i < table.length; i += 3) {
    const error = Math.abs(f(table[i]) - table[i + 1] - table[i + 2]) / Math.max(1, Math.abs(table[i + 1]))
    if (!(error <= worst)) worst = error
  }
  return worst
}
