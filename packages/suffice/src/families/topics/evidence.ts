/**
 * A lower bound of the log-probability of documents, proportions integrated out: with r_jk = θ̂_k φ_jk / Σ θ̂φ and n_k = Σ_j c_j r_jk,
 *
 *     F = Σ_j c_j Σ_k r_jk (ln φ_jk − ln r_jk) + ln Γ(α₀)/Γ(α₀ + N) + Σ_k ln Γ(α_k + n_k)/Γ(α_k)   ≤   ln p(c)
 *
 * It is Jensen's inequality, as ln Γ is convex, and holds for every r (the collapsed bound of Teh, Newman & Welling 2007). In g = α + n of the fold,
 * ln φ − ln r = ln s − ln g.
 */

import { log } from "../../kernels/log.ts"
import { logGamma } from "../../kernels/log-gamma.ts"
import { gatherTopics } from "../../kernels/topic-rows.ts"
import { placesOf, type TopicShape, topicsOf, widthOf } from "../../kernels/topic-shape.ts"
import type { WordRows } from "../../kernels/word-rows.ts"

/** out[p·rows + i] += F of row i in slot p. `g`: what the fold of these rows found. */
export function addEvidence(
  { offsets, words }: WordRows,
  counts: Float64Array,
  rows: number,
  params: Float64Array,
  shape: TopicShape,
  g: Float64Array,
  out: Float64Array,
): void {
  const topics = topicsOf(shape)
  const width = widthOf(shape)
  const { alpha } = placesOf(shape)
  const n = new Float64Array(topics)
  for (let i = 0; i < rows; i++) {
    const from = offsets[i]
    const count = offsets[i + 1] - from
    if (count === 0) continue
    const phi = new Float64Array(count * width)
    for (let p = 0; p < shape.slots; p++) {
      gatherTopics(words, from, count, params, shape, p, phi, 0)
      const at = (p * rows + i) * width
      n.fill(0)
      let length = 0
      let sum = 0
      for (let j = 0; j < count; j++) {
        const c = counts[from + j]
        let s = 0
        for (let k = 0; k < topics; k++) s += g[at + k] * phi[j * width + k]
        length += c
        sum += c * log(s)
        if (s > 0) for (let k = 0; k < topics; k++) n[k] += (c * g[at + k] * phi[j * width + k]) / s
      }
      let total = 0
      for (let k = 0; k < topics; k++) {
        const own = params[alpha + p * topics + k]
        total += own
        if (n[k] > 0) sum -= n[k] * log(g[at + k])
        sum += logGamma(own + n[k]) - logGamma(own)
      }
      out[p * rows + i] += sum + logGamma(total) - logGamma(total + length)
    }
  }
}
