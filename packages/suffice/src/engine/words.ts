/**
 * Counts of words that move one by one: only the words of a mini-batch are touched, and only their θ = ln W is computed anew.
 *
 *     W_wp ← max( W_wp + ρ Σ_i g_ip x_iw, least )        S_p = Σ_w W_wp,  A_p = ln S_p
 *
 * g: the signed weights of the rows, x: what their words weigh. The prior's pull towards equal words, due·(α − α·V·W_wp/S_p), adds up
 * step by step and is given to all words when everything is settled.
 */
import type { Bags, Block, Chunk, Part, Weights } from "../contract.ts"
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"
import type { WordMemory, WordMoments } from "../kernels/word-memory.ts"
import { grow, growCodes } from "../kernels/workspace.ts"

export interface WordSteps {
  /** Weights that the next move will use; copied, since nodes use their arrays again. */
  take(weights: Weights): void
  /** `pull`: by how much the prior's share grows with this step. */
  move(block: Block, rho: number, pull: number): void
  /** What is due is given, and θ and sums are computed from the counts: the same state whatever the way to it. */
  settle(): void
}

/** `counts` and `params`: the leaf's own part of the whole arrays, which lie in the memory. `alpha`: the prior. `least`: no word falls below it. */
export function wordSteps(
  { slots, leaf }: Part,
  place: number,
  memory: WordMemory,
  counts: Float64Array,
  params: Float64Array,
  alpha: number,
  least: number,
): WordSteps {
  const size = counts.length - slots
  const totals = memory.numbers(slots)
  const moments: WordMoments = { counts, params, totals, least }
  const taken = taking()
  /** Σρ of the pull since everything was settled. */
  let due = 0
  const none = new Float64Array(slots)
  memory.settleWords(moments, none, none)

  return {
    take: taken.take,

    move({ cells, rows }, rho, pull) {
      const bags = cells[place] as Bags
      const weigh = leaf.wordwise!
      for (const weights of taken.weights()) {
        if (weights.form === "one")
          memory.moveOne(bags, weigh, rows, weights.slot, weights.weight, rho, moments)
        else memory.moveEach(bags, weigh, rows, weights.values, rho, moments)
      }
      due += pull
      for (let p = 0; p < slots; p++) params[size + p] = log(totals[p])
    },

    settle() {
      const words = size / slots
      // A large step must not carry a word beyond equality with the others.
      const share = totals.map(total => Math.min((due * alpha * words) / total, 1))
      const mean = totals.map(total => total / words)
      due = 0
      memory.settleWords(moments, share, mean)
    },
  }
}

/** e^H of these masses: so many equal ones are as uncertain. */
export function openness(mass: Float64Array): number {
  const total = mass.reduce((sum, m) => sum + m, 0)
  let entropy = 0
  for (const m of mass) if (m > 0) entropy -= (m / total) * log(m / total)
  return exp(entropy)
}

/** Weights of the step to come; copied, since nodes use their arrays again. */
export function taking(): { take(weights: Weights): void; weights(): readonly Weights[] } {
  let taken: Weights[] = []
  const copies: { slot: ReturnType<typeof growCodes>; weight: ReturnType<typeof grow> }[] = []
  return {
    take(weights) {
      const at = taken.length
      copies[at] ??= { slot: growCodes(), weight: grow() }
      const { slot, weight } = copies[at]
      taken.push(
        weights.form === "one"
          ? { form: "one", slot: copied(weights.slot, slot), weight: copied(weights.weight, weight) }
          : { form: "each", values: copied(weights.values, weight) },
      )
    },
    weights() {
      const all = taken
      taken = []
      return all
    },
  }
}

function copied<Values extends Int32Array | Float64Array>(
  from: Values,
  room: (length: number) => Values,
): Values {
  const own = room(from.length)
  own.set(from)
  return own
}

/** Bags of steps do not move word by word: a step would have to keep the blocks that they stand in. */
export function isWordwise({ leaf, steps }: Part): boolean {
  return leaf.wordwise !== undefined && steps.length === 0
}

/** Words of the bags in this place. */
export function wordsIn(chunks: readonly Chunk[], place: number): number {
  let words = 0
  for (const { cells, rows } of chunks.flat()) {
    words += (cells[place] as Bags).offsets[rows]
  }
  return words
}

export function isSet({ leaf, steps }: Part): boolean {
  return leaf.isSetSeen !== undefined && steps.length === 0
}
