/**
 * Weighted mean and variance in one pass, computed in units of a value that is not far below the largest, so that 1e−150 and 1e+150 are as
 * good as 1. Values wait until there are 256 of them; then, of these, first the mean and the squares around it, and
 *
 *     W′ = W + V      δ = mean of these − mean      mean += δ·V/W′      M += squares + δ²·W·V/W′        (Chan, Golub & LeVeque 1979)
 *
 * How the values come in slices does not matter: the cuts are at every 256th.
 */
const FAR = 1e100
const FULL = 256
/** No unit is below it: its inverse must be a number. */
const SMALLEST = 1e-300

interface Sums {
  readonly unit: number
  readonly weight: number
  readonly mean: number
  readonly squares: number
}

export class Moments {
  #sums: Sums = { unit: 0, weight: 0, mean: 0, squares: 0 }
  #largest = 0
  readonly #values = new Float64Array(FULL)
  readonly #weights = new Float64Array(FULL)
  #waiting = 0

  /** All of them, where none is missing or not finite and all have weight; else nothing is added. */
  addAll(values: Float64Array, weights: Float64Array): boolean {
    const count = weights.length
    for (let i = 0; i < count; i++) {
      const value = values[i]
      if (value - value !== 0 || weights[i] === 0) return false
    }
    for (let i = 0; i < count; ) {
      const end = Math.min(count, i + FULL - this.#waiting)
      let to = this.#waiting
      for (; i < end; i++) {
        this.#values[to] = values[i]
        this.#weights[to++] = weights[i]
      }
      this.#waiting = to
      if (to === FULL) this.#settle()
    }
    return true
  }

  add(value: number, weight: number): void {
    this.#values[this.#waiting] = value
    this.#weights[this.#waiting++] = weight
    if (this.#waiting === FULL) this.#settle()
  }

  #settle(): void {
    this.#sums = this.#settled()
    this.#largest = this.largest
    this.#waiting = 0
  }

  /** With those that wait. */
  #settled(): Sums {
    const { unit: old, weight, mean, squares } = this.#sums
    const largest = this.largest
    const unit = largest > old * FAR ? Math.max(largest, SMALLEST) : old
    const inverse = unit === 0 ? 0 : 1 / unit
    const values = this.#values
    const weights = this.#weights
    const count = this.#waiting
    // two sums at a time, which do not wait for each other; an odd one at the end counts 0
    if (count & 1) weights[count] = 0
    let added = 0
    let added1 = 0
    let sum = 0
    let sum1 = 0
    for (let i = 0; i < count; i += 2) {
      added += weights[i]
      added1 += weights[i + 1]
      sum += weights[i] * (values[i] * inverse)
      sum1 += weights[i + 1] * (values[i + 1] * inverse)
    }
    added += added1
    if (!(added > 0)) return { unit, weight, mean, squares }
    const own = (sum + sum1) / added
    let around = 0
    let around1 = 0
    for (let i = 0; i < count; i += 2) {
      const gap = values[i] * inverse - own
      const gap1 = values[i + 1] * inverse - own
      around += weights[i] * gap * gap
      around1 += weights[i + 1] * gap1 * gap1
    }
    const total = weight + added
    const shrunk = old * inverse // the earlier ones, in the unit of now
    const gap = own - mean * shrunk
    return {
      unit,
      weight: total,
      mean: mean * shrunk + (gap * added) / total,
      squares: squares * shrunk * shrunk + (around + around1) + gap * gap * weight * (added / total),
    }
  }

  /** The largest absolute value. */
  get largest(): number {
    const values = this.#values
    let largest = this.#largest
    for (let i = 0; i < this.#waiting; i++) {
      const size = Math.abs(values[i])
      if (size > largest) largest = size
    }
    return largest
  }

  get weight(): number {
    return this.#settled().weight
  }

  get mean(): number {
    const { mean, unit } = this.#settled()
    return mean * unit
  }

  /** Square root of the variance. */
  get spread(): number {
    const { weight, squares, unit } = this.#settled()
    return weight > 0 ? Math.sqrt(Math.max(squares, 0) / weight) * unit : 0
  }
}
