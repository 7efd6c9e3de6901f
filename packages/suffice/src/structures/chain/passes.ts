/**
 * The recursions of a chain over a block: forward over the steps of each row in each context, and back.
 *
 *     α_t(j) = b_t(j) Σ_i α_{t−1}(i) a_ij          γ_t = α_t β_t          ξ_t(i, j) = α_{t−1}(i) a_ij b_t(j) β_t(j)
 *
 * b is scaled at each step, and α is normalised; a sequence in which that underflows is redone in logarithms (kernels/chain.ts).
 */
import { placeIn } from "../../blocks/encoded.ts"
import type { Block, Nested } from "../../contract/block.ts"
import { SufficeError, show } from "../../errors.ts"
import * as plain from "../../kernels/chain.ts"
import { backwardLogs, forwardLogs } from "../../kernels/chain-logs.ts"
import { ChainTables, strideOf } from "../../kernels/chain-tables.ts"
import { fastKernels } from "../../kernels/twins.ts"
import { grow } from "../../kernels/workspace.ts"
import { softOf } from "./soft.ts"
import type { ChainLayout, ChainWork } from "./work.ts"

export type Passes = ReturnType<typeof passesOf>

export function passesOf(layout: ChainLayout) {
  const { place, column, label, states, ends, slots, initial, transitions, body } = layout
  const soft = softOf(layout)
  const { forwardRows, backwardRows } = fastKernels() ?? plain
  const k = states.length
  const K = strideOf(k)
  const width = k * slots
  const stepsOf = (block: Block): Nested => block.cells[place] as Nested
  const tagsOf = (steps: Block): Int32Array | undefined =>
    label < 0 ? undefined : (steps.cells[label] as Int32Array)

  // within one call
  const scratch = new Float64Array(3 * k)
  const foundOf = grow()
  const scaledOf = grow()
  const termsOf = grow()

  /** The probabilities of every context. */
  function tablesOf(params: Float64Array, work: ChainWork): readonly ChainTables[] {
    const first = initial.ranges.paramsOf(params)
    const next = transitions.ranges.paramsOf(params)
    for (let p = 0; p < slots; p++) {
      work.tables[p] ??= new ChainTables(k)
      const table = work.tables[p]
      for (let i = 0; i < k; i++) {
        table.logInitial[i] = first[i * slots + p]
        if (ends) table.logEnds[i] = next[k * width + i * slots + p]
        for (let j = 0; j < k; j++) table.logTransitions[i * k + j] = next[j * width + i * slots + p]
      }
      table.ready()
    }
    return work.tables
  }

  /** The scores of the body, with the states that tags rule out. */
  function bodyScores(steps: Block, params: Float64Array, work: ChainWork): Float64Array {
    const { scores } = work.held
    work.body = body.up(steps, params, scores, false, work.body)
    const tags = tagsOf(steps)
    const S = steps.rows
    for (let t = 0; tags && t < S; t++) {
      if (tags[t] < 0) continue
      for (let l = 0; l < k; l++) {
        if (l === tags[t]) continue
        for (let s = l * slots; s < (l + 1) * slots; s++) scores[s * S + t] = -Infinity
      }
    }
    return scores
  }

  /** b of a sequence in logarithms. */
  function logarithms({ held }: ChainWork, p: number, S: number, from: number, to: number): void {
    const { b, tops } = held.contexts[p]
    for (let t = from; t < to; t++) {
      for (let l = 0; l < k; l++) {
        if (tops[t] > -Infinity) b[t * K + l] = held.scores[(l * slots + p) * S + t] - tops[t]
        else b[t * K + l] = b[t * K + l] > 0 ? 0 : -Infinity
      }
    }
  }

  /** Runs forward over every sequence in every context; out[q] += ln p(steps | p). */
  function climb(
    block: Block,
    params: Float64Array,
    out: Float64Array,
    work: ChainWork,
    tables = tablesOf(params, work),
  ): void {
    const { rows } = block
    const { offsets, block: steps } = stepsOf(block)
    const S = steps.rows
    const { scores, contexts, sums, logs } = work.reserve(k, slots, S, rows)
    tables.forEach((table, p) => {
      work.tables[p] = table
    })
    work.borders = undefined
    bodyScores(steps, params, work)
    const found = foundOf(rows)
    const tags = tagsOf(steps)
    for (let p = 0; p < slots; p++) {
      const held = contexts[p]
      forwardRows(tables[p], scores, p * S, slots * S, tags, offsets, rows, held, found)
      for (let i = 0; i < rows; i++) {
        const q = p * rows + i
        const [from, to] = [offsets[i], offsets[i + 1]]
        logs[q] = 0
        if (from === to) continue
        if (soft.within(tags, from, to)) {
          out[q] += soft.score({ scores, tags: tags!, table: tables[p], p, from, to }, S)
          continue
        }
        let sum = found[i]
        if (Number.isNaN(sum)) {
          logs[q] = 1
          logarithms(work, p, S, from, to)
          sum = forwardLogs(tables[p], held, from, to, scratch)
        }
        sums[q] = sum
        for (let t = from; t < to; t++) sum += held.tops[t]
        out[q] += sum
      }
    }
  }

  /**
   * values ← w γ of every sequence in context p, at (l·P + p)·S + t, and xi += w ξ at i·k + j; w: its weight, 0 for one that is left out. Returns what of their states is unknown, Σ w H.
   */
  function descend(
    work: ChainWork,
    { offsets, block: steps }: Nested,
    p: number,
    weights: Float64Array,
    values: Float64Array,
    xi: Float64Array,
  ): number {
    const rows = weights.length
    const S = steps.rows
    const { contexts, sums, logs } = work.held
    const table = work.tables[p]
    const scaled = scaledOf(rows)
    for (let i = 0; i < rows; i++) scaled[i] = logs[p * rows + i] ? 0 : weights[i]
    const terms = termsOf(rows)
    backwardRows(table, contexts[p], offsets, rows, scaled, values, p * S, slots * S, xi, terms)
    let entropy = 0
    for (let i = 0; i < rows; i++) {
      const q = p * rows + i
      const [from, to] = [offsets[i], offsets[i + 1]]
      const w = weights[i]
      if (w === 0 || from === to) continue
      if (Number.isNaN(terms[i])) {
        // α was scaled: once more, in logarithms
        logs[q] = 1
        logarithms(work, p, S, from, to)
        sums[q] = forwardLogs(table, contexts[p], from, to, scratch)
      }
      if (logs[q]) {
        if (sums[q] === -Infinity) throw impossible(steps, unreached(contexts[p].alpha, from, to))
        const [at, column] = [p * S, slots * S]
        terms[i] = backwardLogs(table, contexts[p], from, to, sums[q], w, values, at, column, xi, scratch)
      }
      if (w > 0) entropy += Math.max(w * (sums[q] - terms[i]) - explained(work, p, S, from, to, values), 0)
    }
    return entropy
  }

  /** Σ of w γ times the logarithms of b, π and e: H = ln p(x) − E[ ln p(x, z) ]. */
  function explained(
    work: ChainWork,
    p: number,
    S: number,
    from: number,
    to: number,
    values: Float64Array,
  ): number {
    const { scores, contexts } = work.held
    const { logInitial, logEnds } = work.tables[p]
    const { tops } = contexts[p]
    let sum = 0
    for (let l = 0; l < k; l++) {
      const at = (l * slots + p) * S
      // in two independent sums
      let other = 0
      for (let t = from; t < to; t++) {
        const share = values[at + t]
        const term = share > 0 && tops[t] > -Infinity ? share * (scores[at + t] - tops[t]) : 0
        if (t & 1) other += term
        else sum += term
      }
      sum += other
      if (values[at + from] > 0) sum += values[at + from] * logInitial[l]
      if (values[at + to - 1] > 0) sum += values[at + to - 1] * logEnds[l]
    }
    return sum
  }

  /** The first step that no path reaches, of ln α; the last, where none can end. */
  function unreached(alpha: Float64Array, from: number, to: number): number {
    for (let t = from; t < to; t++) {
      if (!alpha.subarray(t * K, t * K + k).some(x => x > -Infinity)) return t
    }
    return to - 1
  }

  function impossible(steps: Block, t: number): SufficeError {
    const { row, step } = placeIn(steps, t)
    return new SufficeError(
      "data",
      `row ${row}, step ${step}: no path through the states of ${show(column)} explains the steps so far. Transitions with probability 0, or tags that are seen, rule all of them out. Allow more transitions, take a prior above 0, or correct the row.`,
      { row, step, column },
    )
  }

  return {
    k,
    K,
    width,
    stepsOf,
    tagsOf,
    scratch,
    tablesOf,
    bodyScores,
    climb,
    descend,
    unreached,
    impossible,
    soft,
  }
}
