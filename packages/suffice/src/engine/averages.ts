/**
 * The mean of moments over steps. On a stream there are two: `restart` begins a new one, and the older one is reported, so that it always covers
 * at least the later half of the steps.
 */
import type { MovingState } from "../contract/moving.ts"
import type { LazyMean } from "../contract/sparse.ts"

interface Average {
  readonly mean: Float64Array
  steps: number
  readonly lazy: readonly { readonly from: number; readonly to: number; readonly mean: LazyMean }[]
}

/** A range of the moments whose means are lazy: `begin` continues from a given mean. */
export interface LazyPart {
  readonly from: number
  readonly to: number
  begin(mean: Float64Array, steps: number): LazyMean
}

export class Averages {
  readonly #ranges: readonly (readonly [from: number, to: number])[]
  readonly #parts: readonly LazyPart[]
  #averages: Average[]

  /** Only these ranges and parts are averaged; elsewhere the mean stays as it was at the beginning. */
  constructor(
    ranges: readonly (readonly [number, number])[],
    from: MovingState["averages"],
    parts: readonly LazyPart[] = [],
  ) {
    this.#ranges = ranges
    this.#parts = parts
    this.#averages = from.map(({ mean, steps }) => this.#begun(mean.slice(), steps))
  }

  #begun(mean: Float64Array, steps: number): Average {
    const lazy = this.#parts.map(({ from, to, begin }) => ({
      mean: begin(mean.subarray(from, to), steps),
      from,
      to,
    }))
    return { mean, steps, lazy }
  }

  add(moments: Float64Array): void {
    if (this.#averages.length === 0) this.restart(moments.length)
    for (const average of this.#averages) {
      average.steps++
      const { mean, steps } = average
      for (const [from, to] of this.#ranges) {
        for (let j = from; j < to; j++) mean[j] += (moments[j] - mean[j]) / steps
      }
      for (const part of average.lazy) part.mean.add()
    }
  }

  restart(length: number): void {
    for (const { lazy } of this.#averages.slice(0, -1)) for (const part of lazy) part.mean.end()
    this.#averages = [...this.#averages.slice(-1), this.#begun(new Float64Array(length), 0)]
  }

  /** moments ← factor · (the older mean in its ranges, the moments elsewhere), in place. */
  over(moments: Float64Array, factor: number): Float64Array {
    const first = this.#averages[0]
    if (first?.steps > 0) {
      for (const [from, to] of this.#ranges) moments.set(first.mean.subarray(from, to), from)
      for (const part of first.lazy) part.mean.write(moments.subarray(part.from, part.to))
    }
    for (let j = 0; j < moments.length; j++) moments[j] *= factor
    return moments
  }

  state(): MovingState["averages"] {
    return this.#averages.map(({ mean, steps, lazy }) => {
      const whole = mean.slice()
      for (const part of lazy) part.mean.write(whole.subarray(part.from, part.to))
      return { mean: whole, steps }
    })
  }
}
