/**
 * Weighted mean and variance in one pass, computed in a unit close to the largest value, so that values of 1e−150 or 1e+150 are as accurate as
 * those around 1. Values are taken 256 at a time: first their mean and the squares around it, then
 *
 *     W′ = W + V      δ = mean of these − mean      mean += δ·V/W′      M += squares + δ²·W·V/W′        (Chan, Golub & LeVeque 1979)
 *
 * The result does not depend on how values are divided into slices: runs end at every 256th value of a chunk. A run inside a slice without weights is read in
 * place; otherwise values are buffered until there are 256. Chunks are joined to a stretch and stretches to the total (kernels/tiered.ts), so that they may be
 * explored in different places.
 */
import { RUN, sumRuns, together } from "../kernels/run-sums.ts"
import { fastKernels } from "../kernels/twins.ts"

const FAR = 1e100
/** The smallest unit: its inverse must be finite. */
const SMALLEST = 1e-300

/** The moments of some values, in a unit of their own. */
export interface Sums {
  readonly unit: number
  readonly weight: number
  readonly mean: number
  readonly squares: number
  readonly largest: number
}

const NOTHING: Sums = { unit: 0, weight: 0, mean: 0, squares: 0, largest: 0 }

export interface Found {
  readonly weight: number
  readonly mean: number
  /** The standard deviation. */
  readonly spread: number
  /** The largest absolute value. */
  readonly largest: number
}

export class Moments {
  /** Of the runs of this chunk, of the chunks of this stretch, of the stretches before. */
  #sums = NOTHING
  #stretch = NOTHING
  #total = NOTHING
  /** Buffered values, and from RUN on their weights. */
  readonly #kept = new Float64Array(2 * RUN)
  #waiting = 0

  /** Adds values from … to − 1 up to the first that is not finite or has no weight; returns where it stopped. Without weights each counts 1. */
  addRun(values: Float64Array, weights: Float64Array | undefined, from: number, to: number): number {
    for (let i = from; ; ) {
      if (!weights) i += RUN * this.#addRuns(values, i, Math.floor((to - i) / RUN))
      for (const end = Math.min(to, i + RUN - this.#waiting); i < end; i++) {
        const weight = weights ? weights[i] : 1
        if (values[i] - values[i] !== 0 || weight === 0) return i
        this.add(values[i], weight)
      }
      if (i === to) return i
    }
  }

  /** Adds whole runs in place; returns how many, up to one that is not finite or needs another unit. */
  #addRuns(values: Float64Array, from: number, runs: number): number {
    const { unit } = this.#sums
    if (runs === 0 || this.#waiting > 0 || unit === 0) return 0
    if (found.length < 3 * runs) found = new Float64Array(3 * runs)
    const kernels = fastKernels() ?? { sumRuns }
    kernels.sumRuns(values, from, runs, 1 / unit, found)
    // as `joined`, without allocating
    let { weight, mean, squares, largest } = this.#sums
    let r = 0
    for (; r < runs && found[3 * r] <= unit * FAR; r++) {
      const total = weight + RUN
      const gap = found[3 * r + 1] / RUN - mean
      mean += (gap * RUN) / total
      squares = squares + found[3 * r + 2] + gap * gap * weight * (RUN / total)
      largest = Math.max(largest, found[3 * r])
      weight = total
    }
    this.#sums = { unit, weight, mean, squares, largest }
    return r
  }

  add(value: number, weight: number): void {
    this.#kept[this.#waiting] = value
    this.#kept[RUN + this.#waiting++] = weight
    if (this.#waiting < RUN) return
    this.#sums = this.#settled()
    this.#waiting = 0
  }

  /** The buffered values included. */
  #settled(): Sums {
    return joined(this.#sums, sumsOf(this.#kept, this.#waiting, this.#sums.unit))
  }

  endChunk(): void {
    this.#stretch = united(this.#stretch, this.#settled())
    this.#sums = NOTHING
    this.#waiting = 0
  }

  endStretch(): void {
    this.#total = united(this.#total, this.#stretch)
    this.#stretch = NOTHING
  }

  /** The moments of the chunks of this stretch that have ended. */
  get part(): Sums {
    return this.#stretch
  }

  /** Chunks, or a whole stretch, that were explored elsewhere. */
  join(part: Sums): void {
    this.#stretch = united(this.#stretch, part)
  }

  /** The moments of all values so far. */
  found(): Found {
    const all = united(this.#total, united(this.#stretch, this.#settled()))
    const { unit, weight, mean, squares, largest } = all
    const spread = weight > 0 ? Math.sqrt(Math.max(squares, 0) / weight) * unit : 0
    return { weight, mean: mean * unit, spread, largest }
  }
}

let found = new Float64Array(0)

/** The moments of the first `count` values, which are finite, in a unit that suits them and the earlier ones; summed in the order of `sumRuns`. */
function sumsOf(kept: Float64Array, count: number, before: number): Sums {
  let largest = 0
  for (let i = 0; i < count; i++) largest = Math.max(largest, Math.abs(kept[i]))
  const unit = largest > before * FAR ? Math.max(largest, SMALLEST) : before
  const inverse = unit === 0 ? 0 : 1 / unit
  const sums = new Float64Array(8)
  let weight = 0
  for (let i = 0; i < count; i++) {
    sums[i & 7] += kept[RUN + i] * (kept[i] * inverse)
    weight += kept[RUN + i]
  }
  const mean = weight > 0 ? together(sums) / weight : 0
  sums.fill(0)
  for (let i = 0; i < count; i++) {
    const gap = kept[i] * inverse - mean
    sums[i & 7] += kept[RUN + i] * gap * gap
  }
  return { unit, weight, mean, squares: together(sums), largest }
}

/** The moments of both together, in the unit of the second. */
function joined({ unit, weight, mean, squares, largest }: Sums, more: Sums): Sums {
  const shrunk = more.unit > 0 ? unit / more.unit : 0
  const total = weight + more.weight
  const gap = more.mean - mean * shrunk
  return {
    unit: more.unit,
    weight: total,
    mean: total > 0 ? mean * shrunk + (gap * more.weight) / total : 0,
    squares:
      squares * shrunk * shrunk + more.squares + (total > 0 ? gap * gap * weight * (more.weight / total) : 0),
    largest: Math.max(largest, more.largest),
  }
}

/** The moments of both together, in the larger of their units. One that has no values leaves the other as it is, to the bit. */
function united(a: Sums, b: Sums): Sums {
  if (a.weight === 0 || b.weight === 0) return a.weight === 0 ? b : a
  const unit = Math.max(a.unit, b.unit)
  const inUnit = (sums: Sums): Sums => {
    const shrunk = unit > 0 ? sums.unit / unit : 0
    return { ...sums, unit, mean: sums.mean * shrunk, squares: sums.squares * shrunk * shrunk }
  }
  return joined(inUnit(a), inUnit(b))
}
