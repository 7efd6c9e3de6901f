/**
 * A switch sums over its values: from the joint scores s_l of a row, l < k,
 *
 *     m = max_l s_l      e_l = exp(s_l − m)      ln Σ_l exp s_l = m + ln Σ_l e_l      r_l = e_l / Σ_l e_l
 *     H = −Σ_l r_l ln r_l = ln Σ_l e_l − Σ_l e_l (s_l − m) / Σ_l e_l
 *
 * A row that is impossible under every value tells none of them apart: e_l = 1.
 */
import { exp } from "./exp.ts"
import { log } from "./log.ts"

/** Over scores[l·size + q], by q: scores ← e_l; sums[q] ← Σ_l e_l, sums[size + q] ← ln Σ_l exp s_l, sums[2·size + q] ← H. */
export function collapse(scores: Float64Array, k: number, size: number, sums: Float64Array): void {
  const end = k * size
  for (let q = 0; q < size; q++) {
    let max = scores[q]
    for (let at = size + q; at < end; at += size) if (scores[at] > max) max = scores[at]
    const shift = max > -Infinity ? max : 0
    let sum = 0
    let mean = 0
    for (let at = q; at < end; at += size) {
      const x = scores[at] - shift
      const e = exp(x)
      scores[at] = max > -Infinity ? e : 1
      sum += e
      if (e > 0) mean += e * x
    }
    const logSum = log(sum)
    sums[size + q] = shift + logSum
    sums[q] = max > -Infinity ? sum : k
    sums[2 * size + q] = max > -Infinity ? logSum - mean / sum : log(k)
  }
}
