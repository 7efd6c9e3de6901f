/** Chains in the scratch of the row memory: everything is copied in and out for each call. Calls that are small, or too large for it, go to the plain twins, to the same bits. */
import { bestPaths, type Ways } from "../best-paths.ts"
import { backwardRows, type ChainKernels, type ChainSteps, forwardRows } from "../chain.ts"
import { type ChainTables, strideOf } from "../chain-tables.ts"
import { even } from "./arena.ts"
import { ChainScratch, STRIP } from "./chain-scratch.ts"
import type { RowMemory } from "./row-memory.ts"

export function chainKernels({ arena, scratch: stretch }: RowMemory): ChainKernels {
  const scratch = new ChainScratch(arena, stretch)
  return {
    forwardRows: (table, scores, at, column, tags, offsets, rows, steps, sums) =>
      forward(scratch, table, scores, at, column, tags, offsets, rows, steps, sums),
    backwardRows: (table, steps, offsets, rows, weights, values, at, column, counts, terms) =>
      backward(scratch, table, steps, offsets, rows, weights, values, at, column, counts, terms),
    bestPaths: (
      table,
      scores,
      at,
      column,
      tags,
      margin,
      offsets,
      rows,
      contexts,
      context,
      path,
      heights,
      ways,
    ) =>
      best(
        scratch,
        table,
        scores,
        at,
        column,
        tags,
        margin,
        offsets,
        rows,
        contexts,
        context,
        path,
        heights,
        ways,
      ),
  }
}

function forward(
  scratch: ChainScratch,
  table: ChainTables,
  scores: Float64Array,
  at: number,
  column: number,
  tags: Int32Array | undefined,
  offsets: Int32Array,
  rows: number,
  steps: ChainSteps,
  sums: Float64Array,
): void {
  const [from, to] = [offsets[0], offsets[rows]]
  if (!scratch.open(table, to, rows)) {
    forwardRows(table, scores, at, column, tags, offsets, rows, steps, sums)
    return
  }
  const k = table.states
  const K = strideOf(k)
  const { here, stride } = scratch.scores(scores, at, column, k, from, to)
  const b = scratch.take(K * to)
  const alpha = scratch.take(K * to)
  const scale = scratch.take(to)
  const tops = scratch.take(to)
  const sum = scratch.take(rows)
  scratch.wasm.forwardRows(
    k,
    K,
    table.hasZeros ? 1 : 0,
    8 * scratch.vector(table.initial, k, K, 0),
    8 * scratch.square(table.transitions, k, K, 0, false),
    8 * scratch.vector(table.ends, k, K, 0),
    8 * here,
    stride,
    tags ? 4 * scratch.copyInCodes(tags, to) : 0,
    4 * scratch.copyInCodes(offsets, rows + 1),
    rows,
    8 * b,
    8 * alpha,
    8 * scale,
    8 * tops,
    8 * sum,
    8 * scratch.take(2 * STRIP * (k + 1)),
  )
  scratch.copyOut(b + K * from, steps.b, K * from, K * (to - from))
  scratch.copyOut(alpha + K * from, steps.alpha, K * from, K * (to - from))
  scratch.copyOut(scale + from, steps.scale, from, to - from)
  scratch.copyOut(tops + from, steps.tops, from, to - from)
  scratch.copyOut(sum, sums, 0, rows)
}

function backward(
  scratch: ChainScratch,
  table: ChainTables,
  steps: ChainSteps,
  offsets: Int32Array,
  rows: number,
  weights: Float64Array,
  values: Float64Array,
  at: number,
  column: number,
  counts: Float64Array,
  terms: Float64Array,
): void {
  const [from, to] = [offsets[0], offsets[rows]]
  if (!scratch.open(table, to, rows)) {
    backwardRows(table, steps, offsets, rows, weights, values, at, column, counts, terms)
    return
  }
  const k = table.states
  const K = strideOf(k)
  const stride = even(to - from) + 8
  const gamma = scratch.take(k * stride)
  const xi = scratch.square(counts, k, K, 0, true)
  const term = scratch.take(rows)
  scratch.wasm.backwardRows(
    k,
    K,
    8 * scratch.square(table.transitions, k, K, 0, true),
    8 * scratch.square(table.logTransitions, k, K, 0, true),
    8 * scratch.vector(table.ends, k, K, 0),
    8 * scratch.copyIn(steps.b, K * to),
    8 * scratch.copyIn(steps.alpha, K * to),
    8 * scratch.copyIn(steps.scale, to),
    4 * scratch.copyInCodes(offsets, rows + 1),
    rows,
    8 * scratch.copyIn(weights, rows),
    8 * (gamma - from),
    stride,
    8 * xi,
    8 * term,
    8 * scratch.take(K * K + 3 * K),
  )
  for (let l = 0; l < k; l++) scratch.copyOut(gamma + l * stride, values, at + l * column + from, to - from)
  scratch.squareOut(xi, k, K, counts)
  scratch.copyOut(term, terms, 0, rows)
}

function best(
  scratch: ChainScratch,
  table: ChainTables,
  scores: Float64Array,
  at: number,
  column: number,
  tags: Int32Array | undefined,
  margin: number,
  offsets: Int32Array,
  rows: number,
  contexts: Int32Array,
  context: number,
  path: Int32Array,
  heights: Float64Array,
  ways: Ways | undefined,
): void {
  const [from, to] = [offsets[0], offsets[rows]]
  if (!scratch.open(table, to, rows)) {
    bestPaths(table, scores, at, column, tags, margin, offsets, rows, contexts, context, path, heights, ways)
    return
  }
  const k = table.states
  const K = strideOf(k)
  const { here, stride } = scratch.scores(scores, at, column, k, from, to)
  const chosen = scratch.copyInMarks(contexts, context, rows)
  const states = scratch.copyInCodes(path, to)
  const height = scratch.copyIn(heights, rows)
  const pointers = scratch.take((K * (to - from)) >> 1)
  const work = scratch.take(3 * K)
  scratch.wasm.bestPaths(
    k,
    K,
    8 * scratch.vector(table.logInitial, k, K, -Infinity),
    8 * scratch.square(table.logTransitions, k, K, -Infinity, false),
    8 * scratch.vector(table.logEnds, k, K, -Infinity),
    8 * here,
    stride,
    tags ? 4 * scratch.copyInCodes(tags, to) : 0,
    margin,
    4 * scratch.copyInCodes(offsets, rows + 1),
    rows,
    4 * chosen,
    4 * states,
    8 * height,
    8 * pointers,
    8 * work,
  )
  if (ways) {
    // two arrays that take turns, step by step
    scratch.copyOut(work + ((to - from) % 2) * K, ways.last, 0, k)
    scratch.pointersOut(2 * pointers, to - from, k, K, ways.pointers, ways.at)
  }
  path.set(scratch.integers.subarray(states, states + to))
  scratch.copyOut(height, heights, 0, rows)
}
