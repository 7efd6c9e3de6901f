/**
 * Parameters of words from their counts, word by word as they lie in memory. Nearly all counts are the prior's or small whole numbers:
 * equal numbers have equal logarithms, which are then looked up.
 *
 *     θ_wp = ln W_wp      A_p = ln Σ_w W_wp        at w·slots + p, A behind them
 */
import { log } from "./log.ts"

/** ln of whole numbers below this one, made when they are met. */
const WHOLE = 1024
const wholes = /* @__PURE__ */ new Float64Array(WHOLE).fill(Number.NaN)

function logOf(count: number): number {
  const whole = count | 0
  if (whole !== count || whole >= WHOLE || whole < 0) return log(Math.max(count, 0))
  if (wholes[whole] !== wholes[whole]) wholes[whole] = log(whole)
  return wholes[whole]
}

/** A slot without words becomes uniform. Returns how many slots left the domain (a negative count). */
export function solveWords(counts: Float64Array, slots: number, words: number, params: Float64Array): number {
  const size = words * slots
  const totals = new Float64Array(slots)
  const outside = new Uint8Array(slots)
  // the count of most words, found as the one that came twice in a row
  let often = 1
  let logOften = 0
  let last = 1
  for (let j = 0; j < size; ) {
    for (let p = 0; p < slots; p++, j++) {
      const count = counts[j]
      totals[p] += count
      if (count === often) {
        params[j] = logOften
        continue
      }
      if (count < 0) outside[p] = 1
      params[j] = logOf(count)
      if (count === last && count >= 0) {
        often = count
        logOften = params[j]
      }
      last = count
    }
  }
  let held = 0
  for (let p = 0; p < slots; p++) {
    if (!(totals[p] > 0)) for (let j = p; j < size; j += slots) params[j] = 0
    params[size + p] = log(totals[p] > 0 ? totals[p] : words)
    if (outside[p] || totals[p] < 0) held++
  }
  return held
}
