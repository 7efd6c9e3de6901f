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
import { backward, backwardLogs, ChainTables, forward, forwardLogs, IMPOSSIBLE } from "../../kernels/chain.ts"
import { exp } from "../../kernels/exp.ts"
import { log } from "../../kernels/log.ts"
import { grow } from "../../kernels/workspace.ts"
import type { ChainLayout, ChainWork } from "./work.ts"

export type Passes = ReturnType<typeof passesOf>

export function passesOf({
  place,
  column,
  label,
  states,
  ends,
  slots,
  initial,
  transitions,
  body,
}: ChainLayout) {
  const k = states.length
  const width = k * slots
  const stepsOf = (block: Block): Nested => block.cells[place] as Nested
  const tagsOf = (steps: Block): Int32Array | undefined =>
    label < 0 ? undefined : (steps.cells[label] as Int32Array)

  // within one call
  const scratch = new Float64Array(2 * k + Math.max(k * k, k))
  const own = new Float64Array(k * k)
  const topsOf = grow()

  /** The probabilities of every context. */
  function tablesOf(params: Float64Array, work: ChainWork): readonly ChainTables[] {
    const first = initial.paramsOf(params)
    const next = transitions.paramsOf(params)
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

  /** b of one context, scaled at each step; returns, in `tops`, what it was scaled by. A step that is impossible in every state says nothing of it. */
  function scaled(
    work: ChainWork,
    p: number,
    S: number,
    tags: Int32Array | undefined,
    tops: Float64Array,
  ): void {
    const { scores, b } = work.held
    for (let t = 0; t < S; t++) {
      let top = -Infinity
      for (let at = p * S + t; at < width * S; at += slots * S) if (scores[at] > top) top = scores[at]
      tops[t] = top
      const to = (p * S + t) * k
      for (let l = 0; l < k; l++) {
        const score = scores[(l * slots + p) * S + t]
        if (top > -Infinity) b[to + l] = score > -Infinity ? exp(score - top) : IMPOSSIBLE
        else b[to + l] = !tags || tags[t] < 0 || tags[t] === l ? 1 : IMPOSSIBLE
      }
    }
  }

  /** b of a sequence in logarithms. */
  function logarithms(
    work: ChainWork,
    p: number,
    S: number,
    from: number,
    to: number,
    tops: Float64Array,
  ): void {
    const { scores, b } = work.held
    for (let t = from; t < to; t++) {
      const at = (p * S + t) * k
      for (let l = 0; l < k; l++) {
        const score = scores[(l * slots + p) * S + t]
        if (tops[t] > -Infinity) b[at + l] = score - tops[t]
        else b[at + l] = b[at + l] > 0 ? 0 : -Infinity
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
    const held = work.reserve(k, slots, S, rows)
    tables.forEach((table, p) => {
      work.tables[p] = table
    })
    work.borders = undefined
    bodyScores(steps, params, work)
    const tops = topsOf(S)
    const tags = tagsOf(steps)
    for (let p = 0; p < slots; p++) {
      scaled(work, p, S, tags, tops)
      const size = S * k
      const b = held.b.subarray(p * size, (p + 1) * size)
      const alpha = held.alpha.subarray(p * size, (p + 1) * size)
      const scale = held.scale.subarray(p * S, (p + 1) * S)
      for (let i = 0; i < rows; i++) {
        const q = p * rows + i
        const [from, to] = [offsets[i], offsets[i + 1]]
        held.logs[q] = 0
        if (from === to) continue
        let sum = forward(tables[p], b, from, to, alpha, scale)
        if (Number.isNaN(sum)) {
          held.logs[q] = 1
          logarithms(work, p, S, from, to, tops)
          sum = forwardLogs(tables[p], b, from, to, alpha, scratch)
        }
        held.sums[q] = sum
        for (let t = from; t < to; t++) sum += tops[t]
        out[q] += sum
      }
    }
  }

  /** γ of one sequence, at p·S·k; own ← ξ. Returns the entropy of its states. */
  function descendInto(
    work: ChainWork,
    nested: Nested,
    rows: number,
    i: number,
    p: number,
    gamma: Float64Array,
  ): number {
    const { offsets, block: steps } = nested
    const S = steps.rows
    const size = S * k
    const { held } = work
    const table = work.tables[p]
    const [from, to] = [offsets[i], offsets[i + 1]]
    const q = p * rows + i
    const b = held.b.subarray(p * size, (p + 1) * size)
    const alpha = held.alpha.subarray(p * size, (p + 1) * size)
    own.fill(0)
    if (!held.logs[q]) {
      const scale = held.scale.subarray(p * S, (p + 1) * S)
      if (!backward(table, b, from, to, alpha, scale, 1, gamma, own, scratch)) {
        // α was scaled: once more, in logarithms
        held.logs[q] = 1
        for (let at = from * k; at < to * k; at++) b[at] = b[at] > 0 ? log(b[at]) : -Infinity
        held.sums[q] = forwardLogs(table, b, from, to, alpha, scratch)
      }
    }
    if (held.logs[q]) {
      if (held.sums[q] === -Infinity) throw impossible(steps, offsets[i])
      backwardLogs(table, b, from, to, alpha, held.sums[q], 1, gamma, own, scratch)
    }
    // H = ln p(x) − E[ ln p(x, z) ]
    let entropy = held.sums[q]
    for (let t = from; t < to; t++) {
      for (let l = 0; l < k; l++) {
        const share = gamma[t * k + l]
        if (share > 0) entropy -= share * (held.logs[q] ? b[t * k + l] : log(b[t * k + l]))
      }
    }
    for (let l = 0; l < k; l++) {
      if (gamma[from * k + l] > 0) entropy -= gamma[from * k + l] * table.logInitial[l]
      if (gamma[(to - 1) * k + l] > 0) entropy -= gamma[(to - 1) * k + l] * table.logEnds[l]
    }
    for (let j = 0; j < k * k; j++) if (own[j] > 0) entropy -= own[j] * table.logTransitions[j]
    return Math.max(entropy, 0)
  }

  function impossible(steps: Block, t: number): SufficeError {
    const { row } = placeIn(steps, t)
    return new SufficeError(
      "data",
      `row ${row}: no path through the states of ${show(column)} explains its steps. Transitions with probability 0, or tags that are seen, rule all of them out. Allow more transitions, take a prior above 0, or correct the row.`,
      { row, column },
    )
  }

  return { k, width, stepsOf, tagsOf, scratch, own, tablesOf, bodyScores, climb, descendInto, impossible }
}
