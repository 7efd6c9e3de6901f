/** What chunks add to a sweep, summed in the order of the data: 64 chunks to a stretch, stretches to the total. */
import type { Sweep } from "../contract/learnable.ts"
import { addNumbers } from "../kernels/bag-rows.ts"
import { CHUNKS_PER_STRETCH } from "../kernels/tiered.ts"

/** What a chunk adds to a sweep; workers send it back. */
export interface Swept {
  readonly stats: Float64Array
  readonly logLikelihood: number
  readonly entropy: number
  readonly guessed: boolean
}

/** What chunks tell of a sweep, added in their order. */
class SweptSum implements Swept {
  #stats: Float64Array | undefined
  logLikelihood = 0
  entropy = 0
  guessed = false

  /** The first array becomes the sum; the others are added to it. */
  add({ stats, logLikelihood, entropy, guessed }: Swept): void {
    if (this.#stats) addNumbers(this.#stats, stats)
    else this.#stats = stats
    this.logLikelihood += logLikelihood
    this.entropy += entropy
    if (guessed) this.guessed = true
  }

  get stats(): Float64Array {
    return this.#stats ?? new Float64Array(0)
  }
}

/** Σ over chunks to stretches, and over stretches, in the order of the data: it decides the bits. */
export class SweepTotal {
  readonly #total = new SweptSum()
  #stretch = new SweptSum()
  /** Chunks of the stretch so far. */
  #chunks = 0

  /** The next chunk. Its array may become part of the sum. */
  add(chunk: Swept): void {
    this.#stretch.add(chunk)
    this.#chunks++
    if (this.#chunks === CHUNKS_PER_STRETCH) this.#endStretch()
  }

  /** The next stretch, summed elsewhere; the chunks before it make up whole stretches. */
  addStretch(stretch: Swept): void {
    this.#total.add(stretch)
  }

  #endStretch(): void {
    if (this.#chunks > 0) this.#total.add(this.#stretch)
    this.#stretch = new SweptSum()
    this.#chunks = 0
  }

  /** The sum so far, which ends the stretch. */
  ended(): Swept {
    this.#endStretch()
    return this.#total
  }

  /** The total, copied if it is part of a larger buffer. */
  sweep(certain: boolean, statistics: number): Sweep {
    const { stats: summed, logLikelihood, entropy, guessed } = this.ended()
    const stats = summed.length > 0 ? summed : new Float64Array(statistics)
    return {
      stats: stats.byteLength === stats.buffer.byteLength ? stats : new Float64Array(stats),
      logLikelihood: certain ? undefined : logLikelihood,
      entropy,
      guessed,
    }
  }
}
