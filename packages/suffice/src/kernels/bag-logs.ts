/**
 * Parameters of words from their counts, word by word as they lie in memory. Nearly all counts are the prior's or small whole numbers:
 * equal numbers have equal logarithms, which are then looked up.
 *
 *     θ_wp = ln W_wp      A_p = ln Σ_w W_wp        at w·slots + p, A behind them
 */
import { log } from "./log.ts"

/** ln of whole numbers below, made when they are met. */
const WHOLE = 1024
const wholes = /* @__PURE__ */ new Float64Array(WHOLE).fill(Number.NaN)

function logOfWhole(count: number): number {
  if (wholes[count] !== wholes[count]) wholes[count] = log(count)
  return wholes[count]
}

/** A slot without words becomes uniform. Returns how many slots left the domain (a negative count). */
export function solveWords(counts: Float64Array, slots: number, words: number, params: Float64Array): number {
  const size = words * slots
  const totals = new Float64Array(slots)
  const outside = new Uint8Array(slots)
  for (let j = 0; j < size; ) {
    for (let p = 0; p < slots; p++, j++) {
      totals[p] += counts[j]
      if (counts[j] < 0) outside[p] = 1
    }
  }
  // two numbers with their logarithms: the one that was met again, and the last
  let [often, logOften, last, logLast] = [1, 0, 1, 0]
  for (let j = 0; j < size; ) {
    for (let p = 0; p < slots; p++, j++) {
      const count = Math.max(counts[j], 0)
      const whole = count | 0
      if (!(totals[p] > 0)) params[j] = 0
      else if (count === often) params[j] = logOften
      else if (whole === count && whole < WHOLE) params[j] = logOfWhole(whole)
      else {
        if (count !== last) {
          last = count
          logLast = log(count)
        } else [often, logOften] = [last, logLast]
        params[j] = logLast
      }
    }
  }
  let held = 0
  for (let p = 0; p < slots; p++) {
    params[size + p] = log(totals[p] > 0 ? totals[p] : words)
    if (outside[p] || totals[p] < 0) held++
  }
  return held
}
