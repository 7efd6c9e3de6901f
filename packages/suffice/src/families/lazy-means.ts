/**
 * Means over steps of counts of words, of which a step changes few. The mean of a word covers the steps until it last changed, since when it is W_w:
 *
 *     mean_w ← mean_w · n/steps + W_w · (steps − n)/steps          n: the steps it covers
 */
import type { LazyMean } from "../contract/sparse.ts"

export interface LazyMeans {
  /** Is there one that anything is told of? */
  readonly some: boolean
  /** Before these words change, `slots` numbers each: the entries words[from … to − 1] may repeat. */
  touch(words: Int32Array, from: number, to: number): void
  /** Before all of them do. */
  touchAll(): void
  /** As SparseMoving.average. */
  begin(mean: Float64Array, steps: number): LazyMean
}

/** Of counts W_w at w·slots + p, for w < words; what lies behind them is not averaged. */
export function lazyMeans(counts: Float64Array, words: number, slots: number): LazyMeans {
  const means: Mean[] = []

  class Mean implements LazyMean {
    readonly #mean: Float64Array
    /** The number of steps that the mean of each word covers. */
    readonly #covered: Int32Array
    #steps: number

    constructor(mean: Float64Array, steps: number) {
      this.#mean = mean.slice(0, words * slots)
      this.#steps = steps
      this.#covered = new Int32Array(words).fill(steps)
    }

    touch(w: number): void {
      if (this.#covered[w] < this.#steps) this.#bring(w, this.#mean)
      this.#covered[w] = this.#steps
    }

    /** to ← the mean of word w over all steps. */
    #bring(w: number, to: Float64Array): void {
      const n = this.#covered[w]
      const old = this.#steps > 0 ? n / this.#steps : 1
      const own = this.#steps > 0 ? (this.#steps - n) / this.#steps : 0
      const mean = this.#mean
      const end = (w + 1) * slots
      for (let j = w * slots; j < end; j++) to[j] = mean[j] * old + counts[j] * own
    }

    add(): void {
      this.#steps++
    }

    write(mean: Float64Array): void {
      for (let w = 0; w < words; w++) this.#bring(w, mean)
      mean.set(counts.subarray(words * slots), words * slots)
    }

    end(): void {
      means.splice(means.indexOf(this), 1)
    }
  }

  return {
    get some() {
      return means.length > 0
    },
    touch(which, from, to) {
      for (const mean of means) for (let t = from; t < to; t++) mean.touch(which[t])
    },
    touchAll() {
      for (const mean of means) for (let w = 0; w < words; w++) mean.touch(w)
    },
    begin(mean, steps) {
      const made = new Mean(mean, steps)
      means.push(made)
      return made
    },
  }
}
