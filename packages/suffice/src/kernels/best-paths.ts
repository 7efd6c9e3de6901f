/**
 * The most probable path of each sequence (Viterbi), also with a bonus for states that are not the tag: of equal ones the first.
 *
 *     δ_t(j) = max_i [ δ_{t−1}(i) + ln a_ij ] + ln b_t(j) + [ margin if a tag is seen and is not j ]
 *
 * Twin: assembly/best-paths.ts.
 */
import { type ChainTables, strideOf } from "./chain-tables.ts"

/** How each state of each step is best reached, for a sequence that is cut into segments. */
export interface Ways {
  /** The state before, of step n and state j at `at` + n·k + j; nothing at the first step. */
  readonly pointers: Uint16Array
  at: number
  /** δ of the last step, without the end. */
  readonly last: Float64Array
}

/**
 * path[t] ← the best state of each step, heights[i] ← δ of the whole sequence; −∞, and −1 in every step, if it is impossible. Scores are as in `forwardRows`. A margin of −∞ keeps to
 * the tags. Sequences with wanted[i] ≠ `which` are left as they are. `ways`: what the only sequence leaves for those who go on from it.
 */
export function bestPaths(
  table: ChainTables,
  scores: Float64Array,
  at: number,
  column: number,
  tags: Int32Array | undefined,
  margin: number,
  offsets: Int32Array,
  rows: number,
  wanted: Int32Array,
  which: number,
  path: Int32Array,
  heights: Float64Array,
  ways?: Ways,
): void {
  const k = table.states
  const K = strideOf(k)
  let longest = 0
  for (let i = 0; i < rows; i++)
    if (wanted[i] === which) longest = Math.max(longest, offsets[i + 1] - offsets[i])
  const pointers = new Int32Array(longest * K)
  let now = new Float64Array(k)
  let next = new Float64Array(k)
  for (let i = 0; i < rows; i++) {
    const [from, to] = [offsets[i], offsets[i + 1]]
    if (wanted[i] !== which || from === to) continue
    for (let t = from; t < to; t++) {
      ahead(table, now, t === from, pointers, (t - from) * K, next)
      const tag = tags ? tags[t] : -1
      for (let j = 0, s = at + t; j < k; j++, s += column) {
        next[j] += tag >= 0 && tag !== j ? scores[s] + margin : scores[s]
      }
      const reuse = now
      now = next
      next = reuse
    }
    ways?.last.set(now)
    for (let n = 1; ways && n < to - from; n++)
      for (let j = 0; j < k; j++) ways.pointers[ways.at + n * k + j] = pointers[n * K + j]
    heights[i] = follow(table, now, from, to, pointers, path)
  }
}

/** next ← the best way to each state, without what the step says of it. */
function ahead(
  { states: k, logInitial, logTransitions }: ChainTables,
  now: Float64Array,
  isFirst: boolean,
  pointers: Int32Array,
  at: number,
  next: Float64Array,
): void {
  if (isFirst) {
    next.set(logInitial)
    return
  }
  for (let j = 0; j < k; j++) {
    let best = 0
    let height = now[0] + logTransitions[j]
    for (let i = 1; i < k; i++) {
      const other = now[i] + logTransitions[i * k + j]
      if (!(other > height)) continue
      best = i
      height = other
    }
    pointers[at + j] = best
    next[j] = height
  }
}

/** Back along the pointers, from the best last state. */
function follow(
  { states: k, logEnds }: ChainTables,
  now: Float64Array,
  from: number,
  to: number,
  pointers: Int32Array,
  path: Int32Array,
): number {
  const K = strideOf(k)
  let best = 0
  for (let j = 0; j < k; j++) {
    now[j] += logEnds[j]
    if (now[j] > now[best]) best = j
  }
  const height = now[best]
  if (height === -Infinity) {
    path.fill(-1, from, to)
    return height
  }
  for (let t = to - 1; t >= from; t--) {
    path[t] = best
    if (t > from) best = pointers[(t - from) * K + best]
  }
  return height
}
