/**
 * Counts of words that move one by one: only the words of a block are touched, and only their θ = ln W is computed anew.
 *
 *     W_wp ← max( W_wp + ρ·δ_wp + due·(α − α·V·W_wp/S_p), least )        S_p = Σ_w W_wp,  A_p = ln S_p
 *
 * The last term is the prior's pull towards equal words. It grows with every step, but a word gets what is due to it only when it
 * is moved, or when everything is settled.
 */
import type { Bags, Block } from "../contract.ts"
import { log } from "../kernels/log.ts"

export class WordSteps {
  readonly #place: number
  readonly #slots: number
  readonly #size: number
  readonly #counts: Float64Array
  readonly #params: Float64Array
  /** α in the unit of the counts. */
  readonly #alpha: number
  readonly #least: number
  readonly #totals: Float64Array
  readonly #grown: Float64Array
  /** Σρ of the pull so far, and as it was when the word was last moved. */
  #handed = 0
  readonly #given: Float64Array

  /** `counts` and `params`: the leaf's own part of the whole arrays, in which words move. `least`: no word falls below it. */
  constructor(
    slots: number,
    place: number,
    counts: Float64Array,
    params: Float64Array,
    alpha: number,
    least: number,
  ) {
    this.#place = place
    this.#slots = slots
    this.#size = counts.length - slots
    this.#counts = counts
    this.#params = params
    this.#alpha = alpha
    this.#least = least
    this.#totals = new Float64Array(slots)
    this.#grown = new Float64Array(slots)
    this.#given = new Float64Array(alpha > 0 ? this.#size : 0)
    for (let j = 0; j < this.#size; j++) {
      counts[j] = Math.max(counts[j], least)
      params[j] = log(counts[j])
    }
    this.#sum()
  }

  /** `delta`, the direction, is used up: its entries become 0. `pull`: by how much the prior's share grows with this step. */
  move(block: Block, delta: Float64Array, rho: number, pull: number): void {
    const { offsets, words } = block.cells[this.#place] as Bags
    const slots = this.#slots
    const counts = this.#counts
    const params = this.#params
    const grown = this.#grown
    const least = this.#least
    this.#handed += pull
    const end = offsets[block.rows]
    for (let t = offsets[0]; t < end; t++) {
      const at = words[t] * slots
      for (let p = 0; p < slots; p++) {
        const d = delta[at + p]
        if (d === 0) continue
        delta[at + p] = 0
        const before = counts[at + p]
        let after = before + rho * d
        if (this.#alpha > 0) after += this.#due(at + p, p, before)
        if (after < least) after = least
        counts[at + p] = after
        params[at + p] = log(after)
        grown[p] += after - before
      }
    }
    for (let p = 0; p < slots; p++) {
      if (grown[p] === 0) continue
      this.#totals[p] += grown[p]
      params[this.#size + p] = log(this.#totals[p])
      grown[p] = 0
    }
  }

  /** Everything that is due is given, and sums are summed again: the same state whatever the way to it. */
  settle(): void {
    if (this.#alpha > 0) {
      const { length } = this.#given
      for (let j = 0; j < length; j++) {
        const p = j % this.#slots
        if (this.#given[j] === this.#handed) continue
        this.#counts[j] = Math.max(this.#counts[j] + this.#due(j, p, this.#counts[j]), this.#least)
        this.#params[j] = log(this.#counts[j])
      }
      this.#handed = 0
      this.#given.fill(0)
    }
    this.#sum()
  }

  #due(j: number, p: number, count: number): number {
    const due = this.#handed - this.#given[j]
    this.#given[j] = this.#handed
    const words = this.#size / this.#slots
    // A large step must not carry a word beyond equality with the others.
    const share = Math.min((due * this.#alpha * words) / this.#totals[p], 1)
    return share * (this.#totals[p] / words - count)
  }

  #sum(): void {
    this.#totals.fill(0)
    for (let j = 0; j < this.#size; j++) this.#totals[j % this.#slots] += this.#counts[j]
    for (let p = 0; p < this.#slots; p++) this.#params[this.#size + p] = log(this.#totals[p])
  }
}
