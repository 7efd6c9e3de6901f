/**
 * The mean of moments over steps. On a stream without end two are kept: `restart` begins a new one, and the one begun before is what is
 * reported, so that it always covers the later half of the steps or more.
 */
import type { MovingState } from "../contract.ts"

interface Average {
  readonly mean: Float64Array
  steps: number
}

export class Averages {
  readonly #ranges: readonly (readonly [from: number, to: number])[]
  #averages: Average[]

  /** Only these ranges are averaged; elsewhere the mean stays what it was when the average began. */
  constructor(ranges: readonly (readonly [number, number])[], from: MovingState["averages"]) {
    this.#ranges = ranges
    this.#averages = from.map(({ mean, steps }) => ({ mean: mean.slice(), steps }))
  }

  add(moments: Float64Array): void {
    if (this.#averages.length === 0) this.restart(moments.length)
    for (const average of this.#averages) {
      average.steps++
      const { mean, steps } = average
      for (const [from, to] of this.#ranges) {
        for (let j = from; j < to; j++) mean[j] += (moments[j] - mean[j]) / steps
      }
    }
  }

  restart(length: number): void {
    this.#averages = [...this.#averages.slice(-1), { mean: new Float64Array(length), steps: 0 }]
  }

  /** The older mean in its ranges, the moments elsewhere; times a factor. In the place of the moments. */
  over(moments: Float64Array, factor: number): Float64Array {
    const { mean, steps } = this.#averages[0] ?? { steps: 0 }
    if (steps > 0) for (const [from, to] of this.#ranges) moments.set(mean.subarray(from, to), from)
    for (let j = 0; j < moments.length; j++) moments[j] *= factor
    return moments
  }

  state(): MovingState["averages"] {
    return this.#averages.map(({ mean, steps }) => ({ mean: mean.slice(), steps }))
  }
}
