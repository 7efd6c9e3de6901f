/**
 * A chain in the tree: the state of a step depends on that of the step before.
 *
 *     p(x, z | p) = π_{z_1} b_{z_1}(x_1) · Π_{t>1} a_{z_{t−1} z_t} b_{z_t}(x_t) · [ e_{z_T} if it ends ]          b_l(x_t): the body in context l·P + p
 *
 *     up      forward over the steps of each row, in each context
 *     down    backward: γ goes to the body as the weights of its steps; γ_1, ξ and γ_T are counted
 *     s = ( 1[z_1 = l],  Σ_t 1[z_{t−1} = i, z_t = j],  1[z_T = l] if it ends,  Σ_t 1[z_t = l] )
 *
 * The last are the masses of what stands below. There are k states, P = `slots` contexts, and S steps in the nested block.
 *
 * Long because the passes up and down share what they compute.
 */
import { placeIn, rowsOf } from "../../blocks/encoded.ts"
import type { Block, Encoded, Nested, Weights } from "../../contract/block.ts"
import type { Level } from "../../contract/cells.ts"
import type { Work } from "../../contract/leaf.ts"
import type { Node, Rival, Sink, SwitchNode } from "../../contract/node.ts"
import type { Part } from "../../contract/part.ts"
import type { Description } from "../../contract/report.ts"
import { manyInRow, SufficeError, show } from "../../errors.ts"
import { isOnes, ones } from "../../kernels/all-ones.ts"
import {
  backward,
  backwardLogs,
  bestPath,
  ChainTables,
  forward,
  forwardLogs,
  IMPOSSIBLE,
} from "../../kernels/chain.ts"
import { exp } from "../../kernels/exp.ts"
import { log } from "../../kernels/log.ts"
import { logSumExp } from "../../kernels/log-sum-exp.ts"
import { grow, growCodes, NOTHING } from "../../kernels/workspace.ts"
import type { Allowed } from "./allowed.ts"
import { adoptChain, describeChain } from "./describe.ts"

export interface ChainLayout {
  /** The column of the steps, and its place in a block. */
  readonly name: string
  readonly place: number
  /** The column of the state, and its place in the nested block; −1: it is never seen. */
  readonly column: string
  readonly label: number
  readonly states: readonly Level[]
  readonly ends: boolean
  readonly slots: number
  /** π: entry l·P + p. */
  readonly initial: Part
  /** a and e: entry j of slot i·P + p, the end being entry k. */
  readonly transitions: Part
  /** How often each state is visited: entry l·P + p. */
  readonly visits: Part
  /** With k·P contexts. */
  readonly body: Node
  readonly allowed: Allowed
  /** States are passed through in order: first guesses cut each sequence into equal parts. */
  readonly isOrdered: boolean
}

/** The arrays of one upward pass; sequence q = p·rows + i. */
interface Held {
  /** ln b, as the body adds it: (l·P + p)·S + t. */
  readonly scores: Float64Array
  /** b, scaled to a maximum of 1 (or ln b, for sequences in logarithms), and α (or ln α), at (p·S + t)·k + l. */
  readonly b: Float64Array
  readonly alpha: Float64Array
  /** c, at p·S + t. */
  readonly scale: Float64Array
  /** ln p(steps) of each sequence without what b was scaled by. */
  readonly sums: Float64Array
  /** 1 for sequences in logarithms. */
  readonly logs: Int32Array
}

/** What `up` leaves for `down`. */
class ChainWork {
  readonly #scores = grow()
  readonly #b = grow()
  readonly #alpha = grow()
  readonly #scale = grow()
  readonly #sums = grow()
  readonly #logs = growCodes()
  readonly tables: ChainTables[] = []
  /** Of a long sequence: ln α before each segment but the first, at (s·P + p)·k + l. */
  borders: Float64Array | undefined
  held: Held = {
    scores: NOTHING,
    b: NOTHING,
    alpha: NOTHING,
    scale: NOTHING,
    sums: NOTHING,
    logs: new Int32Array(0),
  }
  body: Work

  reserve(k: number, slots: number, steps: number, rows: number): Held {
    this.held = {
      scores: this.#scores(k * slots * steps),
      b: this.#b(k * slots * steps),
      alpha: this.#alpha(k * slots * steps),
      scale: this.#scale(slots * steps),
      sums: this.#sums(slots * rows),
      logs: this.#logs(slots * rows),
    }
    return this.held
  }
}

/** Longer sequences are cut: the arrays of a segment stay in the cache. */
const SEGMENT = 8192
/** Totals are delivered as those of one row. */
const ONE_ROW: Block = { rows: 1, weight: /* @__PURE__ */ Float64Array.of(1), cells: [] }

export function layChain(layout: ChainLayout): Node {
  const { name, place, column, label, states, ends, slots, initial, transitions, visits, body, allowed } =
    layout
  const k = states.length
  const width = k * slots
  const isHidden = label < 0
  const stepsOf = (block: Block): Nested => block.cells[place] as Nested
  const tagsOf = (steps: Block): Int32Array | undefined =>
    isHidden ? undefined : (steps.cells[label] as Int32Array)

  // within one call
  const spread = grow()
  const slotsBelow = growCodes()
  const gammas = grow()
  const scratch = new Float64Array(2 * k + Math.max(k * k, k))
  const own = new Float64Array(k * k)
  const pointers = growCodes()
  const scratchWork = new ChainWork()

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

  const topsOf = grow()

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

  /** Totals of one downward pass. */
  const firsts = new Float64Array(k * slots)
  const moves = new Float64Array((ends ? k + 1 : k) * width)

  /** The first step of a segment follows the one before it. */
  let goesOn = false

  /** Counts a path that is known. */
  function countPath(
    steps: Block,
    tags: Int32Array | undefined,
    from: number,
    to: number,
    p: number,
    w: number,
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

  /** The weights of the states of every step, and the totals of the other parts. */
  function below(
    block: Block,
    weights: Weights,
    work: ChainWork | undefined,
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
        if (from < to && weights.weight[i] !== 0) countPath(steps, tags, from, to, p, weights.weight[i])
      }
      return { own: { form: "one", slot, weight }, entropy: undefined }
    }
    const values = spread(width * S)
    const gamma = gammas(S * k)
    let guessed = false
    let entropy = 0
    for (let p = 0; p < slots; p++) {
      for (let i = 0; i < rows; i++) {
        const isOne = weights.form === "one"
        if (isOne && weights.slot[i] !== p) continue
        const w = isOne ? weights.weight[i] : weights.values[p * rows + i]
        const [from, to] = [offsets[i], offsets[i + 1]]
        if (w === 0 || from === to) continue
        if (isSeen(tags, from, to)) {
          countPath(steps, tags, from, to, p, w)
          for (let t = from; t < to; t++) values[((tags ? tags[t] : 0) * slots + p) * S + t] = w
          continue
        }
        guessed = true
        const hidden = descendInto(work!, nested, rows, i, p, gamma)
        if (w > 0) entropy += w * hidden
        for (let t = from; t < to; t++)
          for (let l = 0; l < k; l++) values[(l * slots + p) * S + t] = w * gamma[t * k + l]
        for (let l = 0; l < k; l++) {
          firsts[l * slots + p] += w * gamma[from * k + l]
          if (ends) moves[k * width + l * slots + p] += w * gamma[(to - 1) * k + l]
          for (let j = 0; j < k; j++) moves[j * width + l * slots + p] += w * own[l * k + j]
        }
      }
    }
    return { own: { form: "each", values }, entropy: guessed ? entropy : undefined }
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

  /** Every step gets the weights of its row. */
  function weightsOfRows(
    { rows }: Block,
    { offsets, block: { rows: S } }: Nested,
    weights: Weights,
  ): Weights {
    const values = new Float64Array(slots * S)
    for (let p = 0; p < slots; p++) {
      for (let i = 0; i < rows; i++) {
        const isOne = weights.form === "one"
        const w = !isOne ? weights.values[p * rows + i] : weights.slot[i] === p ? weights.weight[i] : 0
        values.fill(w, p * S + offsets[i], p * S + offsets[i + 1])
      }
    }
    return { form: "each", values }
  }

  /** Equal parts of each sequence, one for each state. */
  function inOrder({ offsets, block: { rows: S } }: Nested, weights: Float64Array): Float64Array {
    const values = new Float64Array(width * S)
    for (let i = 0; i + 1 < offsets.length; i++) {
      const length = offsets[i + 1] - offsets[i]
      for (let t = 0; t < length; t++) {
        const l = Math.min(Math.trunc((t * k) / length), k - 1)
        for (let p = 0; p < slots; p++) {
          const at = offsets[i] + t
          values[(l * slots + p) * S + at] = weights[p * S + at]
        }
      }
    }
    return values
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

  // words that move one by one take the weights of all steps at once
  const canCut = [...body.parts()].every(({ leaf }) => !leaf.sparse)

  /** A sequence that is cut into segments: memory then grows with their number, not with the steps. */
  function isLong(block: Block): boolean {
    return canCut && block.rows === 1 && stepsOf(block).block.rows > SEGMENT
  }

  /** Segment n of the only row, as a row of its own. */
  function segmentOf(block: Block, n: number): Block {
    const { block: steps } = stepsOf(block)
    const from = n * SEGMENT
    const to = Math.min(from + SEGMENT, steps.rows)
    const offsets = Int32Array.of(0, to - from)
    const { offsets: _, ...own } = rowsOf({ ...steps, offsets: undefined }, from, to)
    const cells: Encoded[] = []
    cells[place] = { offsets, block: own }
    return { rows: 1, weight: block.weight, cells }
  }

  /**
   * The chain of one segment: it begins with what came before, π_j = Σ_i α(i) a_ij, and ends with what comes after, e_i = Σ_j a_ij w(j). `before`: ln α of the step before;
   * `after`: ln w of the step after; absent: there is none.
   */
  function between(
    whole: ChainTables,
    before: Float64Array | undefined,
    after: Float64Array | undefined,
    isLast: boolean,
  ): ChainTables {
    const own = new ChainTables(k)
    own.logTransitions.set(whole.logTransitions)
    own.logInitial.set(before ? onwards(whole, before) : whole.logInitial)
    if (isLast) own.logEnds.set(whole.logEnds)
    for (let i = 0; after && i < k; i++) {
      for (let j = 0; j < k; j++) scratch[j] = whole.logTransitions[i * k + j] + after[j]
      own.logEnds[i] = logSumExp(scratch, 0, k, 1)
    }
    own.ready()
    return own
  }

  /** ln Σ_i α(i) a_ij */
  function onwards({ logTransitions }: ChainTables, before: Float64Array): Float64Array {
    return Float64Array.from({ length: k }, (_, j) => {
      for (let i = 0; i < k; i++) scratch[i] = before[i] + logTransitions[i * k + j]
      return logSumExp(scratch, 0, k, 1)
    })
  }

  function climbLong(block: Block, params: Float64Array, out: Float64Array, work: ChainWork): void {
    const count = Math.ceil(stepsOf(block).block.rows / SEGMENT)
    const tables = tablesOf(params, work).slice()
    const borders = new Float64Array(count * width)
    for (let n = 0; n < count; n++) {
      const own = tables.map((table, p) =>
        between(
          table,
          n > 0 ? borders.subarray((n * slots + p) * k, (n * slots + p + 1) * k) : undefined,
          undefined,
          n === count - 1,
        ),
      )
      const segment = segmentOf(block, n)
      climb(segment, params, out, work, own)
      if (n + 1 === count) continue
      const S = stepsOf(segment).block.rows
      const { alpha, logs } = work.held
      for (let p = 0; p < slots; p++) {
        const last = alpha.subarray((p * S + S - 1) * k, (p * S + S) * k)
        const total = logs[p] ? logSumExp(last, 0, k, 1) : 0
        for (let l = 0; l < k; l++)
          borders[((n + 1) * slots + p) * k + l] = logs[p] ? last[l] - total : log(last[l])
      }
    }
    work.borders = borders
  }

  /**
   * What begins a segment (`firsts`) becomes transitions from the step before it, whose ln α is `before`; after ← ln w, for the segment before. Returns how much the two steps say of
   * each other, Σ ξ ln ξ/(γ γ): the entropies of both segments have it twice. NaN: the two cannot follow each other.
   */
  function joinBefore(
    table: ChainTables,
    before: Float64Array,
    p: number,
    w: number,
    after: Float64Array,
  ): number {
    const predicted = onwards(table, before)
    const left = new Float64Array(k)
    own.fill(0)
    for (let j = 0; j < k; j++) {
      const share = firsts[j * slots + p] / w
      after[j] = share > 0 ? log(share) - predicted[j] : -Infinity
      if (after[j] === Infinity) return Number.NaN
      for (let i = 0; i < k && share > 0; i++) {
        own[i * k + j] = share * exp(before[i] + table.logTransitions[i * k + j] - predicted[j])
        moves[j * width + i * slots + p] += w * own[i * k + j]
        left[i] += own[i * k + j]
      }
    }
    let shared = 0
    for (let j = 0; j < k; j++) {
      const share = firsts[j * slots + p] / w
      for (let i = 0; i < k; i++) {
        const xi = own[i * k + j]
        if (xi > 0) shared += xi * log(xi / (left[i] * share))
      }
      firsts[j * slots + p] = 0
    }
    return shared
  }

  /** From the last segment to the first: up and forward again, then backward with what comes after. */
  function downLong(block: Block, params: Float64Array, weights: Weights, sink: Sink, work: ChainWork): void {
    const borders = work.borders!
    const count = borders.length / width
    const tables = tablesOf(params, work).slice()
    const border = (n: number, p: number): Float64Array =>
      borders.subarray((n * slots + p) * k, (n * slots + p + 1) * k)
    const after = tables.map(() => new Float64Array(k))
    const [allFirsts, allMoves] = [new Float64Array(firsts.length), new Float64Array(moves.length)]
    const none = new Float64Array(slots)
    let entropy: number | undefined
    for (let n = count - 1; n >= 0; n--) {
      const segment = segmentOf(block, n)
      const { block: steps } = stepsOf(segment)
      const own = tables.map((table, p) =>
        between(
          table,
          n > 0 ? border(n, p) : undefined,
          n < count - 1 ? after[p] : undefined,
          n === count - 1,
        ),
      )
      climb(segment, params, none.fill(0), work, own)
      goesOn = n > 0
      const { own: given, entropy: more } = below(segment, weights, work)
      goesOn = false
      if (more !== undefined) entropy = (entropy ?? 0) + more
      // what begins a segment goes on from the one before, and what ends it goes on to the next
      for (let p = 0; p < slots; p++) {
        const w = weights.form === "one" ? (weights.slot[0] === p ? weights.weight[0] : 0) : weights.values[p]
        if (n < count - 1 && ends) for (let l = 0; l < k; l++) moves[k * width + l * slots + p] = 0
        if (n === 0 || w === 0) continue
        const shared = joinBefore(tables[p], border(n, p), p, w, after[p])
        if (Number.isNaN(shared)) throw impossible(steps, 0)
        if (w > 0) entropy = (entropy ?? 0) - w * shared
      }
      for (let j = 0; j < firsts.length; j++) allFirsts[j] += firsts[j]
      for (let j = 0; j < moves.length; j++) allMoves[j] += moves[j]
      sink.choice(visits, steps, given, entropy !== undefined, 0)
      body.down(steps, params, given, sink, work.body)
    }
    firsts.set(allFirsts)
    moves.set(allMoves)
    countMoves(sink, entropy)
  }

  const node: Node = {
    slots,
    columns: new Set([name, column, ...body.columns]),

    up(block, params, out, _upToConstant, spent) {
      const work = (spent as ChainWork | undefined) ?? new ChainWork()
      if (isLong(block)) climbLong(block, params, out, work)
      else climb(block, params, out, work)
      return work
    },

    down(block, params, weights, sink, work) {
      const { block: steps } = stepsOf(block)
      const passed = work as ChainWork | undefined
      if (passed?.borders && isLong(block) && !isSeen(tagsOf(steps), 0, steps.rows)) {
        downLong(block, params, weights, sink, passed)
        return
      }
      const { own, entropy } = below(block, weights, passed)
      count(steps, own, sink, entropy)
      body.down(steps, params, own, sink, passed?.body)
    },

    start(block, params, weights, dice, sink) {
      const nested = stepsOf(block)
      const { block: steps } = nested
      const ofRows = weightsOfRows(block, nested, weights)
      const values =
        isHidden && layout.isOrdered
          ? inOrder(nested, (ofRows as Extract<Weights, { form: "each" }>).values)
          : sink.guess({ node: step, block: steps, weights: ofRows, label: tagsOf(steps), dice })
      countGuesses(nested, values)
      const own: Weights = { form: "each", values }
      count(steps, own, sink, isHidden ? 0 : undefined)
      body.start(steps, params, own, dice.fork(1000), sink)
    },

    open(_block, _params, asked) {
      throw manyInRow(asked, name)
    },

    rival: (block, params, asked, margin) => (asked === column ? rivals(block, params, margin) : undefined),

    parts: () => [initial, transitions, visits, ...body.parts()],
    switches: () => [step, ...body.switches()],

    // a row's worth is one visit to each state: how many there are, nothing here knows
    moments(params, mass, stats) {
      const each = new Float64Array(width)
      for (let l = 0; l < k; l++) each.set(mass, l * slots)
      initial.moments(params, mass, stats)
      transitions.moments(params, each, stats)
      const counts = visits.statsOf(stats)
      for (let s = 0; s < width; s++) counts[s] += each[s]
      body.moments(params, each, stats)
    },

    descend(stats, mass, visit) {
      visit(initial, mass)
      visit(transitions, undefined)
      visit(visits, undefined)
      body.descend(stats, visits.statsOf(stats).slice(), visit)
    },

    contexts(names) {
      const under = states.flatMap(state => names.map(above => `${above}/${column}=${String(state)}`))
      return [[initial, names], [transitions, under], [visits, names], ...body.contexts(under)]
    },

    describe: (params, slot) => ({
      [name]: {
        ...describeChain(layout, params, slot),
        given: Object.fromEntries(
          states.map((state, l) => [String(state), body.describe(params, l * slots + slot)]),
        ),
      },
    }),

    adopt(description, slot, mass, stats) {
      const mine = description?.[name] as Description
      adoptChain(layout, mine, slot, mass, stats)
      const given = mine?.given as Readonly<Record<string, Description>> | undefined
      states.forEach((state, l) => {
        body.adopt(given?.[String(state)] as Description, l * slots + slot, mass, stats)
      })
    },

    sample(block, params, slot, dice, chosen) {
      const { block: steps } = stepsOf(block)
      const S = steps.rows
      if (S === 0) return
      climb(block, params, new Float64Array(slots), scratchWork)
      const { alpha, logs } = scratchWork.held
      const table = scratchWork.tables[slot]
      const tags = tagsOf(steps)
      const chances = new Float64Array(k)
      let next = -1
      const path = new Int32Array(S)
      // z_T by α_T e, then backwards by α_t(i) a_ij
      for (let t = S - 1; t >= 0; t--) {
        for (let l = 0; l < k; l++) {
          const reached = alpha[(slot * S + t) * k + l]
          const onwards = next < 0 ? table.logEnds[l] : table.logTransitions[l * k + next]
          chances[l] = (logs[slot] ? reached : log(reached)) + onwards
        }
        const total = logSumExp(chances, 0, k, 1)
        if (total === -Infinity) throw impossible(steps, 0)
        for (let l = 0; l < k; l++) chances[l] = exp(chances[l] - total)
        next = dice.categorical(chances, 0, k)
        path[t] = next
      }
      for (let t = 0; t < S; t++) {
        if (tags) tags[t] = path[t]
        else chosen?.(column, states[path[t]])
        body.sample(rowsOf(steps, t, t + 1), params, path[t] * slots + slot, dice, chosen)
      }
    },
  }

  /** The state of a step as a switch of its own, without the steps around it. */
  const step: SwitchNode = {
    ...node,
    part: visits,
    column,
    hidden: isHidden,
    levels: states,
    walk: { paths, filtered, advance, ahead },

    up(steps, params, out) {
      const S = steps.rows
      const scores = new Float64Array(width * S)
      const work = body.up(steps, params, scores)
      for (let q = 0; q < slots * S; q++) out[q] += logSumExp(scores, q, k, slots * S) - log(k)
      return work
    },

    pass() {
      throw manyInRow(column, name)
    },

    // a starved state begins at one step, and can be reached from all others
    seed(steps, params, slot, level, weight, dice, sink) {
      const own: Weights = {
        form: "one",
        slot: Int32Array.of(level * slots + slot),
        weight: Float64Array.of(weight),
      }
      firsts.fill(0)
      moves.fill(0)
      firsts[level * slots + slot] = weight / k
      for (let l = 0; l < k; l++) {
        moves[level * width + l * slots + slot] += weight / k
        moves[l * width + level * slots + slot] += weight / k
      }
      count(steps, own, sink, 0)
      body.start(steps, params, own, dice, sink)
    },
  }

  /** ln b of one context, step by step, at t·k + l. */
  function stepScores(work: ChainWork, p: number, S: number): Float64Array {
    const { scores, b } = work.held
    for (let t = 0; t < S; t++) for (let l = 0; l < k; l++) b[t * k + l] = scores[(l * slots + p) * S + t]
    return b
  }

  /** The best path of each row in its context, consistent with the tags that are seen. */
  function paths(
    block: Block,
    params: Float64Array,
    contexts: Int32Array,
  ): { codes: Int32Array; heights: Float64Array } {
    const { rows } = block
    const { offsets, block: steps } = stepsOf(block)
    const S = steps.rows
    const work = scratchWork
    work.reserve(k, slots, S, rows)
    const tables = tablesOf(params, work)
    bodyScores(steps, params, work)
    const codes = new Int32Array(S)
    const heights = new Float64Array(rows)
    for (let p = 0; p < slots; p++) {
      if (!contexts.includes(p)) continue
      const scores = stepScores(work, p, S)
      for (let i = 0; i < rows; i++) {
        if (contexts[i] !== p || offsets[i] === offsets[i + 1]) continue
        heights[i] = bestPath(tables[p], scores, offsets[i], offsets[i + 1], codes, pointers(S * k), scratch)
      }
    }
    return { codes, heights }
  }

  /** α: what each step and those before it say of its state. */
  function filtered(block: Block, params: Float64Array, out: Float64Array): void {
    const { rows } = block
    const { offsets } = stepsOf(block)
    climb(block, params, new Float64Array(slots * rows), scratchWork)
    const { alpha, logs } = scratchWork.held
    for (let i = 0; i < rows; i++) {
      for (let t = offsets[i]; t < offsets[i + 1]; t++) {
        const own = alpha.subarray(t * k, (t + 1) * k)
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

  const nextOf = new Float64Array(k)

  function advance(steps: Block, params: Float64Array, alpha: Float64Array, isFirst: boolean): number {
    const { scores } = scratchWork.reserve(k, slots, 1, 1)
    bodyScores(steps, params, scratchWork)
    predictNext(tableOf(params), alpha, isFirst, nextOf)
    let top = -Infinity
    for (let l = 0; l < k; l++) {
      // in logarithms: one step costs nothing
      nextOf[l] = log(nextOf[l]) + scores[l * slots]
      if (nextOf[l] > top) top = nextOf[l]
    }
    if (top === -Infinity) return top
    let sum = 0
    for (let l = 0; l < k; l++) {
      alpha[l] = exp(nextOf[l] - top)
      sum += alpha[l]
    }
    for (let l = 0; l < k; l++) alpha[l] /= sum
    return top + log(sum)
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

  /** The best wrong path of each row: argmax_z [ ln p(x, z) + margin · #{ t : z_t ≠ y_t, y_t seen } ]. y is completed by its best path. */
  function rivals(block: Block, params: Float64Array, margin: number): Rival | undefined {
    if (slots > 1 || isHidden) return undefined
    const { rows } = block
    const { offsets, block: steps } = stepsOf(block)
    const S = steps.rows
    const tags = tagsOf(steps)!
    const shortfall = new Float64Array(rows)
    const cells = new Int32Array(S)
    const right = new Int32Array(S)
    const work = scratchWork
    const { scores } = work.reserve(k, slots, S, rows)
    const [table] = tablesOf(params, work)
    work.body = body.up(steps, params, scores, false, work.body)
    const b = stepScores(work, 0, S)
    for (let i = 0; i < rows; i++) {
      const [from, to] = [offsets[i], offsets[i + 1]]
      let seen = 0
      for (let t = from; t < to; t++) if (tags[t] >= 0) seen++
      if (seen === 0) {
        cells.fill(-1, from, to)
        right.fill(-1, from, to)
        continue
      }
      // with a bonus for each seen tag that it misses
      for (let t = from; t < to; t++)
        for (let l = 0; l < k; l++) if (tags[t] >= 0 && l !== tags[t]) b[t * k + l] += margin
      const wrong = bestPath(table, b, from, to, cells, pointers(S * k), scratch)
      for (let t = from; t < to; t++)
        for (let l = 0; l < k; l++) if (tags[t] >= 0 && l !== tags[t]) b[t * k + l] = -Infinity
      const best = bestPath(table, b, from, to, right, pointers(S * k), scratch)
      if (best === -Infinity) throw impossible(steps, from)
      shortfall[i] = wrong - best
    }
    return { cells, right, shortfall }
  }

  return node
}
