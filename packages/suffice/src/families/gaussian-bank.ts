/**
 * The normals of one column, or of many side by side (contract/bank.ts): from rows to statistics, from statistics to parameters, and back. What they are is
 * said in gaussian.ts.
 *
 *     stats of a column, slot by slot: n, Σwx, and Σwx² (own) or one Σwx² at the end (tied)        params: μ, 1/σ², ln of the density at μ
 */
import type { Bank } from "../contract/bank.ts"
import type { Block, SummedWeights } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import { log } from "../kernels/log.ts"
import { addingPrior } from "./with-prior.ts"
import { rowsOfPrior, squaresLeft, withinSlots } from "./within.ts"

export type NumberColumn = Extract<Column, { kind: "number" }>

/** Variances are clamped to this fraction of v. */
const FLOOR = 1e-9
/** Steps of stochastic learners keep variances above this fraction of v. */
const CLEAR = 1e-4
const LN_2PI = 1.8378770664093453

export interface GaussianOf {
  readonly column: NumberColumn
  /** Of the column in a block. */
  readonly place: number
}

export class GaussianBank implements Bank {
  readonly shape: Bank["shape"]
  readonly moving: Bank["moving"]
  readonly #columns: readonly NumberColumn[]
  readonly #places: Int32Array
  readonly #slots: number
  readonly #tied: boolean
  readonly #kappa: number
  // of each column, in arrays of their own: thousands of objects would not stay in the processor's cache
  readonly #logScale: Float64Array
  readonly #total: Float64Array
  readonly #centre: Float64Array
  /** Statistics of a slot, and of a column. */
  readonly #width: number
  readonly #statistics: number
  readonly #withPrior: ReturnType<typeof addingPrior>

  constructor(members: readonly GaussianOf[], slots: number, tied: boolean, kappa: number) {
    this.shape = { slots }
    this.moving = { complete: (params, mass, stats) => this.#complete(params, mass, stats) }
    this.#columns = members.map(({ column }) => column)
    this.#places = Int32Array.from(members, ({ place }) => place)
    this.#slots = slots
    this.#tied = tied
    this.#kappa = kappa
    this.#logScale = Float64Array.from(this.#columns, ({ scale }) => log(scale))
    this.#total = Float64Array.from(this.#columns, ({ variance }) => variance)
    this.#centre = Float64Array.from(this.#columns, ({ within }) => within?.mean ?? 0)
    this.#width = tied ? 2 : 3
    this.#statistics = tied ? 2 * slots + 1 : 3 * slots
    this.#withPrior = addingPrior((stats, strength, spread, around) =>
      this.prior(stats, strength, spread, around),
    )
  }

  absorb(block: Block, weights: SummedWeights, stats: Float64Array): void {
    const places = this.#places
    const slots = this.#slots
    const width = this.#width
    for (let j = 0, at = 0; j < places.length; j++, at += this.#statistics) {
      const sums = weights.sums(block.cells[places[j]] as Float64Array)
      for (let p = 0; p < slots; p++) {
        const own = at + p * width
        stats[own] += sums[p * 3]
        stats[own + 1] += sums[p * 3 + 1]
        stats[this.#squares(at, p)] += sums[p * 3 + 2]
      }
    }
  }

  prior(stats: Float64Array, strength = 1, spread?: Float64Array, around: Float64Array = stats): void {
    const slots = this.#slots
    const width = this.#width
    const rows = rowsOfPrior(1, strength * this.#kappa) / (this.#tied ? slots : 1)
    for (let j = 0, at = 0; j < this.#columns.length; j++, at += this.#statistics) {
      const variance = spread ? spread[j] : this.within(around, j)
      for (let p = 0; p < slots; p++) {
        const own = at + p * width
        const mean = this.#meanOf(around, own, j)
        stats[own] += rows
        stats[own + 1] += rows * mean
        stats[this.#squares(at, p)] += rows * (mean * mean + variance)
      }
    }
  }

  /** Returns how many slots were clamped. */
  solve(stats: Float64Array, strength: number, params: Float64Array, spread: Float64Array): number {
    const slots = this.#slots
    const width = this.#width
    const both = this.#withPrior(stats, strength, spread)
    let clamped = 0
    for (let j = 0, at = 0, to = 0; j < this.#columns.length; j++, at += this.#statistics) {
      const floor = FLOOR * spread[j]
      const logScale = this.#logScale[j]
      let variance = 0
      for (let p = 0; p < slots; p++, to += 3) {
        if (p === 0 || !this.#tied) variance = this.#varianceOf(both, at, p, j)
        if (variance < floor) clamped++
        const kept = Math.max(variance, floor)
        params[to] = this.#meanOf(both, at + p * width, j)
        params[to + 1] = 1 / kept
        params[to + 2] = -0.5 * (LN_2PI + log(kept)) - logScale
      }
    }
    return clamped
  }

  moments(params: Float64Array, mass: Float64Array, stats: Float64Array): void {
    for (let j = 0, at = 0, from = 0; j < this.#columns.length; j++, at += this.#statistics) {
      for (let p = 0; p < this.#slots; p++, from += 3) this.#moment(params, from, mass[p], stats, at, p)
    }
  }

  #complete(params: Float64Array, mass: Float64Array, stats: Float64Array): void {
    for (let j = 0, at = 0, from = 0; j < this.#columns.length; j++, at += this.#statistics) {
      for (let p = 0; p < this.#slots; p++, from += 3)
        this.#moment(params, from, mass[p] - stats[at + p * this.#width], stats, at, p)
    }
  }

  firstAstray(
    stats: Float64Array,
    mass: Float64Array,
    rounding: number,
    spread: Float64Array,
    from: number,
  ): number {
    for (let j = from, at = from * this.#statistics; j < this.#columns.length; j++, at += this.#statistics) {
      for (let p = 0; p < this.#slots; p++) {
        const off = Math.abs(stats[at + p * this.#width] - mass[p])
        if (!(off <= rounding * mass[p] && this.inside(stats, p, spread, j))) return j
      }
    }
    return -1
  }

  inside(stats: Float64Array, slot: number, spread: Float64Array | undefined, j: number): boolean {
    const at = j * this.#statistics
    const wide = spread ? spread[j] : this.#total[j]
    return stats[at + slot * this.#width] > 0 && this.#varianceOf(stats, at, slot, j) > CLEAR * wide
  }

  /** v of column j; if tied, of all slots together. */
  within(stats: Float64Array, j: number): number {
    const slots = this.#slots
    const at = j * this.#statistics
    const squares = new Float64Array(this.#tied ? 1 : slots)
    const freedom = new Float64Array(this.#tied ? 1 : slots)
    let taken = 0
    for (let p = 0; p < slots; p++) {
      const own = at + p * this.#width
      const n = stats[own]
      const mean = this.#meanOf(stats, own, j)
      if (!this.#tied) taken = 0
      taken += n * mean * mean
      freedom[this.#tied ? 0 : p] += Math.max(n - 1, 0)
      if (!this.#tied) squares[p] = squaresLeft(stats[own + 2], taken)
    }
    if (this.#tied) squares[0] = squaresLeft(stats[at + slots * 2], taken)
    return withinSlots(squares, freedom, this.#total[j])
  }

  /** Where Σwx² of a slot stands, its column beginning at `at`. */
  #squares(at: number, slot: number): number {
    return this.#tied ? at + 2 * this.#slots : at + 3 * slot + 2
  }

  /** Of the slot whose n stands at `own`. */
  #meanOf(stats: Float64Array, own: number, j: number): number {
    return stats[own] > 0 ? stats[own + 1] / stats[own] : this.#centre[j]
  }

  /** σ² of a slot; if tied, of all slots together. */
  #varianceOf(stats: Float64Array, at: number, slot: number, j: number): number {
    const tied = this.#tied
    let within = stats[this.#squares(at, slot)] // Σ_p Σ w (x − μ_p)²
    let total = 0
    for (let p = tied ? 0 : slot; p < (tied ? this.#slots : slot + 1); p++) {
      const own = at + p * this.#width
      const mean = this.#meanOf(stats, own, j)
      within -= stats[own] * mean * mean
      total += stats[own]
    }
    return total > 0 ? within / total : this.#total[j]
  }

  /** stats of a slot += mass · E[s | θ], θ standing at `from`. */
  #moment(
    params: Float64Array,
    from: number,
    mass: number,
    stats: Float64Array,
    at: number,
    slot: number,
  ): void {
    const own = at + slot * this.#width
    const mean = params[from]
    stats[own] += mass
    stats[own + 1] += mass * mean
    stats[this.#squares(at, slot)] += mass * (mean * mean + 1 / params[from + 1])
  }
}
