/**
 * The best path of a long sequence, segment by segment: scores are made for one segment at a time, and of the others only the way back is kept, k numbers of two bytes a step.
 * A segment begins with the best way to each state from the one before, max_i [ δ(i) + ln a_ij ]: the sums are those of the whole sequence, to the bit.
 */
import type { Block } from "../../contract/block.ts"
import * as plain from "../../kernels/best-paths.ts"
import { ChainTables } from "../../kernels/chain-tables.ts"
import { fastKernels } from "../../kernels/twins.ts"
import type { Passes } from "./passes.ts"
import { SEGMENT, segmentOf } from "./segments.ts"
import { type ChainLayout, ChainWork } from "./work.ts"

export function longPathsOf({ place, slots }: ChainLayout, { k, stepsOf, tablesOf, bodyScores }: Passes) {
  const { bestPaths } = fastKernels() ?? plain

  const isLong = (block: Block): boolean => block.rows === 1 && stepsOf(block).block.rows > SEGMENT

  /** codes ← the best path of the only row in context p. Returns ln p(steps, path). */
  function longPath(block: Block, params: Float64Array, p: number, codes: Int32Array): number {
    const T = codes.length
    const work = new ChainWork()
    const whole = tablesOf(params, work)[p]
    const pointers = new Uint16Array(T * k)
    const ways = { pointers, at: 0, last: new Float64Array(k) }
    const path = new Int32Array(SEGMENT)
    const height = new Float64Array(1)
    const only = new Int32Array(1)
    const table = new ChainTables(k)
    table.logTransitions.set(whole.logTransitions)
    table.logInitial.set(whole.logInitial)
    for (let from = 0; from < T; from += SEGMENT) {
      const { offsets, block: steps } = stepsOf(segmentOf(block, place, from))
      const S = steps.rows
      const { scores } = work.reserve(k, slots, S, 1)
      bodyScores(steps, params, work)
      ways.at = from * k
      if (from > 0) reach(whole, ways.last, table.logInitial, pointers, ways.at)
      bestPaths(table, scores, p * S, slots * S, undefined, 0, offsets, 1, only, 0, path, height, ways)
    }
    let best = 0
    for (let j = 0; j < k; j++) {
      ways.last[j] += whole.logEnds[j]
      if (ways.last[j] > ways.last[best]) best = j
    }
    const found = ways.last[best]
    for (let t = T - 1; t >= 0; t--) {
      codes[t] = found > -Infinity ? best : -1
      best = pointers[t * k + best]
    }
    return found
  }

  /** next(j) ← max_i [ last(i) + ln a_ij ], of equal ones the first; at the pointers where it comes from. */
  function reach(
    { logTransitions }: ChainTables,
    last: Float64Array,
    next: Float64Array,
    pointers: Uint16Array,
    at: number,
  ): void {
    for (let j = 0; j < k; j++) {
      let best = 0
      for (let i = 1; i < k; i++)
        if (last[i] + logTransitions[i * k + j] > last[best] + logTransitions[best * k + j]) best = i
      pointers[at + j] = best
      next[j] = last[best] + logTransitions[best * k + j]
    }
  }

  return { isLong, longPath }
}
