/**
 * Counts of words that move word by word: a step touches only the words of its mini-batch, and recomputes only their θ = ln W.
 *
 *     W_wp ← max( W_wp + ρ Σ_i g_ip x_iw, least )        S_p = Σ_w W_wp,  A_p = ln S_p
 *
 * g: the signed weights of the rows, x: the scaled counts of their words. The prior's pull towards equal words, due·(α − α·V·W_wp/S_p), accumulates
 * over steps and is applied to all words by `settle`.
 */
import type { Bags, Weights } from "../contract/block.ts"
import type { SparseMoving, SparseStart } from "../contract/sparse.ts"
import { log } from "../kernels/log.ts"
import { memoryOf, type Weigh, type WordMoments } from "../kernels/word-memory.ts"
import { type LazyMeans, lazyMeans } from "./lazy-means.ts"
import { takingWeights } from "./taking-weights.ts"

/** `least` is this fraction of what an unseen word starts with, or of one count if it starts with nothing. */
const LEAST = 0.01

/** Statistics W_w at w·slots + p, parameters ln W_w in the same places, then ln ΣW per slot. `weigh`: the scaled counts of bags. */
export function movingWords(
  slots: number,
  place: number,
  weigh: Weigh<Bags>,
  { moments: counts, params, prior, strength, begun, inertia, averaged }: SparseStart,
): SparseMoving {
  const size = counts.length - slots
  const alpha = (strength * prior[0]) / begun
  const least = (LEAST * (strength * prior[0] + inertia || 1)) / begun
  const memory = memoryOf(params)
  const totals = memory.numbers(slots)
  const moments: WordMoments = { counts, params, totals, least }
  const taken = takingWeights()
  const means = averaged ? lazyMeans(counts, size / slots, slots) : undefined
  /** Σρ of the pull since the last `settle`. */
  let due = 0
  const none = new Float64Array(slots)
  memory.settleWords(moments, none, none)

  return {
    take: taken.take,

    step({ cells, rows }, { each, due: more }) {
      const bags = cells[place] as Bags
      const all = taken.weights()
      addUp(all, rows)
      if (means?.some) touchMoved(means, bags, rows, all)
      for (const weights of all) {
        if (weights.form === "one")
          memory.moveOne(bags, weigh, rows, weights.slot, weights.weight, each, moments)
        else memory.moveEach(bags, weigh, rows, weights.values, each, moments)
      }
      due += more
      for (let p = 0; p < slots; p++) params[size + p] = log(totals[p])
      return 0
    },

    settle() {
      means?.touchAll()
      const words = size / slots
      // a large step must not overshoot equality with the other words
      const share = totals.map(total => Math.min((due * alpha * words) / total, 1))
      const mean = totals.map(total => total / words)
      due = 0
      memory.settleWords(moments, share, mean)
    },

    ...(means && { average: means.begin }),
  }
}

/** A step of a chain may have the same tag on both sides of a contrast: what they say of its words cancels, so that it moves none. */
function addUp(all: readonly Weights[], rows: number): void {
  const [one, other] = all
  if (all.length !== 2 || one.form !== "one" || other.form !== "one") return
  for (let i = 0; i < rows; i++) {
    if (one.slot[i] !== other.slot[i]) continue
    one.weight[i] += other.weight[i]
    other.weight[i] = 0
  }
}

/** Touches the words of the rows that move, where they stand: those of a mini-batch need not be gathered. */
function touchMoved(means: LazyMeans, bags: Bags, rows: number, all: readonly Weights[]): void {
  const { picked } = bags
  for (let i = 0; i < rows; i++) {
    if (!isMoved(all, i)) continue
    const { words, offsets } = picked ? picked.from[i] : bags
    const row = picked ? picked.rows[i] : i
    means.touch(words, offsets[row], offsets[row + 1])
  }
}

function isMoved(all: readonly Weights[], i: number): boolean {
  for (const weights of all) if (weights.form === "each" || weights.weight[i] !== 0) return true
  return false
}
