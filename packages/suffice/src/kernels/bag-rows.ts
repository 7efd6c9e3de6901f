/**
 * Bags of words scored (as in word-rows.ts) and counted: statistics W_wp at w·slots + p, then n_p, the weight of the rows with words.
 *
 *     one    W_wp += g_i x_t,  n_p += g_i          p = slot[i], the only slot of row i;  x: what the words of row i weigh
 *     each   W_wp += g_ip x_t, n_p += g_ip         for every slot
 *
 * Twins: assembly/bags.ts.
 */
import type { WordRows } from "./word-rows.ts"

export { scoreWords as scoreBags } from "./word-rows.ts"

export function absorbOne(
  { offsets, words }: WordRows,
  weighed: Float64Array,
  rows: number,
  slot: Int32Array,
  weight: Float64Array,
  slots: number,
  stats: Float64Array,
): void {
  const size = stats.length - slots
  for (let i = 0; i < rows; i++) {
    const p = slot[i]
    const g = weight[i]
    const end = offsets[i + 1]
    if (offsets[i] === end || g === 0) continue
    for (let t = offsets[i]; t < end; t++) stats[words[t] * slots + p] += g * weighed[t]
    stats[size + p] += g
  }
}

/** Weights at values[p·rows + i]. */
export function absorbEach(
  { offsets, words }: WordRows,
  weighed: Float64Array,
  rows: number,
  values: Float64Array,
  slots: number,
  stats: Float64Array,
): void {
  const size = stats.length - slots
  const g = new Float64Array(slots)
  for (let i = 0; i < rows; i++) {
    const end = offsets[i + 1]
    if (offsets[i] === end) continue
    for (let p = 0; p < slots; p++) g[p] = values[p * rows + i]
    for (let t = offsets[i]; t < end; t++) {
      const at = words[t] * slots
      const x = weighed[t]
      for (let p = 0; p < slots; p++) stats[at + p] += g[p] * x
    }
    for (let p = 0; p < slots; p++) stats[size + p] += g[p]
  }
}

let once = /* @__PURE__ */ new Float64Array(0)

/** Ones, as the counts of words that count once however often they occur. */
export function eachOnce({ words }: Pick<WordRows, "words">): Float64Array {
  if (once.length < words.length) once = new Float64Array(2 * words.length).fill(1)
  return once
}

/** Is it an array of these ones? */
export function isOnce(weighed: Float64Array): boolean {
  return weighed === once
}

/** From this many products on, memory of fast kernels is worth its cost: a third of a millisecond of work. */
export const WORTH = 1 << 18

/** to[j] += from[j] */
export function addNumbers(to: Float64Array, from: Float64Array): void {
  for (let j = 0; j < to.length; j++) to[j] += from[j]
}
