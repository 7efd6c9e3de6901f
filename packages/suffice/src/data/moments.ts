/**
 * Weighted mean and variance in one pass (West 1979), computed in units of a value that is not far below the largest,
 * so that 1e−150 and 1e+150 are as good as 1.
 *
 *     W += w      δ = x − mean      mean += δ·w/W      M += w·δ·(x − mean)
 */
const FAR = 1e100

export class Moments {
  #unit = 0
  #weight = 0
  #mean = 0
  #squares = 0
  #largest = 0

  add(value: number, weight: number): void {
    const size = Math.abs(value)
    if (size > this.#largest) this.#largest = size
    if (size > this.#unit * FAR) this.#rescale(size)
    const x = this.#unit === 0 ? 0 : value / this.#unit
    this.#weight += weight
    const gap = x - this.#mean
    this.#mean += (gap * weight) / this.#weight
    this.#squares += weight * gap * (x - this.#mean)
  }

  #rescale(unit: number): void {
    const factor = this.#unit / unit
    this.#unit = unit
    this.#mean *= factor
    this.#squares *= factor * factor
  }

  /** The largest absolute value. */
  get largest(): number {
    return this.#largest
  }

  get weight(): number {
    return this.#weight
  }

  get mean(): number {
    return this.#mean * this.#unit
  }

  /** Square root of the variance. */
  get spread(): number {
    return this.#weight > 0 ? Math.sqrt(Math.max(this.#squares, 0) / this.#weight) * this.#unit : 0
  }
}
