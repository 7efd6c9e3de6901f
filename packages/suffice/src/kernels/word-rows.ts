/**
 * Bags of words, with counts W_wp and parameters θ_wp = ln W_wp at w·slots + p, and A_p = ln ΣW after the parameters.
 *
 *     score   out[p·rows + i] += Σ_t x_t θ_wp − A_p Σ_t x_t              x: the scaled counts of row i
 *     move    W_wp ← max( W_wp + g_ip x_t, least ),  θ_wp ← ln W_wp       totals[p]: ΣW, updated
 *
 * Twins: assembly/words.ts, assembly/moving-words.ts.
 */
import { log } from "./log.ts"

/** Row i has the words [offsets[i], offsets[i+1]). */
export interface WordRows {
  readonly offsets: Int32Array
  readonly words: Int32Array
}

/** Up to this s², four terms of the series for ln(after/before) err by less than 1e-14. */
const FAR = 1 / 1024

export function scoreWords(
  { offsets, words }: WordRows,
  weighed: Float64Array,
  rows: number,
  params: Float64Array,
  slots: number,
  out: Float64Array,
): void {
  const size = params.length - slots
  for (let i = 0; i < rows; i++) {
    const from = offsets[i]
    const to = offsets[i + 1]
    if (from === to) continue
    let length = 0
    for (let t = from; t < to; t++) length += weighed[t]
    let p = 0
    // four sums at once
    for (; p + 3 < slots; p += 4) {
      let a = 0
      let b = 0
      let c = 0
      let d = 0
      for (let t = from; t < to; t++) {
        const at = words[t] * slots + p
        const x = weighed[t]
        a += x * params[at]
        b += x * params[at + 1]
        c += x * params[at + 2]
        d += x * params[at + 3]
      }
      out[p * rows + i] += a - length * params[size + p]
      out[(p + 1) * rows + i] += b - length * params[size + p + 1]
      out[(p + 2) * rows + i] += c - length * params[size + p + 2]
      out[(p + 3) * rows + i] += d - length * params[size + p + 3]
    }
    for (; p < slots; p++) {
      let sum = 0
      for (let t = from; t < to; t++) sum += weighed[t] * params[words[t] * slots + p]
      out[p * rows + i] += sum - length * params[size + p]
    }
  }
}

/** What moves: counts and parameters of words, and the sums of the counts. */
export interface WordMoments {
  readonly counts: Float64Array
  readonly params: Float64Array
  readonly totals: Float64Array
  /** No count falls below it. */
  readonly least: number
}

/** Row i moves the words of slot[i] alone, with weight ρ·weight[i]. */
export function moveOne(
  { offsets, words }: WordRows,
  weighed: Float64Array,
  rows: number,
  slot: Int32Array,
  weight: Float64Array,
  rho: number,
  { counts, params, totals, least }: WordMoments,
): void {
  const slots = totals.length
  for (let i = 0; i < rows; i++) {
    if (weight[i] === 0) continue
    const p = slot[i]
    const g = rho * weight[i]
    let grown = 0
    for (let t = offsets[i]; t < offsets[i + 1]; t++) {
      const at = words[t] * slots + p
      const before = counts[at]
      const after = Math.max(before + g * weighed[t], least)
      counts[at] = after
      grown += after - before
      params[at] = moved(params[at], before, after)
    }
    totals[p] += grown
  }
}

/** Row i moves its words in every slot, with weights ρ·values[p·rows + i]. */
export function moveEach(
  { offsets, words }: WordRows,
  weighed: Float64Array,
  rows: number,
  values: Float64Array,
  rho: number,
  { counts, params, totals, least }: WordMoments,
): void {
  const slots = totals.length
  const g = overSlots(slots)
  for (let i = 0; i < rows; i++) {
    for (let p = 0; p < slots; p++) g[p] = rho * values[p * rows + i]
    let length = 0
    for (let t = offsets[i]; t < offsets[i + 1]; t++) {
      const from = words[t] * slots
      const x = weighed[t]
      length += x
      for (let p = 0; p < slots; p++) {
        const before = counts[from + p]
        let after = before + g[p] * x
        if (after < least) {
          totals[p] += least - after
          after = least
        }
        counts[from + p] = after
        params[from + p] = moved(params[from + p], before, after)
      }
    }
    for (let p = 0; p < slots; p++) totals[p] += g[p] * length
  }
}

/** W_wp ← max( W_wp + share_p·(mean_p − W_wp), least ), then θ = ln W of every word, totals = ΣW, A = ln ΣW. */
export function settleWords(
  { counts, params, totals, least }: WordMoments,
  share: Float64Array,
  mean: Float64Array,
): void {
  const slots = totals.length
  const size = counts.length - slots
  totals.fill(0)
  for (let j = 0, p = 0; j < size; j++) {
    const after = Math.max(counts[j] + share[p] * (mean[p] - counts[j]), least)
    counts[j] = after
    totals[p] += after
    params[j] = log(after)
    if (++p === slots) p = 0
  }
  for (let p = 0; p < slots; p++) params[size + p] = log(totals[p])
}

let scratch = new Float64Array(64)

/** Scratch: one row over all slots. */
function overSlots(slots: number): Float64Array {
  if (scratch.length < slots) scratch = new Float64Array(2 * slots)
  return scratch
}

/** ln after, from ln before: ln(after/before) = 2(s + s³/3 + s⁵/5 + …), s = (after − before)/(after + before), saves most logarithms. */
function moved(theta: number, before: number, after: number): number {
  const s = (after - before) / (after + before)
  const q = s * s
  if (q > FAR) return log(after)
  return theta + s * (2 + q * (2 / 3 + q * (2 / 5 + q * (2 / 7))))
}
