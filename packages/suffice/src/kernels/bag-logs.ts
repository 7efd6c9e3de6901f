/**
 * Parameters of words from their counts, word by word as they lie in memory. Nearly all counts are small whole numbers: equal numbers have
 * equal logarithms, which are then looked up.
 *
 *     θ_wp = ln(W_wp + α)      A_p = ln Σ_w (W_wp + α)        at w·slots + p, A behind them
 *
 * Twin: logWords of assembly/bags.ts.
 */
import { WORTH } from "./bag-rows.ts"
import { log } from "./log.ts"
import { fastKernels } from "./twins.ts"

/** ln of whole numbers below this one, plus α, is in a table. */
const WHOLE = 1024
let table = new Float64Array(0)
/** The α of the table. */
let alphaOf = 0

/** A slot without words becomes uniform. Returns how many slots left the domain (a negative sum). */
export function solveWords(
  counts: Float64Array,
  slots: number,
  words: number,
  params: Float64Array,
  alpha = 0,
): number {
  const size = words * slots
  if (table.length === 0 || alphaOf !== alpha) {
    table = new Float64Array(WHOLE).map((_, count) => log(count + alpha))
    alphaOf = alpha
  }
  const totals = new Float64Array(slots)
  const outside = new Set<number>()
  const fast = size < WORTH ? undefined : fastKernels()
  if (!fast?.logWords(counts.subarray(0, size), alpha, table, totals, params)) {
    logEach(counts, size, alpha, params, totals.fill(0), outside)
  }
  let clamped = 0
  for (let p = 0; p < slots; p++) {
    if (!(totals[p] > 0)) for (let j = p; j < size; j += slots) params[j] = 0
    params[size + p] = log(totals[p] > 0 ? totals[p] : words)
    if (totals[p] < 0 || outside.has(p)) clamped++
  }
  return clamped
}

/** Negative sums have the logarithm of 0; the slots that have some are put down. */
function logEach(
  counts: Float64Array,
  size: number,
  alpha: number,
  params: Float64Array,
  totals: Float64Array,
  outside: Set<number>,
): void {
  const slots = totals.length
  const known = table
  // of those that are not whole: the one that came twice in a row, and the last
  let often = 1
  let logOften = log(1 + alpha)
  let last = 1
  for (let j = 0, p = 0; j < size; j++) {
    const count = counts[j]
    const sum = count + alpha
    totals[p] += sum
    const whole = count | 0
    if (whole === count && whole >= 0 && whole < WHOLE) params[j] = known[whole]
    else if (count === often) params[j] = logOften
    else {
      if (sum < 0) outside.add(p)
      params[j] = log(Math.max(sum, 0))
      if (count === last && sum > 0) {
        often = count
        logOften = params[j]
      }
      last = count
    }
    if (++p === slots) p = 0
  }
}
