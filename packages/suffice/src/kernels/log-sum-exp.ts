// ln Σ_i exp(v_i), without overflow and without NaN from −∞ − (−∞).
//
//   m = max_i v_i,  ln Σ_i exp(v_i) = m + ln Σ_i exp(v_i − m)

import { exp } from "./exp.ts"
import { log } from "./log.ts"

/** ln Σ exp over values[offset + i · stride], i < count. −Infinity for an empty sum or one of zeros. */
export function logSumExp(values: Float64Array, offset: number, count: number, stride: number): number {
  const end = offset + count * stride
  let max = -Infinity
  for (let at = offset; at < end; at += stride) if (values[at] > max) max = values[at]
  if (max === -Infinity || max === Infinity) return max
  let sum = 0
  for (let at = offset; at < end; at += stride) sum += exp(values[at] - max)
  return max + log(sum)
}
