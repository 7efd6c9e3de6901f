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
import type { WordMoments, WordRoom } from "../kernels/word-rooms.ts"
import { grow, growCodes } from "../kernels/workspace.ts"

export class WordSteps {
  readonly #node: LeafNode
  readonly #place: number
  readonly #room: WordRoom
  readonly #moments: WordMoments
  readonly #size: number
  readonly #alpha: number
  /** Weights of the step to come. */
  #weights: Weights[] = []
  readonly #copies: { slot: ReturnType<typeof growCodes>; weight: ReturnType<typeof grow> }[] = []
  /** Σρ of the pull since everything was settled. */
  #due = 0

  /**
   * `counts` and `params`: the leaf's own part of the whole arrays, which live in the room. `alpha`: the prior. `least`: no word falls below it. `places`:
   * where words lie, if not in their order.
   */
  constructor(
    node: LeafNode,
    place: number,
    room: WordRoom,
    counts: Float64Array,
    params: Float64Array,
    alpha: number,
    least: number,
    places?: Int32Array,
  ) {
    this.#node = node
    this.#place = place
    this.#room = room
    this.#size = counts.length - node.slots
    this.#alpha = alpha
    this.#moments = { counts, params, totals: room.numbers(node.slots), least, places }
    const none = new Float64Array(node.slots)
    this.#room.settleWords(this.#moments, none, none)
  }

  /** Weights that the next move will use; copied, since nodes use their arrays again. */
  take(weights: Weights): void {
    const at = this.#weights.length
    this.#copies[at] ??= { slot: growCodes(), weight: grow() }
    const { slot, weight } = this.#copies[at]
    this.#weights.push(
      weights.form === "one"
        ? { form: "one", slot: copied(weights.slot, slot), weight: copied(weights.weight, weight) }
        : { form: "each", values: copied(weights.values, weight) },
    )
  }

  /** `pull`: by how much the prior's share grows with this step. */
  move(block: Block, rho: number, pull: number): void {
    const bags = block.cells[this.#place] as Bags
    const weigh = this.#node.leaf.wordwise!
    const { params, totals } = this.#moments
    for (const weights of this.#weights) {
      if (weights.form === "one")
        this.#room.moveOne(bags, weigh, block.rows, weights.slot, weights.weight, rho, this.#moments)
      else this.#room.moveEach(bags, weigh, block.rows, weights.values, rho, this.#moments)
    }
    this.#weights = []
    this.#due += pull
    for (let p = 0; p < totals.length; p++) params[this.#size + p] = log(totals[p])
  }

  /** What is due is given, and θ and sums are computed from the counts: the same state whatever the way to it. */
  settle(): void {
    const { totals } = this.#moments
    const words = this.#size / totals.length
    // A large step must not carry a word beyond equality with the others.
    const share = totals.map(total => Math.min((this.#due * this.#alpha * words) / total, 1))
    const mean = totals.map(total => total / words)
    this.#due = 0
    this.#room.settleWords(this.#moments, share, mean)
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
