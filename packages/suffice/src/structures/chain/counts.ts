/**
 * What a downward pass counts:
 *
 *     firsts += w γ_1          moves(i, j) += w Σ_t ξ_t(i, j)          moves(i, end) += w γ_T          visits += w γ_t
 *
 * Paths that are seen are counted as they are.
 */
import { placeIn } from "../../blocks/encoded.ts"
import type { Block, Nested, Weights } from "../../contract/block.ts"
import type { Sink } from "../../contract/node.ts"
import { SufficeError, show } from "../../errors.ts"
import { isOnes, ones } from "../../kernels/all-ones.ts"
import { grow, growCodes, NOTHING } from "../../kernels/workspace.ts"
import type { Passes } from "./passes.ts"
import type { ChainLayout, ChainWork } from "./work.ts"

/** Totals are delivered as those of one row. */
const ONE_ROW: Block = { rows: 1, weight: /* @__PURE__ */ Float64Array.of(1), cells: [] }

export type Counts = ReturnType<typeof countsOf>

export function countsOf(
  { column, states, ends, slots, initial, transitions, visits, allowed }: ChainLayout,
  { k, width, stepsOf, tagsOf, descend, impossible, soft }: Passes,
) {
  // within one call
  const spread = grow()
  const slotsBelow = growCodes()
  const rowWeights = grow()
  const xi = new Float64Array(k * k)

  /** Totals of one downward pass. */
  const firsts = new Float64Array(k * slots)
  const moves = new Float64Array((ends ? k + 1 : k) * width)

  /** Counts a path that is known. */
  function countPath(
    steps: Block,
    tags: Int32Array | undefined,
    from: number,
    to: number,
    p: number,
    w: number,
    goesOn: boolean,
  ): void {
    for (let t = from; t < to; t++) {
      const l = tags ? tags[t] : 0
      if (t === from) {
        if (!allowed.initial[l] && !goesOn) throw forbidden(steps, t, -1, l)
        firsts[l * slots + p] += w
        continue
      }
      const before = tags ? tags[t - 1] : 0
      if (!allowed.transitions[before * k + l]) throw forbidden(steps, t, before, l)
      moves[l * width + before * slots + p] += w
    }
    if (ends) moves[k * width + (tags ? tags[to - 1] : 0) * slots + p] += w
  }

  function forbidden(steps: Block, t: number, from: number, to: number): SufficeError {
    const { row, step } = placeIn(steps, t)
    const what = from < 0 ? "comes first" : `follows ${show(states[from])}`
    const option = from < 0 ? "initial" : "transitions"
    return new SufficeError(
      "data",
      `row ${row}, step ${step}: ${show(states[to])} ${what} in ${show(column)}. The option ${option} of the chain forbids it: the row would have probability 0. Allow it there, or correct the row.`,
      { row, step, column, ...(from >= 0 && { from: states[from] }), to: states[to] },
    )
  }

  const isSeen = (tags: Int32Array | undefined, from: number, to: number): boolean => {
    if (k === 1) return true
    if (!tags) return false
    for (let t = from; t < to; t++) if (tags[t] < 0) return false
    return true
  }

  /** The weights of the states of every step, and the totals of the other parts. `goesOn`: the first step follows one of another segment. `waits`: steps that are hidden count nothing. */
  function below(
    block: Block,
    weights: Weights,
    work: ChainWork | undefined,
    goesOn = false,
    waits = false,
  ): { own: Weights; entropy: number | undefined } {
    const { rows } = block
    const nested = stepsOf(block)
    const { offsets, block: steps } = nested
    const S = steps.rows
    const tags = k === 1 ? undefined : tagsOf(steps)
    firsts.fill(0)
    moves.fill(0)
    if (weights.form === "one" && isSeen(tags, 0, S)) {
      const slot = slotsBelow(S)
      const same = isOnes(weights.weight)
      const weight = same ? ones(S) : spread(S)
      for (let i = 0; i < rows; i++) {
        const [from, to] = [offsets[i], offsets[i + 1]]
        const p = weights.slot[i]
        for (let t = from; t < to; t++) slot[t] = (tags ? tags[t] : 0) * slots + p
        if (!same) weight.fill(weights.weight[i], from, to)
        if (from < to && weights.weight[i] !== 0)
          countPath(steps, tags, from, to, p, weights.weight[i], goesOn)
      }
      return { own: { form: "one", slot, weight }, entropy: undefined }
    }
    const values = spread(width * S)
    const hidden = rowWeights(rows)
    let guessed = false
    let entropy = 0
    for (let p = 0; p < slots; p++) {
      const weightOf = (i: number): number => {
        if (weights.form === "each") return weights.values[p * rows + i]
        return weights.slot[i] === p ? weights.weight[i] : 0
      }
      let some = false
      for (let i = 0; i < rows; i++) {
        const w = weightOf(i)
        const [from, to] = [offsets[i], offsets[i + 1]]
        hidden[i] = w === 0 || waits || isSeen(tags, from, to) || soft.within(tags, from, to) ? 0 : w
        if (hidden[i] !== 0) some = true
      }
      if (some) {
        guessed = true
        xi.fill(0)
        entropy += descend(work!, nested, p, hidden, values, xi)
        for (let i = 0; i < k; i++)
          for (let j = 0; j < k; j++) moves[j * width + i * slots + p] += xi[i * k + j]
      }
      for (let i = 0; i < rows; i++) {
        const [from, to] = [offsets[i], offsets[i + 1]]
        const w = weightOf(i)
        if (w === 0 || from === to) continue
        if (hidden[i] === 0 && !isSeen(tags, from, to)) {
          const more = countSoft(steps, tags!, from, to, p, w, values, work, waits)
          if (more !== undefined) guessed = true
          entropy += more ?? 0
        } else if (hidden[i] === 0) {
          countPath(steps, tags, from, to, p, w, goesOn)
          for (let t = from; t < to; t++) values[((tags ? tags[t] : 0) * slots + p) * S + t] = w
          continue
        }
        for (let l = 0; l < k; l++) {
          const at = (l * slots + p) * S
          firsts[l * slots + p] += values[at + from]
          if (ends) moves[k * width + l * slots + p] += values[at + to - 1]
        }
      }
    }
    return { own: { form: "each", values }, entropy: guessed ? entropy : undefined }
  }

  /** Counts what is known of a row with soft tags, and values ← the shares of its states. `waits`: what is hidden counts nothing. Returns the entropy of it otherwise, if there is something. */
  function countSoft(
    steps: Block,
    tags: Int32Array,
    from: number,
    to: number,
    p: number,
    w: number,
    values: Float64Array,
    work: ChainWork | undefined,
    waits: boolean,
  ): number | undefined {
    for (let t = from; t < to; t++) checkShares(steps, tags, t, from)
    const row = { scores: work?.held.scores ?? NOTHING, tags, table: work?.tables[p], p, from, to }
    xi.fill(0)
    const entropy = soft.descend(row, steps.rows, w, values, xi, waits)
    if (Number.isNaN(entropy)) throw impossible(steps, soft.unreached(row, steps.rows))
    for (let i = 0; i < k; i++) for (let j = 0; j < k; j++) moves[j * width + i * slots + p] += xi[i * k + j]
    return waits || soft.isGiven(tags, from, to) ? undefined : entropy
  }

  /** Beliefs may not hold what the structure forbids. */
  function checkShares(steps: Block, tags: Int32Array, t: number, from: number): void {
    if (tags[t] === -1) return
    for (let l = 0; l < k; l++) {
      if (soft.share(tags[t], l) === 0) continue
      if (t === from && !allowed.initial[l]) throw forbidden(steps, t, -1, l)
      if (t === from || tags[t - 1] === -1) continue
      for (let i = 0; i < k; i++)
        if (soft.share(tags[t - 1], i) > 0 && !allowed.transitions[i * k + l]) throw forbidden(steps, t, i, l)
    }
  }

  /** Everything but the body's own statistics. */
  function count(steps: Block, own: Weights, sink: Sink, entropy: number | undefined): void {
    countMoves(sink, entropy)
    sink.choice(visits, steps, own, entropy !== undefined, 0)
  }

  function countMoves(sink: Sink, entropy: number | undefined): void {
    const guessed = entropy !== undefined
    sink.choice(initial, ONE_ROW, { form: "each", values: firsts }, guessed, entropy ?? 0)
    sink.choice(transitions, ONE_ROW, { form: "each", values: moves }, guessed, 0)
  }

  /** π, a and e are counted from guessed states, as if each followed the one before with its own weight. */
  function countGuesses({ offsets, block: { rows: S } }: Nested, values: Float64Array): void {
    firsts.fill(0)
    moves.fill(0)
    const at = (l: number, p: number, t: number): number => values[(l * slots + p) * S + t]
    for (let i = 0; i + 1 < offsets.length; i++) {
      const [from, to] = [offsets[i], offsets[i + 1]]
      for (let p = 0; p < slots; p++) {
        for (let t = from; t < to; t++) {
          let before = 0
          for (let l = 0; t > from && l < k; l++) before += at(l, p, t - 1)
          for (let l = 0; l < k; l++) {
            const w = at(l, p, t)
            if (w === 0) continue
            if (t === from) firsts[l * slots + p] += w
            for (let j = 0; before > 0 && j < k; j++)
              moves[l * width + j * slots + p] += (w * at(j, p, t - 1)) / before
            if (ends && t === to - 1) moves[k * width + l * slots + p] += w
          }
        }
      }
    }
  }

  return { firsts, moves, isSeen, below, count, countMoves, countGuesses }
}
