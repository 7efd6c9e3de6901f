/**
 * Sets of words that move one by one: only the words of a mini-batch are touched. n_w documents with the word and n documents, of each slot,
 * make q_w = n_w/n; so a document that does not have a word tells of it too, by n, which all words share.
 *
 *     n_w ← n_w + ρ·Σ_i g_i [w ∈ i]  +  q_w·( documents that came without being seen − ν·pull )  +  α·pull
 *     n   ← n + what came to the context
 *
 * g: the signed weights of the rows. All but the first term takes every word of a slot along the same line, n_w → φ·n_w + β: it is kept as
 * n_w = a·m_w + b, two numbers a slot. Σ_w ln(1 − q_w) is kept up with (kernels/absent-words.ts), and so are averages. Steps that leave the
 * domain are shortened as guard.ts does it, slot by slot.
 */
import type { Bags, Weights } from "../contract/block.ts"
import type { LazyMean, SparseMoving, SparseStart, SparseStep } from "../contract/sparse.ts"
import { AbsentWords } from "../kernels/absent-words.ts"
import { log } from "../kernels/log.ts"
import { type MovingSet, nameSet } from "../kernels/moving-sets.ts"
import { takingWeights } from "./taking-weights.ts"

/** Below this, m_w has lost digits: a slot's counts are written down, and begin anew. */
const WORN = 1e-3
/** As `inside` of wordSet. */
const EDGE = 1e-9
/** The product of this many factors q or 1 − q does not underflow. */
const FACTORS = 16

/**
 * Statistics n_w at w·slots + p, the documents with the word, where m_w lives from now on; n_p behind them, all documents. α with and α without each word is the prior.
 * Parameters that are on the move stand for the set: who scores with them asks it.
 */
export function movingSets(
  slots: number,
  place: number,
  isSeen: (bags: Bags, row: number) => boolean,
  { moments: counts, params, prior: [alpha] }: SparseStart,
): SparseMoving & MovingSet {
  const size = counts.length - slots
  const words = size / slots
  const a = new Float64Array(slots).fill(1)
  const b = new Float64Array(slots)
  const n = new Float64Array(slots)
  for (let p = 0; p < slots; p++) n[p] = counts[size + p]
  const absent = new AbsentWords(counts, words, { a, b, n })
  /** Σ_w ln(1 − q_w) of each slot. */
  const none = new Float64Array(slots)
  const taken = takingWeights()
  /** Σ_i g_i [w ∈ i] of the words that are met, which they are, and Σ_i g_i of the rows that are seen. */
  const met = new Float64Array(size)
  const which: number[] = []
  const isMet = new Uint8Array(words)
  const seen = new Float64Array(slots)
  /** Has any row a weight in the slot? */
  const isMoved = new Uint8Array(slots)
  const g = new Float64Array(slots)
  const means: Mean[] = []
  for (let p = 0; p < slots; p++) begin(p)

  /** n_w = m_w from here on. */
  function begin(p: number): void {
    for (const mean of means) mean.rest(p)
    for (let at = p; at < size; at += slots) counts[at] = a[p] * counts[at] + b[p]
    a[p] = 1
    b[p] = 0
    absent.renew(p)
    none[p] = absent.sum(p)
  }

  function gather(bags: Bags, rows: number, weights: Weights): void {
    for (let i = 0; i < rows; i++) {
      if (!isSeen(bags, i)) continue
      const one = weights.form === "one" ? weights.slot[i] : -1
      if (weights.form === "one") {
        if (weights.weight[i] === 0) continue
        seen[one] += weights.weight[i]
        isMoved[one] = 1
      } else {
        for (let p = 0; p < slots; p++) {
          g[p] = weights.values[p * rows + i]
          seen[p] += g[p]
          if (g[p] !== 0) isMoved[p] = 1
        }
      }
      for (let t = bags.offsets[i]; t < bags.offsets[i + 1]; t++) {
        const w = bags.words[t]
        if (!isMet[w]) which.push(w)
        isMet[w] = 1
        if (weights.form === "one") met[w * slots + one] += weights.weight[i]
        else for (let p = 0; p < slots; p++) met[w * slots + p] += g[p]
      }
    }
  }

  /**
   * n_w → φ·n_w + β + γ·met_w, n → mass. Is every word inside then? Words that are not met can only come too close to n, and the most frequent one
   * comes first; where it is met it moves otherwise, and all are looked at.
   */
  function isInside(p: number, phi: number, beta: number, gamma: number, mass: number): boolean {
    if (!(phi > 0)) return false
    const [slope, level] = [phi * a[p], phi * b[p] + beta]
    const [least, most] = [EDGE * mass, mass - EDGE * mass]
    for (let j = 0; isMoved[p] && j < which.length; j++) {
      const at = which[j] * slots + p
      const after = slope * counts[at] + level + gamma * met[at]
      if (!(after >= least && after <= most)) return false
    }
    if (slope * absent.most(p) + level <= most) return true
    return absent.frequent(p).every(w => {
      const at = w * slots + p
      return slope * counts[at] + level + gamma * met[at] <= most
    })
  }

  /** 1 if the slot was held back. */
  function moveSlot(p: number, step: SparseStep): number {
    const { mean: share, delivered, pull, pulledMass, mass: masses } = step
    const whole = n[p] + share * delivered[p] + pull * pulledMass[p]
    const mass = masses ? masses[p] : whole > 0 ? whole : n[p]
    // a class that no row belongs to has nothing to move
    if (!(n[p] > 0 && mass > 0)) return 0
    const unseen = share * (delivered[p] - seen[p]) + pull * (pulledMass[p] - 2 * alpha)
    // shape = (1 − t)·before/n + t·after/whole, as in guard.ts
    let t = whole > 0 ? 1 : 0
    let [phi, beta, gamma] = [0, 0, 0]
    for (let halvings = 1; ; halvings++) {
      const part = t > 0 ? (mass * t) / whole : 0
      phi = (mass * (1 - t)) / n[p] + part * (1 + unseen / n[p])
      beta = part * pull * alpha
      gamma = part * share
      if (t === 0 || isInside(p, phi, beta, gamma, mass)) break
      t = halvings === step.halvings ? 0 : t / 2
    }
    a[p] *= phi
    b[p] = phi * b[p] + beta
    n[p] = mass
    for (let j = 0; isMoved[p] && j < which.length; j++) {
      const w = which[j]
      const at = w * slots + p
      const before = counts[at]
      const after = before + (gamma * met[at]) / a[p]
      if (after === before) continue
      counts[at] = after
      absent.moved(w, p, before, after)
      for (const mean of means) mean.moved(at, p, after - before)
    }
    if (a[p] < WORN) begin(p)
    else none[p] = absent.sum(p)
    return t < 1 ? 1 : 0
  }

  class Mean implements LazyMean {
    /** Σ_t n_w(t) = mean·counted + m_w·A + B + what m_w was short of on the way; A = Σa, B = Σb since. */
    readonly #mean: Float64Array
    #counted: number
    #since = 0
    readonly #a = new Float64Array(slots)
    readonly #b = new Float64Array(slots)
    readonly #n = new Float64Array(slots)
    readonly #short = new Float64Array(size)

    constructor(mean: Float64Array, counted: number) {
      this.#mean = mean.slice()
      this.#counted = counted
    }

    add(): void {
      this.#since++
      for (let p = 0; p < slots; p++) {
        this.#a[p] += a[p]
        this.#b[p] += b[p]
        this.#n[p] += n[p]
      }
    }

    moved(at: number, p: number, by: number): void {
      this.#short[at] -= by * this.#a[p]
    }

    /** Before m_w of this slot begins anew. */
    rest(p: number): void {
      for (let at = p; at < size; at += slots) this.#short[at] += counts[at] * this.#a[p] + this.#b[p]
      this.#a[p] = 0
      this.#b[p] = 0
    }

    write(mean: Float64Array): void {
      if (this.#since === 0) {
        mean.set(this.#mean)
        return
      }
      const steps = this.#counted + this.#since
      for (let at = 0, p = 0; at < size; at++) {
        const since = this.#short[at] + counts[at] * this.#a[p] + this.#b[p]
        mean[at] = (this.#mean[at] * this.#counted + since) / steps
        if (++p === slots) p = 0
      }
      for (let p = 0; p < slots; p++)
        mean[size + p] = (this.#mean[size + p] * this.#counted + this.#n[p]) / steps
    }

    settle(): void {
      this.write(this.#mean)
      this.#counted += this.#since
      this.#since = 0
      this.#n.fill(0)
      this.#short.fill(0)
    }

    end(): void {
      means.splice(means.indexOf(this), 1)
    }
  }

  const moving: SparseMoving & MovingSet = {
    take: taken.take,

    step({ cells, rows }, step) {
      for (const weights of taken.weights()) gather(cells[place] as Bags, rows, weights)
      let guarded = 0
      for (let p = 0; p < slots; p++) guarded += moveSlot(p, step)
      for (const w of which) {
        isMet[w] = 0
        met.fill(0, w * slots, (w + 1) * slots)
      }
      which.length = 0
      seen.fill(0)
      isMoved.fill(0)
      return guarded
    },

    settle() {
      for (let p = 0; p < slots; p++) begin(p)
      for (const mean of means) mean.settle()
    },

    write(into) {
      for (let at = 0, p = 0; at < size; at++) {
        into[at] = a[p] * counts[at] + b[p]
        if (++p === slots) p = 0
      }
      into.set(n, size)
    },

    average(mean, steps) {
      const made = new Mean(mean, steps)
      means.push(made)
      return made
    },

    // ln p = Σ_w ln(1 − q_w) + Σ_{w ∈ set} ln( q_w/(1 − q_w) ), of which products are made first
    score(bags, isSeen, rows, out) {
      // a slot without documents: q = ½, as in families/word-set.ts
      const slope = a.map((value, p) => (n[p] > 0 ? value / n[p] : 0))
      const level = b.map((value, p) => (n[p] > 0 ? value / n[p] : 0.5))
      const yes = new Float64Array(slots)
      const no = new Float64Array(slots)
      for (let i = 0; i < rows; i++) {
        if (!isSeen(bags, i)) continue
        const end = bags.offsets[i + 1]
        for (let p = 0; p < slots; p++) out[p * rows + i] += none[p]
        for (let t = bags.offsets[i]; t < end; ) {
          const until = Math.min(t + FACTORS, end)
          yes.fill(1)
          no.fill(1)
          for (; t < until; t++) {
            const from = bags.words[t] * slots
            for (let p = 0; p < slots; p++) {
              const q = slope[p] * counts[from + p] + level[p]
              yes[p] *= q
              no[p] *= 1 - q
            }
          }
          for (let p = 0; p < slots; p++) out[p * rows + i] += log(yes[p] / no[p])
        }
      }
    },
  }
  nameSet(params, moving)
  return moving
}
