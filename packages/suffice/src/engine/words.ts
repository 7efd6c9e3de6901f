/**
 * Counts of words that move one by one: only the words of a mini-batch are touched, and only their θ = ln W is computed anew.
 *
 *     W_wp ← max( W_wp + ρ Σ_i g_ip x_iw, least )        S_p = Σ_w W_wp,  A_p = ln S_p
 *
 * g: the signed weights of the rows, x: what their words weigh. The prior's pull towards equal words, due·(α − α·V·W_wp/S_p), adds up
 * step by step and is given to all words when everything is settled.
 */
import type { Bags, Block, LeafNode, Weights } from "../contract.ts"
import { log } from "../kernels/log.ts"

/** Below this, five terms of the series for ln(after/before) err by less than 1e-14. */
const SMALL = 1 / 16

export class WordSteps {
  readonly #node: LeafNode
  readonly #place: number
  readonly #size: number
  readonly #counts: Float64Array
  readonly #params: Float64Array
  readonly #alpha: number
  readonly #least: number
  readonly #totals: Float64Array
  readonly #row: Float64Array
  /** Weights of the step to come. */
  #weights: Weights[] = []
  /** Σρ of the pull since everything was settled. */
  #due = 0

  /** `counts` and `params`: the leaf's own part of the whole arrays. `alpha`: the prior. `least`: no word falls below it. */
  constructor(
    node: LeafNode,
    place: number,
    counts: Float64Array,
    params: Float64Array,
    alpha: number,
    least: number,
  ) {
    this.#node = node
    this.#place = place
    this.#size = counts.length - node.slots
    this.#counts = counts
    this.#params = params
    this.#alpha = alpha
    this.#least = least
    this.#totals = new Float64Array(node.slots)
    this.#row = new Float64Array(node.slots)
    for (let j = 0; j < this.#size; j++) counts[j] = Math.max(counts[j], least)
    this.#resolve()
  }

  /** Weights that the next move will use; copied, since nodes use their arrays again. */
  take(weights: Weights): void {
    this.#weights.push(
      weights.form === "one"
        ? { form: "one", slot: weights.slot.slice(), weight: weights.weight.slice() }
        : { form: "each", values: weights.values.slice() },
    )
  }

  /** `pull`: by how much the prior's share grows with this step. */
  move(block: Block, rho: number, pull: number): void {
    const bags = block.cells[this.#place] as Bags
    const weighed = this.#node.leaf.wordwise!(bags)
    for (const weights of this.#weights) {
      if (weights.form === "one") this.#moveOne(block.rows, bags, weighed, weights.slot, weights.weight, rho)
      else this.#moveEach(block.rows, bags, weighed, weights.values, rho)
    }
    this.#weights = []
    this.#due += pull
    for (let p = 0; p < this.#totals.length; p++) this.#params[this.#size + p] = log(this.#totals[p])
  }

  /** Each row moves the words of one slot. */
  #moveOne(
    rows: number,
    { offsets, words }: Bags,
    weighed: Float64Array,
    slot: Int32Array,
    weight: Float64Array,
    rho: number,
  ): void {
    const slots = this.#totals.length
    const counts = this.#counts
    const params = this.#params
    const least = this.#least
    for (let i = 0; i < rows; i++) {
      if (weight[i] === 0) continue
      const p = slot[i]
      const g = rho * weight[i]
      let grown = 0
      for (let t = offsets[i]; t < offsets[i + 1]; t++) {
        const at = words[t] * slots + p
        const before = counts[at]
        const after = Math.max(before + g * weighed[t], least)
        counts[at] = after
        grown += after - before
        params[at] = moved(params[at], before, after)
      }
      this.#totals[p] += grown
    }
  }

  /** Each row moves its words in every slot. */
  #moveEach(
    rows: number,
    { offsets, words }: Bags,
    weighed: Float64Array,
    values: Float64Array,
    rho: number,
  ): void {
    const slots = this.#totals.length
    const counts = this.#counts
    const params = this.#params
    const least = this.#least
    const totals = this.#totals
    const g = this.#row
    for (let i = 0; i < rows; i++) {
      for (let p = 0; p < slots; p++) g[p] = rho * values[p * rows + i]
      let length = 0
      for (let t = offsets[i]; t < offsets[i + 1]; t++) {
        const from = words[t] * slots
        const x = weighed[t]
        length += x
        for (let p = 0; p < slots; p++) {
          const before = counts[from + p]
          let after = before + g[p] * x
          if (after < least) {
            totals[p] += least - after
            after = least
          }
          counts[from + p] = after
          params[from + p] = moved(params[from + p], before, after)
        }
      }
      for (let p = 0; p < slots; p++) totals[p] += g[p] * length
    }
  }

  /** What is due is given, and θ and sums are computed from the counts: the same state whatever the way to it. */
  settle(): void {
    if (this.#due * this.#alpha > 0) {
      const slots = this.#totals.length
      const words = this.#size / slots
      for (let j = 0; j < this.#size; j++) {
        const total = this.#totals[j % slots]
        // A large step must not carry a word beyond equality with the others.
        const share = Math.min((this.#due * this.#alpha * words) / total, 1)
        this.#counts[j] = Math.max(this.#counts[j] + share * (total / words - this.#counts[j]), this.#least)
      }
    }
    this.#due = 0
    this.#resolve()
  }

  #resolve(): void {
    this.#totals.fill(0)
    for (let j = 0; j < this.#size; j++) {
      this.#totals[j % this.#totals.length] += this.#counts[j]
      this.#params[j] = log(this.#counts[j])
    }
    for (let p = 0; p < this.#totals.length; p++) this.#params[this.#size + p] = log(this.#totals[p])
  }
}

/** ln after, from ln before: ln(after/before) = 2(s + s³/3 + s⁵/5 + …), s = (after − before)/(after + before), saves most logarithms. */
function moved(theta: number, before: number, after: number): number {
  const s = (after - before) / (after + before)
  if (s > SMALL || s < -SMALL) return log(after)
  const q = s * s
  return theta + s * (2 + q * (2 / 3 + q * (2 / 5 + q * (2 / 7 + q * (2 / 9)))))
}
