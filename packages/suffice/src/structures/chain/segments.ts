/**
 * Long sequences, cut into segments: memory then grows with their number, not with the steps. Each segment is a chain of its own, which begins with what came before and
 * ends with what comes after. Upwards ln α is kept at the borders; downwards, from the last segment to the first, those that were not kept are computed again.
 */
import { rowsOf } from "../../blocks/encoded.ts"
import type { Block, Encoded, Nested, Weights } from "../../contract/block.ts"
import type { Sink } from "../../contract/node.ts"
import { LEAST } from "../../kernels/chain.ts"
import { ChainTables } from "../../kernels/chain-tables.ts"
import { exp } from "../../kernels/exp.ts"
import { log } from "../../kernels/log.ts"
import { logSumExp } from "../../kernels/log-sum-exp.ts"
import type { Counts } from "./counts.ts"
import type { Passes } from "./passes.ts"
import { type ChainLayout, ChainWork } from "./work.ts"

/** Longer sequences are cut: the arrays of a segment stay in the cache. */
export const SEGMENT = 1920
/** All segments are kept from the upward to the downward pass if they are no more than this many numbers; of a longer sequence, where most are computed again anyway, the last ones. */
const WHOLE = 5_000_000
const KEPT = 2_000_000

/** The steps of the only row, from one on, as many as a segment has, as a row of its own. */
export function segmentOf(block: Block, place: number, from: number): Block {
  const { block: steps } = block.cells[place] as Nested
  const to = Math.min(from + SEGMENT, steps.rows)
  const offsets = Int32Array.of(0, to - from)
  const own = rowsOf({ ...steps, offsets: undefined }, from, to)
  const cells: Encoded[] = []
  // for messages its row begins where it does
  const { first, numbers } = steps
  cells[place] = { offsets, block: { ...own, first, numbers, offsets: Int32Array.of(-from, to - from) } }
  return { rows: 1, weight: block.weight, cells }
}

export type Segments = ReturnType<typeof segmentsOf>

export function segmentsOf(
  { place, ends, slots, visits, body }: ChainLayout,
  { k, K, width, stepsOf, scratch, tablesOf, climb, unreached, impossible, soft }: Passes,
  { firsts, moves, below, countMoves }: Counts,
) {
  const own = new Float64Array(k * k)

  // words that move one by one take the weights of all steps at once
  const canCut = [...body.tree.parts()].every(({ leaf }) => !leaf.moving?.sparse)

  /** Is it one sequence that is cut? */
  function isLong(block: Block): boolean {
    if (!canCut || block.rows !== 1) return false
    const { block: steps } = stepsOf(block)
    return steps.rows > SEGMENT && !soft.inBlock(steps)
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

  /** How many of the first segments are not kept. */
  const dropped = (count: number): number => {
    const each = 3 * K * slots * SEGMENT
    return count * each <= WHOLE ? 0 : Math.max(count - Math.floor(KEPT / each), 0)
  }

  /** Scratch of the previous pass; weak, since the model outlives learning. */
  let spare: WeakRef<ChainWork[]> | undefined

  function climbLong(block: Block, params: Float64Array, out: Float64Array, work: ChainWork): void {
    const count = Math.ceil(stepsOf(block).block.rows / SEGMENT)
    const tables = tablesOf(params, work).slice()
    const borders = new Float64Array(count * width)
    work.segments = spare?.deref() ?? []
    spare = undefined
    for (let n = 0; n < count; n++) {
      const own = tables.map((table, p) =>
        between(
          table,
          n > 0 ? borders.subarray((n * slots + p) * k, (n * slots + p + 1) * k) : undefined,
          undefined,
          n === count - 1,
        ),
      )
      const segment = segmentOf(block, place, n * SEGMENT)
      const spot = n - dropped(count)
      if (spot >= 0) work.segments[spot] ??= new ChainWork()
      const kept = spot >= 0 ? work.segments[spot] : work
      climb(segment, params, out, kept, own)
      if (n + 1 === count) continue
      const S = stepsOf(segment).block.rows
      const { contexts, logs } = kept.held
      for (let p = 0; p < slots; p++) {
        const last = contexts[p].alpha.subarray((S - 1) * K, (S - 1) * K + k)
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
        // each by itself: the product of two small shares would vanish
        if (xi > 0) shared += xi * (log(xi) - log(left[i]) - log(share))
      }
      firsts[j * slots + p] = 0
    }
    return shared
  }

  /** A segment that was kept learns how it ends. Returns false if it has to be computed again. */
  function rejoin(kept: ChainWork, tables: readonly ChainTables[], S: number): boolean {
    const { contexts, logs, sums } = kept.held
    return tables.every((table, p) => {
      const { alpha, scale } = contexts[p]
      const at = (S - 1) * K
      if (logs[p]) {
        for (let l = 0; l < k; l++) scratch[l] = alpha[at + l] + table.logEnds[l]
        sums[p] = logSumExp(scratch, 0, k, 1)
      } else {
        // a state that has vanished may be all that later steps allow
        if (table.hasZeros && !kept.tables[p].hasZeros) return false
        let end = 0
        for (let l = 0; l < k; l++) end += alpha[at + l] * table.ends[l]
        if (!(end > LEAST)) return false
        scale[S - 1] *= end
        sums[p] += log(end)
      }
      kept.tables[p] = table
      return true
    })
  }

  /** A sequence that has come to no state at the border of a segment is told of by the step in which that happened. */
  function refuseImpossible(
    block: Block,
    params: Float64Array,
    weights: Weights,
    work: ChainWork,
    tables: readonly ChainTables[],
    border: (n: number, p: number) => Float64Array,
  ): void {
    const count = work.borders!.length / width
    for (let p = 0; p < slots; p++) {
      if (weights.form === "one" ? weights.slot[0] !== p || weights.weight[0] === 0 : weights.values[p] === 0)
        continue
      for (let n = 1; n < count; n++) {
        if (border(n, p).some(x => x > -Infinity)) continue
        const segment = segmentOf(block, place, (n - 1) * SEGMENT)
        const own = tables.map((table, q) =>
          between(table, n > 1 ? border(n - 1, q) : undefined, undefined, false),
        )
        const again = new ChainWork()
        climb(segment, params, new Float64Array(slots), again, own)
        const { block: steps } = stepsOf(segment)
        throw impossible(steps, unreached(again.held.contexts[p].alpha, 0, steps.rows))
      }
    }
  }

  /** From the last segment to the first: forward once more where it was not kept, then backward with what comes after. */
  function downLong(block: Block, params: Float64Array, weights: Weights, sink: Sink, work: ChainWork): void {
    const borders = work.borders!
    const count = borders.length / width
    const tables = tablesOf(params, work).slice()
    const border = (n: number, p: number): Float64Array =>
      borders.subarray((n * slots + p) * k, (n * slots + p + 1) * k)
    refuseImpossible(block, params, weights, work, tables, border)
    const after = tables.map(() => new Float64Array(k))
    const [allFirsts, allMoves] = [new Float64Array(firsts.length), new Float64Array(moves.length)]
    const none = new Float64Array(slots)
    const T = stepsOf(block).block.rows
    const all = sink.whole ? new Float64Array(width * T) : undefined
    let entropy: number | undefined
    for (let n = count - 1; n >= 0; n--) {
      const segment = segmentOf(block, place, n * SEGMENT)
      const { block: steps } = stepsOf(segment)
      const own = tables.map((table, p) =>
        between(
          table,
          n > 0 ? border(n, p) : undefined,
          n < count - 1 ? after[p] : undefined,
          n === count - 1,
        ),
      )
      const kept = work.segments[n - dropped(count)] ?? work
      const isReady = kept !== work && (n === count - 1 || rejoin(kept, own, steps.rows))
      if (!isReady) climb(segment, params, none.fill(0), kept, own)
      const { own: given, entropy: more } = below(segment, weights, kept, n > 0)
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
      if (all) putWhere(n * SEGMENT, given, steps.rows, all, T)
      else {
        sink.choice(visits, steps, given, entropy !== undefined, 0)
        body.down(steps, params, given, sink, kept.body)
      }
    }
    spare = new WeakRef(work.segments)
    work.segments = []
    firsts.set(allFirsts)
    moves.set(allMoves)
    countMoves(sink, entropy)
    if (!all) return
    const { block: steps } = stepsOf(block)
    const given = { form: "each", values: all } as const
    sink.choice(visits, steps, given, entropy !== undefined, 0)
    body.down(steps, params, given, sink, body.up(steps, params, new Float64Array(width * T)))
  }

  /** all ← the weights of a segment of S steps that begins at `from`, among those of all T. */
  function putWhere(from: number, weights: Weights, S: number, all: Float64Array, T: number): void {
    for (let s = 0; weights.form === "each" && s < width; s++)
      all.set(weights.values.subarray(s * S, (s + 1) * S), s * T + from)
    for (let t = 0; weights.form === "one" && t < S; t++)
      all[weights.slot[t] * T + from + t] = weights.weight[t]
  }

  return { isLong, climbLong, downLong }
}
