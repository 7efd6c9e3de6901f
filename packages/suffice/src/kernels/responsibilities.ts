/**
 * A switch sums over its values: from the joint scores s_l of a row, l < k,
 *
 *     m = max_l s_l      e_l = exp(s_l − m)      ln Σ_l exp s_l = m + ln Σ_l e_l      r_l = e_l / Σ_l e_l
 *     H = −Σ_l r_l ln r_l = ln Σ_l e_l − Σ_l e_l (s_l − m) / Σ_l e_l
 *
 * A row that is impossible under every value has r_l = 1/k.
 */
import { exp } from "./exp.ts"
import { log } from "./log.ts"

/** Over scores[l·size + q], by q: scores ← r_l; sums[q] ← ln Σ_l exp s_l, sums[size + q] ← H. */
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
      scores[at] = e
      sum += e
      if (e > 0) mean += e * x
    }
    const logSum = log(sum)
    const part = 1 / sum
    sums[q] = shift + logSum
    sums[size + q] = sum === 0 ? log(k) : logSum - mean * part
    for (let at = q; at < end; at += size) scores[at] = sum === 0 ? 1 / k : scores[at] * part
  }
}
