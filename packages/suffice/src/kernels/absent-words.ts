/**
 * Σ_w ln(1 − q_w) of every slot, updated while its words move instead of summed over the vocabulary.
 *
 *     q_w = (a·m_w + b)/n                          m_w of one word moves by itself; a, b and n of a slot move all of its words
 *     ln(1 − q_w) = ln(1 − q_c) + ln(1 − ξ·d_w)      q_c = (a·c + b)/n,  d_w = m_w − c,  ξ = a/(n − a·c − b)
 *     Σ_w ln(1 − ξ·d_w) = −Σ_k ξ^k/k · Σ_w d_w^k     k = 1 … 10
 *
 * c is the mean of the m_w. While ξ·|d_w| ≤ 1/16, ten terms err by less than 1e-14. Words further away, the frequent ones, are in a list and
 * computed one by one. So a step costs only the words that move and the frequent ones.
 */
import { log, log1p } from "./log.ts"

/** Numbers of a slot that all of its words share. */
export interface SharedBySlot {
  readonly a: Float64Array
  readonly b: Float64Array
  readonly n: Float64Array
}

const TERMS = 10
/** The largest ξ·|d_w| of the series. Words are assigned to it with a margin: ξ may double before they are sorted again. */
const NEAR = 1 / 16
/** This many factors between 1e-9 and 1 do not underflow. */
const FACTORS = 16
/** A list is sorted again when it has grown by this many and by half. */
const FEW = 256

export class AbsentWords {
  readonly #counts: Float64Array
  readonly #words: number
  readonly #slots: number
  readonly #shared: SharedBySlot
  readonly #centre: Float64Array
  /** The largest |d_w| of words in the sums. */
  readonly #reach: Float64Array
  /** Σ_w d_w^k of slot p at p·TERMS + k − 1. */
  readonly #sums: Float64Array
  readonly #most: Float64Array
  /** Is the word in the list of its slot? */
  readonly #isFar: Uint8Array
  readonly #far: number[][]
  /** The length of each slot's list when it was made. */
  readonly #made: Int32Array

  /** `counts`: m_w of slot p at w·slots + p. */
  constructor(counts: Float64Array, words: number, shared: SharedBySlot) {
    const slots = shared.n.length
    this.#counts = counts
    this.#words = words
    this.#slots = slots
    this.#shared = shared
    this.#centre = new Float64Array(slots)
    this.#reach = new Float64Array(slots)
    this.#sums = new Float64Array(slots * TERMS)
    this.#most = new Float64Array(slots)
    this.#isFar = new Uint8Array(words * slots)
    this.#far = Array.from({ length: slots }, () => [])
    this.#made = new Int32Array(slots)
  }

  /** Recomputes everything of this slot from the counts, so that the state does not depend on earlier steps. */
  renew(p: number): void {
    this.#reach[p] = Infinity
    if (this.#shared.n[p] > 0 && this.#words > 0) this.#sort(p)
  }

  /** A word that has moved. */
  moved(w: number, p: number, before: number, after: number): void {
    if (this.#isFar[w * this.#slots + p]) return
    this.#add(p, before - this.#centre[p], -1)
    this.#put(w, p, after - this.#centre[p])
  }

  /** An upper bound of m_w, as of the last sum. */
  most(p: number): number {
    return this.#most[p]
  }

  /** The listed words: only these can have q close to 1. */
  frequent(p: number): readonly number[] {
    return this.#far[p]
  }

  /** Σ_w ln(1 − q_w). */
  sum(p: number): number {
    // a slot without documents: q = ½
    if (!(this.#shared.n[p] > 0)) return this.#words * log(0.5)
    if (this.#words === 0) return 0
    const list = this.#far[p].length
    if (!(this.#steepness(p) * this.#reach[p] <= NEAR) || list > 1.5 * this.#made[p] + FEW) this.#sort(p)
    const { a, b, n } = this.#shared
    const far = this.#far[p]
    const xi = this.#steepness(p)
    let power = 1
    let series = 0
    for (let k = 0; k < TERMS; k++) {
      power *= xi
      series += (power / (k + 1)) * this.#sums[p * TERMS + k]
    }
    let sum = (this.#words - far.length) * log1p(-(a[p] * this.#centre[p] + b[p]) / n[p]) - series
    const counts = this.#counts
    const slots = this.#slots
    const slope = a[p] / n[p]
    const rest = 1 - b[p] / n[p]
    let most = this.#centre[p] + this.#reach[p]
    for (let j = 0; j < far.length; ) {
      const until = Math.min(j + FACTORS, far.length)
      let product = 1
      for (; j < until; j++) {
        const count = counts[far[j] * slots + p]
        if (count > most) most = count
        product *= rest - slope * count
      }
      sum += log(product)
    }
    this.#most[p] = most
    return sum
  }

  /** ξ */
  #steepness(p: number): number {
    const { a, b, n } = this.#shared
    return a[p] / (n[p] - a[p] * this.#centre[p] - b[p])
  }

  /** Assigns words to the sums or the list. The limit only shrinks until everything is recomputed, so that a slot whose mass fluctuates is not sorted at every step. */
  #sort(p: number): void {
    const slots = this.#slots
    let total = 0
    for (let at = p; at < this.#isFar.length; at += slots) total += this.#counts[at]
    this.#centre[p] = total / this.#words
    const xi = this.#steepness(p)
    if (!(xi * this.#reach[p] <= NEAR)) this.#reach[p] = NEAR / (2 * xi)
    this.#far[p] = []
    this.#sums.fill(0, p * TERMS, (p + 1) * TERMS)
    for (let w = 0, at = p; w < this.#words; w++, at += slots) {
      this.#isFar[at] = 0
      this.#put(w, p, this.#counts[at] - this.#centre[p])
    }
    this.#made[p] = this.#far[p].length
  }

  /** Adds a word to the sums, or to the list. */
  #put(w: number, p: number, d: number): void {
    if (Math.abs(d) <= this.#reach[p]) this.#add(p, d, 1)
    else {
      this.#isFar[w * this.#slots + p] = 1
      this.#far[p].push(w)
    }
  }

  #add(p: number, d: number, sign: 1 | -1): void {
    const sums = this.#sums
    let power = sign as number
    for (let at = p * TERMS; at < (p + 1) * TERMS; at++) {
      power *= d
      sums[at] += power
    }
  }
}
