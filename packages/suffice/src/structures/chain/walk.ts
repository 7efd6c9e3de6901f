/** Questions about the states along the steps of rows: the best path, the best wrong one, what is known so far, and what comes next. */
import { rowsOf } from "../../blocks/encoded.ts"
import type { Block } from "../../contract/block.ts"
import type { Dice } from "../../contract/dice.ts"
import type { PathRival, Rival, Sink } from "../../contract/node.ts"
import * as plain from "../../kernels/best-paths.ts"
import { LEAST } from "../../kernels/chain.ts"
import type { ChainTables } from "../../kernels/chain-tables.ts"
import { exp } from "../../kernels/exp.ts"
import { log } from "../../kernels/log.ts"
import { logSumExp } from "../../kernels/log-sum-exp.ts"
import { collapse } from "../../kernels/responsibilities.ts"
import { fastKernels } from "../../kernels/twins.ts"
import { longPathsOf } from "./long-paths.ts"
import type { Passes } from "./passes.ts"
import { sidesOf } from "./sides.ts"
import { type ChainLayout, ChainWork } from "./work.ts"

export function walkOf(layout: ChainLayout, passes: Passes) {
  const { label, ends, slots, body, carry } = layout
  const { isLong, longPath } = longPathsOf(layout, passes)
  const { k, K, width, stepsOf, tagsOf, tablesOf, bodyScores, climb, unreached, impossible, soft } = passes
  const { bestPaths } = fastKernels() ?? plain
  const scratchWork = new ChainWork()
  const nextOf = new Float64Array(k)
  const stepOf = new Float64Array(k)
  const sumsOf = new Float64Array(2)

  /** The best path of each row in its context, consistent with the tags that are seen. */
  function paths(
    block: Block,
    params: Float64Array,
    contexts: Int32Array,
  ): { codes: Int32Array; heights: Float64Array } {
    const { rows } = block
    const { offsets, block: steps } = stepsOf(block)
    const S = steps.rows
    const codes = new Int32Array(S)
    const heights = new Float64Array(rows)
    if (isLong(block)) {
      heights[0] = longPath(block, params, contexts[0], codes)
      return { codes, heights }
    }
    const work = scratchWork
    work.reserve(k, slots, S, rows)
    const tables = tablesOf(params, work)
    bodyScores(steps, params, work)
    const { scores } = work.held
    for (let p = 0; p < slots; p++) {
      if (contexts.includes(p))
        bestPaths(
          tables[p],
          scores,
          p * S,
          slots * S,
          undefined,
          0,
          offsets,
          rows,
          contexts,
          p,
          codes,
          heights,
        )
    }
    return { codes, heights }
  }

  /** α: what each step and those before it say of its state. */
  function filtered(block: Block, params: Float64Array, out: Float64Array): void {
    const { rows } = block
    const { offsets } = stepsOf(block)
    climb(block, params, new Float64Array(slots * rows), scratchWork)
    const { contexts, logs } = scratchWork.held
    for (let i = 0; i < rows; i++) {
      for (let t = offsets[i]; t < offsets[i + 1]; t++) {
        const own = contexts[0].alpha.subarray(t * K, t * K + k)
        const total = logs[i] ? logSumExp(own, 0, k, 1) : 0
        for (let l = 0; l < k; l++) out[t * k + l] = logs[i] ? exp(own[l] - total) : own[l]
      }
    }
  }

  /** The probabilities of context 0, computed once: those who follow a sequence ask at every step. */
  let followed: { readonly params: Float64Array; readonly table: ChainTables } | undefined
  function tableOf(params: Float64Array): ChainTables {
    if (followed?.params !== params) followed = { params, table: tablesOf(params, new ChainWork())[0] }
    return followed.table
  }

  /** next ← π at the first step, else Σ_i α(i) a_ij, the end left out. */
  function predictNext(table: ChainTables, alpha: Float64Array, isFirst: boolean, next: Float64Array): void {
    if (isFirst) next.set(table.initial)
    else {
      next.fill(0)
      for (let i = 0; i < k; i++)
        for (let j = 0; j < k; j++) next[j] += alpha[i] * table.transitions[i * k + j]
    }
  }

  function advance(steps: Block, params: Float64Array, alpha: Float64Array, isFirst: boolean): number {
    const { scores } = scratchWork.reserve(k, slots, 1, 1)
    bodyScores(steps, params, scratchWork)
    predictNext(tableOf(params), alpha, isFirst, nextOf)
    // ln p(step | state), each relative to their sum: then α needs no logarithm
    for (let l = 0; l < k; l++) stepOf[l] = scores[l * slots]
    collapse(stepOf, k, 1, sumsOf)
    let sum = 0
    for (let l = 0; l < k; l++) {
      stepOf[l] *= nextOf[l]
      sum += stepOf[l]
    }
    if (!(sum > LEAST)) return advanceLogs(scores, alpha)
    for (let l = 0; l < k; l++) alpha[l] = stepOf[l] / sum
    return sumsOf[0] + log(sum)
  }

  /** The same where that underflows. */
  function advanceLogs(scores: Float64Array, alpha: Float64Array): number {
    for (let l = 0; l < k; l++) stepOf[l] = log(nextOf[l]) + scores[l * slots]
    collapse(stepOf, k, 1, sumsOf)
    if (sumsOf[0] > -Infinity) alpha.set(stepOf)
    return sumsOf[0]
  }

  function ahead(
    steps: Block,
    params: Float64Array,
    alpha: Float64Array,
    isFirst: boolean,
    sink: Sink,
  ): Float64Array {
    const S = steps.rows
    const table = tableOf(params)
    const now = alpha.slice()
    const chances = new Float64Array(S * k)
    const values = new Float64Array(width * S)
    for (let h = 0; h < S; h++) {
      predictNext(table, now, isFirst && h === 0, nextOf)
      const alive = nextOf.reduce((sum, p) => sum + p, 0)
      for (let l = 0; l < k; l++) {
        now[l] = alive > 0 ? nextOf[l] / alive : 0
        chances[h * k + l] = now[l]
        values[l * slots * S + h] = now[l]
      }
    }
    const work = body.up(steps, params, new Float64Array(width * S))
    body.down(steps, params, { form: "each", values }, sink, work)
    return chances
  }

  /** By context, the best wrong path of each row (a soft tag is its heaviest level), argmax_z [ ln p(x, z) + margin · #{ t : z_t ≠ y_t, y_t seen } ], and y completed by its best path. */
  function rivals(block: Block, params: Float64Array, margin: number): PathRival[] {
    const { rows } = block
    const { offsets, block: steps } = stepsOf(block)
    const S = steps.rows
    const tags = soft.heaviest(tagsOf(steps)!)
    const work = scratchWork
    const { scores } = work.reserve(k, slots, S, rows)
    const tables = tablesOf(params, work)
    work.body = body.up(steps, params, scores, false, work.body)
    // some tags are seen, and: not all of them
    const seen = new Int32Array(rows)
    const open = new Int32Array(rows)
    for (let i = 0; i < rows; i++) {
      for (let t = offsets[i]; t < offsets[i + 1]; t++) {
        if (tags[t] >= 0) seen[i] = 1
        else open[i] = 1
      }
      if (!seen[i]) open[i] = 0
    }
    const best = (p: number, bonus: number, wanted: Int32Array) => {
      const path = new Int32Array(S).fill(-1)
      const heights = new Float64Array(rows)
      bestPaths(tables[p], scores, p * S, slots * S, tags, bonus, offsets, rows, wanted, 1, path, heights)
      return { path, heights }
    }
    return Array.from({ length: slots }, (_, p) => {
      const right = best(p, -Infinity, open)
      for (let i = 0; i < rows; i++) {
        const [from, to] = [offsets[i], offsets[i + 1]]
        if (!seen[i] || open[i]) continue
        right.heights[i] = heightOf(tables[p], tags, from, to, scores, p * S, slots * S)
        if (right.heights[i] > -Infinity) right.path.set(tags.subarray(from, to), from)
      }
      return { wrong: best(p, margin, seen), right }
    })
  }

  /** ln p of the steps and of these states, added up in the order of `bestPaths`. */
  function heightOf(
    { logInitial, logTransitions, logEnds }: ChainTables,
    path: Int32Array,
    from: number,
    to: number,
    scores: Float64Array,
    at: number,
    column: number,
  ): number {
    let height = 0
    for (let t = from; t < to; t++) {
      height = t === from ? logInitial[path[t]] : height + logTransitions[path[t - 1] * k + path[t]]
      height += scores[at + t + path[t] * column]
    }
    return height + logEnds[path[to - 1]]
  }

  /** Below no switch, these are the rivals. */
  function rival(block: Block, params: Float64Array, margin: number): Rival | undefined {
    if (slots > 1 || label < 0) return undefined
    const [{ wrong, right }] = rivals(block, params, margin)
    const { offsets, block: steps } = stepsOf(block)
    const shortfall = wrong.heights
    for (let i = 0; i < block.rows; i++) {
      if (right.heights[i] === -Infinity) {
        // once more, with α: the step is told of that no path reaches
        climb(block, params, new Float64Array(block.rows), scratchWork)
        throw impossible(steps, unreached(scratchWork.held.contexts[0].alpha, offsets[i], offsets[i + 1]))
      }
      shortfall[i] -= right.heights[i]
    }
    // paths are known: of an upward pass only what the body left is asked for, which knows no tags
    return { cells: wrong.path, right: right.path, shortfall, work: scratchWork }
  }

  const sides = sidesOf(slots, passes)

  function draw(
    steps: Block,
    from: number,
    params: Float64Array,
    alpha: Float64Array,
    isFirst: boolean,
    dice: Dice,
  ): void {
    const table = tableOf(params)
    const now = alpha.slice()
    for (let t = from; t < steps.rows; t++) {
      predictNext(table, now, isFirst && t === from, nextOf)
      const state = dice.categorical(nextOf, 0, k)
      now.fill(0)
      now[state] = 1
      carry(steps, t)
      body.sample(rowsOf(steps, t, t + 1), params, state * slots, dice)
    }
  }

  /** Walks until it ends. */
  function length(params: Float64Array, dice: Dice, most: number): number {
    const table = tableOf(params)
    const chances = new Float64Array(k + 1)
    chances.set(table.initial)
    let steps = 0
    for (let state = dice.categorical(chances, 0, k); state < k && steps < most; steps++) {
      chances.set(table.transitions.subarray(state * k, (state + 1) * k))
      chances[k] = table.ends[state]
      state = dice.categorical(chances, 0, k + 1)
    }
    return steps
  }

  return {
    walk: {
      paths,
      filtered,
      advance,
      ahead,
      draw,
      sides,
      body,
      ...(ends && slots === 1 && { length }),
      ...(label >= 0 && { rivals }),
    },
    rival,
  }
}
