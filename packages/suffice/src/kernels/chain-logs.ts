/** The recursions of chain.ts in logarithms, for sequences in which scaled numbers underflow. b and α are ln b and ln α then, not scaled; strides are the same. */
import type { ChainSteps } from "./chain.ts"
import { type ChainTables, strideOf } from "./chain-tables.ts"
import { exp } from "./exp.ts"
import { logSumExp } from "./log-sum-exp.ts"

/** alpha ← ln α of steps from … to − 1. `scratch`: k numbers. Returns ln L; −∞ if the sequence is impossible. */
export function forwardLogs(
  { states: k, logInitial, logTransitions, logEnds }: ChainTables,
  { b, alpha }: Pick<ChainSteps, "b" | "alpha">,
  from: number,
  to: number,
  scratch: Float64Array,
): number {
  const K = strideOf(k)
  for (let t = from; t < to; t++) {
    const at = t * K
    for (let j = 0; j < k; j++) {
      if (t === from) alpha[at + j] = logInitial[j] + b[at + j]
      else {
        for (let i = 0; i < k; i++) scratch[i] = alpha[at - K + i] + logTransitions[i * k + j]
        alpha[at + j] = logSumExp(scratch, 0, k, 1) + b[at + j]
      }
    }
  }
  for (let j = 0; j < k; j++) scratch[j] = alpha[(to - 1) * K + j] + logEnds[j]
  return logSumExp(scratch, 0, k, 1)
}

/** As `backwardRows`, of one sequence, from the α and ln L of `forwardLogs`; ln L must be finite. `scratch`: 3k numbers. Returns Σ_t Σ ξ_t(i, j) ln a_ij. */
export function backwardLogs(
  { states: k, logTransitions, logEnds }: ChainTables,
  { b, alpha }: Pick<ChainSteps, "b" | "alpha">,
  from: number,
  to: number,
  logLikelihood: number,
  weight: number,
  values: Float64Array,
  valuesAt: number,
  column: number,
  counts: Float64Array,
  scratch: Float64Array,
): number {
  const K = strideOf(k)
  const beta = scratch.subarray(0, k)
  const ahead = scratch.subarray(k, 2 * k)
  const terms = scratch.subarray(2 * k, 3 * k)
  let sum = 0
  beta.set(logEnds)
  for (let t = to - 1; t >= from; t--) {
    const at = t * K
    for (let j = 0, v = valuesAt + t; j < k; j++, v += column)
      values[v] = weight * exp(alpha[at + j] + beta[j] - logLikelihood)
    if (t === from) break
    for (let j = 0; j < k; j++) ahead[j] = b[at + j] + beta[j]
    for (let i = 0; i < k; i++) {
      const before = alpha[at - K + i] - logLikelihood
      for (let j = 0; j < k; j++) {
        terms[j] = logTransitions[i * k + j] + ahead[j]
        const xi = exp(before + terms[j])
        if (!(xi > 0)) continue
        counts[i * k + j] += weight * xi
        sum += xi * logTransitions[i * k + j]
      }
      beta[i] = logSumExp(terms, 0, k, 1)
    }
  }
  return sum
}
