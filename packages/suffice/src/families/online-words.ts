/**
 * Counts of words under online EM: a step touches only the words of its mini-batch.
 *
 *     W ← (1 − ρ)·W + ρ·mean( c_w )        kept as W = s·U, s = Π(1 − ρ): a step changes s, and U of its words
 *     θ_wp = ln(W_wp + α/n),  A_p = ln Σ_w (W_wp + α/n)
 *
 * θ of every word changes with s, so it is computed for the words of a mini-batch, before they are scored.
 */
import type { Bags, Weights } from "../contract/block.ts"
import type { LazyMean, SparseMoving, SparseStart } from "../contract/sparse.ts"
import { log } from "../kernels/log.ts"
import type { Weigh } from "../kernels/word-memory.ts"
import { takingWeights } from "./taking-weights.ts"

/** Below this, s is multiplied into U. */
const WORN = 1e-60

/** Statistics: W_w at w·slots + p, replaced by U from now on, then n_p; parameters as in moving-words.ts. `weigh`: the scaled counts of bags. */
export function onlineWords(
  slots: number,
  place: number,
  weigh: Weigh<Bags>,
  { moments: counts, params, prior: [alpha], added, holdsPrior, weight: first }: SparseStart,
): SparseMoving {
  const size = counts.length - slots
  const words = size / slots
  const totals = new Float64Array(slots)
  const taken = takingWeights()
  const means: Mean[] = []
  let s = 1
  let weight = first
  let strength = holdsPrior ? 0 : added
  sum()

  class Mean implements LazyMean {
    /** Σ_t W(t) = mean·counted + U·A + corrections for earlier U; A = Σs since the mean began. */
    readonly #mean: Float64Array
    #counted: number
    #since = 0
    #a = 0
    readonly #short = new Float64Array(size)
    readonly #n = new Float64Array(slots)

    constructor(mean: Float64Array, counted: number) {
      this.#mean = mean.slice()
      this.#counted = counted
    }

    add(): void {
      this.#since++
      this.#a += s
      for (let p = 0; p < slots; p++) this.#n[p] += counts[size + p]
    }

    moved(at: number, by: number): void {
      this.#short[at] -= by * this.#a
    }

    /** Called before s is multiplied into U. */
    rest(): void {
      for (let at = 0; at < size; at++) this.#short[at] += counts[at] * this.#a
      this.#a = 0
    }

    write(mean: Float64Array): void {
      if (this.#since === 0) {
        mean.set(this.#mean)
        return
      }
      const steps = this.#counted + this.#since
      for (let at = 0; at < size; at++) {
        const since = this.#short[at] + counts[at] * this.#a
        mean[at] = (this.#mean[at] * this.#counted + since) / steps
      }
      for (let p = 0; p < slots; p++)
        mean[size + p] = (this.#mean[size + p] * this.#counted + this.#n[p]) / steps
    }

    settle(): void {
      this.write(this.#mean)
      this.#counted += this.#since
      this.#since = 0
      this.#n.fill(0)
      this.#short.fill(0)
    }

    end(): void {
      means.splice(means.indexOf(this), 1)
    }
  }

  return {
    take: taken.take,

    refresh({ cells, rows }) {
      const bags = cells[place] as Bags
      const e = (strength * alpha) / weight
      for (let t = bags.offsets[0]; t < bags.offsets[rows]; t++) {
        const at = bags.words[t] * slots
        for (let p = 0; p < slots; p++) params[at + p] = log(s * counts[at + p] + e)
      }
      for (let p = 0; p < slots; p++) {
        const total = s * totals[p] + words * e
        params[size + p] = log(total > 0 ? total : words)
        // a slot without words: all are equally likely
        if (!(total > 0))
          for (let t = bags.offsets[0]; t < bags.offsets[rows]; t++) params[bags.words[t] * slots + p] = 0
      }
    },

    step({ cells, rows }, { each, towards, weight: now }) {
      const bags = cells[place] as Bags
      weight = now
      strength = added
      if (s * (1 - towards) < WORN) fold(1 - towards)
      else s *= 1 - towards
      for (let p = 0; p < slots; p++) counts[size + p] *= 1 - towards
      for (const weights of taken.weights()) add(bags, weigh(bags), rows, weights, each)
      return 0
    },

    settle() {
      fold(1)
      for (const mean of means) mean.settle()
      sum()
    },

    write(now) {
      for (let j = 0; j < size; j++) now[j] = s * counts[j]
      now.set(counts.subarray(size), size)
    },

    average(mean, steps) {
      const made = new Mean(mean, steps)
      means.push(made)
      return made
    },
  }

  function sum(): void {
    totals.fill(0)
    for (let j = 0, p = 0; j < size; j++) {
      totals[p] += counts[j]
      if (++p === slots) p = 0
    }
  }

  /** U ← by·s·U, s ← 1 */
  function fold(by: number): void {
    for (const mean of means) mean.rest()
    const factor = by * s
    for (let j = 0; j < size; j++) counts[j] *= factor
    for (let p = 0; p < slots; p++) totals[p] *= factor
    s = 1
  }

  function add(bags: Bags, x: Float64Array, rows: number, weights: Weights, each: number): void {
    const factor = each / s
    for (let i = 0; i < rows; i++) {
      const [from, to] = [bags.offsets[i], bags.offsets[i + 1]]
      if (from === to) continue
      if (weights.form === "one") addRow(bags, x, from, to, weights.slot[i], weights.weight[i], factor, each)
      else
        for (let p = 0; p < slots; p++)
          addRow(bags, x, from, to, p, weights.values[p * rows + i], factor, each)
    }
  }

  function addRow(
    { words }: Bags,
    x: Float64Array,
    from: number,
    to: number,
    p: number,
    w: number,
    factor: number,
    each: number,
  ): void {
    if (w === 0) return
    counts[size + p] += each * w
    for (let t = from; t < to; t++) {
      const at = words[t] * slots + p
      const by = factor * w * x[t]
      counts[at] += by
      totals[p] += by
      for (const mean of means) mean.moved(at, by)
    }
  }
}
