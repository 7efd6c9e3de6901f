/**
 * The posterior of each row, contiguous, from the joint scores s_l of its k values:
 *
 *     probabilities[at + i·k + l] = r_l = exp(s_l − S)      logs[at + i·k + l] = s_l − S      S = ln Σ_l exp s_l
 *
 * A row that is impossible under every value gets the uniform posterior.
 */
import { log } from "./log.ts"
import { collapse } from "./responsibilities.ts"
import { grow } from "./workspace.ts"

const totals = /* @__PURE__ */ grow()

/** The scores, at l·rows + i, are overwritten. */
export function posteriorRows(
  scores: Float64Array,
  k: number,
  rows: number,
  probabilities: Float64Array,
  logs: Float64Array,
  at: number,
): void {
  const sums = totals(2 * rows)
  turn(scores, k, logs, at)
  collapse(scores, k, rows, sums)
  turn(scores, k, probabilities, at)
  for (let i = 0; i < rows; i++) {
    const possible = sums[i] > -Infinity
    for (let l = 0; l < k; l++, at++) logs[at] = possible ? logs[at] - sums[i] : -log(k)
  }
}

/** Writes the transpose of a matrix of `lines` lines, from `at` on. */
export function turn(from: Float64Array, lines: number, to: Float64Array, at: number): void {
  const length = from.length / lines
  for (let i = 0; i < length; i++) for (let l = 0; l < lines; l++) to[at++] = from[l * length + i]
}
