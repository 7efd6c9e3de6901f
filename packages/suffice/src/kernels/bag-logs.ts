/**
 * Parameters of words from their counts, word by word as they lie in memory. Nearly all counts are the prior's or small whole numbers:
 * equal numbers have equal logarithms, which are then looked up.
 *
 *     θ_wp = ln W_wp      A_p = ln Σ_w W_wp        at w·slots + p, A behind them
 */
import { log } from "./log.ts"

/** ln of whole numbers below this one. */
const WHOLE = 1024
let wholes: Float64Array | undefined

/** A slot without words becomes uniform. Returns how many slots left the domain (a negative count). */
export function solveWords(counts: Float64Array, slots: number, words: number, params: Float64Array): number {
  const size = words * slots
  const outside = logEach(counts, slots, size, params)
  const totals = totalsOf(counts, slots, size)
  let held = 0
  for (let p = 0; p < slots; p++) {
    if (!(totals[p] > 0)) for (let j = p; j < size; j += slots) params[j] = 0
    params[size + p] = log(totals[p] > 0 ? totals[p] : words)
    if (totals[p] < 0 || outside.has(p)) held++
  }
  return held
}

/** Of the first `size` counts, negative ones being 0; returns the slots that have some. */
function logEach(counts: Float64Array, slots: number, size: number, params: Float64Array): Set<number> {
  wholes ??= new Float64Array(WHOLE).map((_, count) => log(count))
  const table = wholes
  const outside = new Set<number>()
  // of those that are not whole: the one that came twice in a row, and the last
  let often = 1
  let logOften = 0
  let last = 1
  for (let j = 0; j < size; j++) {
    const count = counts[j]
    const whole = count | 0
    if (whole === count && whole >= 0 && whole < WHOLE) params[j] = table[whole]
    else if (count === often) params[j] = logOften
    else {
      if (count < 0) outside.add(j % slots)
      params[j] = log(Math.max(count, 0))
      if (count === last && count > 0) {
        often = count
        logOften = params[j]
      }
      last = count
    }
  }
  return outside
}

/** Σ_w of every slot, word by word; four slots at a time, whose sums stay in registers. */
function totalsOf(counts: Float64Array, slots: number, size: number): Float64Array {
  const totals = new Float64Array(slots)
  let p = 0
  for (; p + 4 <= slots; p += 4) {
    let a = 0
    let b = 0
    let c = 0
    let d = 0
    for (let j = p; j < size; j += slots) {
      a += counts[j]
      b += counts[j + 1]
      c += counts[j + 2]
      d += counts[j + 3]
    }
    totals[p] = a
    totals[p + 1] = b
    totals[p + 2] = c
    totals[p + 3] = d
  }
  for (; p < slots; p++) for (let j = p; j < size; j += slots) totals[p] += counts[j]
  return totals
}
