/**
 * Sets of words that move word by word: a step touches only the words of its mini-batch. In each slot q_w = n_w/n, with n_w documents that contain
 * the word and n documents; a document without the word changes q_w through n, which all words share.
 *
 *     n_w ← n_w + ρ·Σ_i g_i [w ∈ i]  +  q_w·( delivered documents that are missing − ν·pull )  +  α·pull
 *     n   ← n + the mass delivered to the context
 *
 * g: the signed weights of the rows. All terms but the first map every word of a slot in the same way, n_w → φ·n_w + β: they are kept as
 * n_w = a·m_w + b, two numbers per slot. Σ_w ln(1 − q_w) is updated incrementally (kernels/absent-words.ts), and so are averages. Steps that leave the
 * domain are shortened as in guard.ts, slot by slot.
 */
import type { Bags, Weights } from "../contract/block.ts"
import type { LazyMean, SparseMoving, SparseStart, SparseStep } from "../contract/sparse.ts"
import { AbsentWords } from "../kernels/absent-words.ts"
import { log } from "../kernels/log.ts"
import { type MovingSet, nameSet } from "../kernels/moving-sets.ts"
import { takingWeights } from "./taking-weights.ts"

/** If a falls below this, m_w has lost digits: the slot is rebased, so that n_w = m_w again. */
const WORN = 1e-3
/** As in `inside` of wordSet. */
const EDGE = 1e-9
/** A product of this many factors q or 1 − q does not underflow. */
const FACTORS = 16

/**
 * Statistics: n_w at w·slots + p, replaced by m_w from now on, then n_p per slot. Prior: α documents with and α without each word.
 * While the set moves, its parameters are not up to date: scoring recognises the array and asks the set.
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
  /** Of the mini-batch: Σ_i g_i [w ∈ i] of its words, the list of them, and Σ_i g_i of the rows that are seen. */
  const met = new Float64Array(size)
  const which: number[] = []
  const isMet = new Uint8Array(words)
  const seen = new Float64Array(slots)
  /** Does any row have weight in the slot? */
  const isMoved = new Uint8Array(slots)
  const g = new Float64Array(slots)
  const means: Mean[] = []
  for (let p = 0; p < slots; p++) begin(p)

  /** Rebase the slot: n_w = m_w from here on. */
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
   * n_w → φ·n_w + β + γ·met_w, n → mass. Is every word inside then? A word outside the mini-batch can only come too close to n, the most frequent one
   * first; if that one is in the mini-batch, all words are checked.
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

  /** 1 if the step of the slot was shortened. */
  function moveSlot(p: number, step: SparseStep): number {
    const { mean: share, delivered, pull, pulledMass, mass: masses } = step
    const whole = n[p] + share * delivered[p] + pull * pulledMass[p]
    const mass = masses ? masses[p] : whole > 0 ? whole : n[p]
    // an empty class has nothing to move
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
    /** Σ_t n_w(t) = mean·counted + m_w·A + B + corrections for earlier m_w; A = Σa, B = Σb since the mean began. */
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

    /** Called before the slot is rebased. */
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

    // ln p = Σ_w ln(1 − q_w) + Σ_{w ∈ set} ln( q_w/(1 − q_w) ), one logarithm for the product of several factors
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
