/**
 * What the steps on either side of a step say of its state, in one row and one context; in logarithms, since it is asked about single rows.
 *
 *     past_t(j) = ln p(z_t = j | x_1 … x_{t−1})          future_t(i) = ln p(x_{t+1} … | z_t = i), up to a constant
 */
import type { Block } from "../../contract/block.ts"
import type { Sides } from "../../contract/node.ts"
import { logSumExp } from "../../kernels/log-sum-exp.ts"
import type { Passes } from "./passes.ts"
import { ChainWork } from "./work.ts"

export function sidesOf(slots: number, { k, stepsOf, tablesOf, bodyScores, impossible }: Passes) {
  const work = new ChainWork()

  return (block: Block, params: Float64Array, p = 0): Sides => {
    const { block: steps } = stepsOf(block)
    const S = steps.rows
    work.reserve(k, slots, S, 1)
    const { logInitial, logTransitions, logEnds } = tablesOf(params, work)[p]
    const scores = bodyScores(steps, params, work)
    const b = (t: number, l: number): number => scores[(l * slots + p) * S + t]
    const past = new Float64Array(S * k)
    const future = new Float64Array(S * k)
    const each = new Float64Array(S)
    const terms = new Float64Array(k)
    for (let t = 0; t < S; t++) {
      for (let j = 0; j < k; j++) {
        for (let i = 0; t > 0 && i < k; i++)
          terms[i] = past[(t - 1) * k + i] + b(t - 1, i) + logTransitions[i * k + j]
        past[t * k + j] = t > 0 ? logSumExp(terms, 0, k, 1) - each[t - 1] : logInitial[j]
      }
      for (let l = 0; l < k; l++) terms[l] = past[t * k + l] + b(t, l)
      each[t] = logSumExp(terms, 0, k, 1)
      if (each[t] === -Infinity) throw impossible(steps, t)
    }
    for (let t = S - 1; t >= 0; t--) {
      for (let i = 0; i < k; i++) {
        for (let j = 0; t < S - 1 && j < k; j++)
          terms[j] = logTransitions[i * k + j] + b(t + 1, j) + future[(t + 1) * k + j]
        // scaled as on the way forward
        future[t * k + i] = t < S - 1 ? logSumExp(terms, 0, k, 1) - each[t + 1] : logEnds[i]
      }
    }
    return { past, future, steps: each }
  }
}
