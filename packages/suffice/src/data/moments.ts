/**
 * Weighted mean and variance in one pass, computed in units of a value that is not far below the largest, so that 1e−150 and 1e+150 are as
 * good as 1. Values are taken 256 at a time: first the mean of these and the squares around it, and then
 *
 *     W′ = W + V      δ = mean of these − mean      mean += δ·V/W′      M += squares + δ²·W·V/W′        (Chan, Golub & LeVeque 1979)
 *
 * How the values come in slices does not matter: the cuts are at every 256th. Where they fall inside a slice, its values are read where
 * they are; else they wait until there are 256.
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
  readonly largest: number
}

const NOTHING: Sums = { unit: 0, weight: 0, mean: 0, squares: 0, largest: 0 }

export class Moments {
  #sums = NOTHING
  readonly #values = new Float64Array(FULL)
  readonly #weights = new Float64Array(FULL)
  #waiting = 0

  /** As many from … to − 1 as are finite and have weight: where it ended. Without weights each counts 1. */
  addRun(values: Float64Array, weights: Float64Array | undefined, from: number, to: number): number {
    for (let i = from; ; ) {
      const end = Math.min(to, i + FULL - this.#waiting)
      const stop = weights ? runOf(values, weights, i, end) : plainRunOf(values, i, end)
      if (stop === i + FULL) this.#sums = joined(this.#sums, values, weights, i, stop)
      else for (let j = i; j < stop; j++) this.add(values[j], weights ? weights[j] : 1)
      i = stop
      if (i < end || i === to) return i
    }
  }

  add(value: number, weight: number): void {
    this.#values[this.#waiting] = value
    this.#weights[this.#waiting++] = weight
    if (this.#waiting < FULL) return
    this.#sums = this.#settled()
    this.#waiting = 0
  }

  /** With those that wait. */
  #settled(): Sums {
    return joined(this.#sums, this.#values, this.#weights, 0, this.#waiting)
  }

  /** The largest absolute value. */
  get largest(): number {
    return this.#settled().largest
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

/** The end of the run, from here on, of numbers that are finite and have weight. */
function runOf(values: Float64Array, weights: Float64Array, from: number, to: number): number {
  let i = from
  while (i < to && values[i] - values[i] === 0 && weights[i] !== 0) i++
  return i
}

function plainRunOf(values: Float64Array, from: number, to: number): number {
  let i = from
  while (i < to && values[i] - values[i] === 0) i++
  return i
}

/** The sums with values from … to − 1, which are finite. */
function joined(
  { unit: old, weight, mean, squares, largest: before }: Sums,
  values: Float64Array,
  weights: Float64Array | undefined,
  from: number,
  to: number,
): Sums {
  const largest = largestOf(values, from, to, before)
  const unit = largest > old * FAR ? Math.max(largest, SMALLEST) : old
  const inverse = unit === 0 ? 0 : 1 / unit
  const added = weights ? totalOf(weights, from, to) : to - from
  if (!(added > 0)) return { unit, weight, mean, squares, largest }
  const own =
    (weights ? weighedSum(values, weights, from, to, inverse) : sumOf(values, from, to, inverse)) / added
  const around = weights
    ? weighedSquares(values, weights, from, to, inverse, own)
    : squaresOf(values, from, to, inverse, own)
  const total = weight + added
  const shrunk = old * inverse // the earlier ones, in the unit of now
  const gap = own - mean * shrunk
  return {
    unit,
    weight: total,
    mean: mean * shrunk + (gap * added) / total,
    squares: squares * shrunk * shrunk + around + gap * gap * weight * (added / total),
    largest,
  }
}

// Two sums at a time, which do not wait for each other; an odd value at the end goes with the even ones. 1 · x is x: the sums without
// weights are those with weights 1.

function largestOf(values: Float64Array, from: number, to: number, before: number): number {
  let largest = before
  for (let i = from; i < to; i++) {
    const size = Math.abs(values[i])
    if (size > largest) largest = size
  }
  return largest
}

function totalOf(weights: Float64Array, from: number, to: number): number {
  const last = to - ((to - from) & 1)
  let even = last < to ? weights[last] : 0
  let odd = 0
  for (let i = from; i < last; i += 2) {
    even += weights[i]
    odd += weights[i + 1]
  }
  return even + odd
}

/** Σ x·inverse */
function sumOf(values: Float64Array, from: number, to: number, inverse: number): number {
  const last = to - ((to - from) & 1)
  let even = last < to ? values[last] * inverse : 0
  let odd = 0
  for (let i = from; i < last; i += 2) {
    even += values[i] * inverse
    odd += values[i + 1] * inverse
  }
  return even + odd
}

/** Σ w·x·inverse */
function weighedSum(
  values: Float64Array,
  weights: Float64Array,
  from: number,
  to: number,
  inverse: number,
): number {
  const last = to - ((to - from) & 1)
  let even = last < to ? weights[last] * (values[last] * inverse) : 0
  let odd = 0
  for (let i = from; i < last; i += 2) {
    even += weights[i] * (values[i] * inverse)
    odd += weights[i + 1] * (values[i + 1] * inverse)
  }
  return even + odd
}

/** Σ (x·inverse − mean)² */
function squaresOf(values: Float64Array, from: number, to: number, inverse: number, mean: number): number {
  const last = to - ((to - from) & 1)
  const over = last < to ? values[last] * inverse - mean : 0
  let even = over * over
  let odd = 0
  for (let i = from; i < last; i += 2) {
    const gap = values[i] * inverse - mean
    const gap1 = values[i + 1] * inverse - mean
    even += gap * gap
    odd += gap1 * gap1
  }
  return even + odd
}

/** Σ w·(x·inverse − mean)² */
function weighedSquares(
  values: Float64Array,
  weights: Float64Array,
  from: number,
  to: number,
  inverse: number,
  mean: number,
): number {
  const last = to - ((to - from) & 1)
  const over = last < to ? values[last] * inverse - mean : 0
  let even = last < to ? weights[last] * over * over : 0
  let odd = 0
  for (let i = from; i < last; i += 2) {
    const gap = values[i] * inverse - mean
    const gap1 = values[i + 1] * inverse - mean
    even += weights[i] * gap * gap
    odd += weights[i + 1] * gap1 * gap1
  }
  return even + odd
}
