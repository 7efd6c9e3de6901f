/**
 * From scores to probabilities: e^score / Σ e^score ("softmax"), or σ(score) / Σ σ(score) ("sigmoid": two levels, or one against the rest).
 */
import { exp } from "../kernels/exp.ts"
import { log1p } from "../kernels/log.ts"
import { logSumExp } from "../kernels/log-sum-exp.ts"

export type Link = "softmax" | "sigmoid"

/** ln σ(s) */
function logSigmoid(s: number): number {
  return s > 0 ? -log1p(exp(-s)) : s - log1p(exp(s))
}

/** rows × levels */
export function posteriorOf(
  scores: Float64Array,
  count: number,
  link: Link,
): { probabilities: Float64Array; logs: Float64Array } {
  const logs = link === "sigmoid" ? scores.map(logSigmoid) : scores.slice()
  for (let at = 0; at < logs.length; at += count) {
    const total = logSumExp(logs, at, count, 1)
    for (let l = 0; l < count; l++) logs[at + l] -= total
  }
  return { probabilities: logs.map(exp), logs }
}
