/**
 * Topics that move word by word: a step touches only the words of its mini-batch.
 *
 *     online EM   W ← (1 − ρ)·W + ρ·mean( c_w r_wk )            kept as W = s·U, s = Π(1 − ρ): a step changes s, and U of its words
 *     sdEM        W ← max( W + ρ Σ_i g_i x_iw r_iwk, least )    the prior's pull towards equal words accumulates until `settle`
 *
 * While they move, φ_wk = (U_wk + e) · inverse_k with e = η/(n·s): the parameters of words that do not occur need no update.
 *
 * α moves with them. Under online EM T and S are moments like the others (layout.ts), once steps are small: before, topics are random, and every document
 * would ask for equal proportions. Under sdEM it follows the score, ∂score/∂α_k = ln(θ̂_k/m_k).
 */
import type { Bags, Block, Weights } from "../../contract/block.ts"
import type { SparseMoving, SparseStart } from "../../contract/sparse.ts"
import { exp } from "../../kernels/exp.ts"
import { log } from "../../kernels/log.ts"
import { digamma } from "../../kernels/log-gamma.ts"
import { deliverEach, deliverOne, moveTopics } from "../../kernels/topic-counts.ts"
import { gatheredOf, placesOf, widthOf } from "../../kernels/topic-shape.ts"
import { memoryOf } from "../../kernels/word-memory.ts"
import { alphaOf, LEAST_ALPHA } from "./alpha.ts"
import type { Folded } from "./folded.ts"
import type { TopicLayout } from "./layout.ts"

/** `least` is this fraction of what an unseen word starts with, or of one count if it starts with nothing. */
const LEAST = 0.01
/** Online EM: α moves in steps of at most this size: from the 20th on, if ρ_t = (t + 2)^−0.6. */
const SMALL = 0.16
/** sdEM: ln α moves by this much where words move by one document, and by at most FAR in a step; α₀ stays below MOST. */
const PACE = 0.025
const FAR = 0.3
const MOST = 1000
/** Below this, s is multiplied into U. */
const WORN = 1e-60

/** The numbers that the moments below are allocated as, besides η and θ. */
export function roomOf(shape: TopicLayout): number {
  const { n, slots, own, shared } = shape
  return n + slots * own + shared + gatheredOf(shape)
}

/** `countsOf`: the scaled counts of bags. `eta`: the prior per word. `fixed`: α of the topics, if it is not learned. */
export function movingTopics(
  shape: TopicLayout,
  place: number,
  countsOf: (bags: Bags) => Float64Array,
  eta: number,
  fixed: Float64Array | undefined,
  { moments, params, strength, added, weight: first, begun, inertia, shrinks }: SparseStart,
): SparseMoving {
  const { slots, own, shared, words, topics, n, tables, exposure } = shape
  const at = placesOf(shape)
  const width = widthOf(shape)
  const count = slots * own + shared
  const memory = memoryOf(params)
  const totals = memory.numbers(count)
  /** Σ_i g_i x_iw r_iwk of the mini-batch. */
  const delta = memory.numbers(n)
  const gathered = gatheredOf(shape)
  if (gathered > 0) memory.topics?.gatherOnce(params, shape, memory.numbers(gathered))
  /** Of the mini-batch: Σ_i g_i, and per slot the tables, the exposure, and the slope of the score in ln α. */
  const documents = new Float64Array(slots)
  const met = new Float64Array(slots * topics)
  const exposed = new Float64Array(slots)
  const slope = new Float64Array(slots * topics)
  /** ψ(α_k), of all slots, for the present α. */
  const psi = new Float64Array(slots * topics)
  const least = shrinks ? 0 : (LEAST * (strength * eta + inertia || 1)) / begun
  const learns = fixed === undefined
  let s = 1
  let weight = first
  /** Σρ of the pull since the last `settle`. */
  let due = 0
  params.set(moments.subarray(0, n))
  settle()

  return {
    take(weights, block, work) {
      const bags = block.cells[place] as Bags
      const counts = countsOf(bags)
      const { g } = work as Folded
      const { topics: fast } = memory
      const { rows } = block
      if (weights.form === "one") {
        const { slot, weight } = weights
        if (fast) fast.deliverOne(bags, countsOf, rows, slot, weight, params, shape, g, delta)
        else deliverOne(bags, counts, rows, slot, weight, params, shape, g, delta)
      } else if (fast) fast.deliverEach(bags, countsOf, rows, weights.values, params, shape, g, delta)
      else deliverEach(bags, counts, rows, weights.values, params, shape, g, delta)
      if (!learns) return
      for (let i = 0; i < block.rows; i++) {
        if (bags.offsets[i] === bags.offsets[i + 1]) continue
        let length = 0
        for (let t = bags.offsets[i]; t < bags.offsets[i + 1]; t++) length += counts[t]
        eachSlot(weights, i, block, (p, w) => meet(p, w, length, g, (p * block.rows + i) * width))
      }
    },

    step({ cells, rows }, { each, due: more, towards, weight: now }) {
      const bags = cells[place] as Bags
      weight = now
      if (towards > 0) shrink(1 - towards)
      if (memory.topics)
        memory.topics.moveTopics(bags, countsOf, rows, shape, each / s, least, params, delta, totals)
      else moveTopics(bags, rows, shape, each / s, least, params, delta, totals)
      if (shrinks) averageAlpha(towards, each)
      else tiltAlpha(each * weight * PACE)
      due += more
      normalise()
      documents.fill(0)
      met.fill(0)
      exposed.fill(0)
      slope.fill(0)
      return 0
    },

    settle,

    write(now) {
      for (let j = 0; j < n; j++) now[j] = s * params[j]
    },
  }

  function eachSlot(
    weights: Weights,
    i: number,
    { rows }: Block,
    visit: (p: number, w: number) => void,
  ): void {
    if (weights.form === "one") {
      if (weights.weight[i] !== 0) visit(weights.slot[i], weights.weight[i])
      return
    }
    for (let p = 0; p < slots; p++) {
      const w = weights.values[p * rows + i]
      if (w !== 0) visit(p, w)
    }
  }

  /** What a document of this length says of α in slot p; its θ̂ is g, from `from` on. */
  function meet(p: number, w: number, length: number, g: Float64Array, from: number): void {
    const alpha = at.alpha + p * topics
    let total = 0
    for (let k = 0; k < topics; k++) total += params[alpha + k]
    documents[p] += w
    if (shrinks) {
      // T_k = α_k [ψ(α_k + n_k) − ψ(α_k)]        S = ψ(α₀ + N) − ψ(α₀)
      exposed[p] += w * (digamma(total + length) - digamma(total))
      for (let k = 0; k < topics; k++)
        met[p * topics + k] += w * params[alpha + k] * (digamma(g[from + k]) - psi[p * topics + k])
    } else {
      // α_k ln(θ̂_k / m_k)
      for (let k = 0; k < topics; k++) {
        const own = params[alpha + k]
        slope[p * topics + k] += w * own * log(((g[from + k] / (length + total)) * total) / own)
      }
    }
  }

  /** W ← by·W */
  function shrink(by: number): void {
    if (s * by < WORN) {
      const fold = s * by
      for (let j = 0; j < n; j++) params[j] *= fold
      for (let q = 0; q < count; q++) totals[q] *= fold
      s = 1
    } else s *= by
  }

  /** T and S, and with them α, move as the words do; while steps are large, α stays: T_k = α_k·S. */
  function averageAlpha(towards: number, each: number): void {
    for (let p = 0; p < slots; p++) {
      moments[n + p] = (1 - towards) * moments[n + p] + each * documents[p]
      if (!learns) continue
      moments[exposure + p] = (1 - towards) * moments[exposure + p] + each * exposed[p]
      for (let k = 0; k < topics; k++) {
        const alpha = at.alpha + p * topics + k
        const j = tables + p * topics + k
        if (towards > SMALL) moments[j] = params[alpha] * moments[exposure + p]
        else moments[j] = (1 - towards) * moments[j] + each * met[p * topics + k]
      }
    }
    if (learns && towards <= SMALL) readAlpha()
  }

  /** ln α_k += ρ·slope_k, at most FAR; T_k = α_k·S. */
  function tiltAlpha(rho: number): void {
    if (!learns) return
    for (let p = 0; p < slots; p++) {
      const alpha = at.alpha + p * topics
      let total = 0
      for (let k = 0; k < topics; k++) {
        const by = Math.max(-FAR, Math.min(FAR, rho * slope[p * topics + k]))
        params[alpha + k] = Math.max(params[alpha + k] * exp(by), LEAST_ALPHA)
        total += params[alpha + k]
      }
      const cap = Math.min(1, MOST / total)
      for (let k = 0; k < topics; k++) {
        params[alpha + k] *= cap
        moments[tables + p * topics + k] = params[alpha + k] * moments[exposure + p]
      }
    }
  }

  /** α = T/S, if it is learned. */
  function readAlpha(): void {
    for (let q = 0; q < slots * topics; q++) {
      const own =
        fixed?.[q % topics] ?? alphaOf(moments[tables + q], moments[exposure + Math.trunc(q / topics)])
      params[at.alpha + q] = own
      psi[q] = digamma(own)
    }
  }

  /** e = η/(n·s), inverse = 1/Σ_w (U + e). */
  function normalise(): void {
    const e = (added * eta) / (weight * s)
    params[at.e] = e
    for (let q = 0; q < count; q++) {
      const total = totals[q] + words * e
      params[at.inverse + q] = total > 0 ? 1 / total : 0
    }
  }

  function settle(): void {
    shrinkIn()
    pull()
    for (let q = 0; q < count; q++) totals[q] = 0
    for (let w = 0, j = 0; w < words; w++) for (let q = 0; q < slots * own; q++, j++) totals[q] += params[j]
    for (let w = 0, j = at.shared; w < words; w++)
      for (let t = 0; t < shared; t++, j++) totals[slots * own + t] += params[j]
    readAlpha()
    normalise()
  }

  /** U ← s·U */
  function shrinkIn(): void {
    if (s === 1) return
    for (let j = 0; j < n; j++) params[j] *= s
    s = 1
  }

  /** The pull due, towards equal words: W ← W + share·(mean − W), but at least `least`. */
  function pull(): void {
    if (shrinks) return
    const share = totals.map(total =>
      total > 0 ? Math.min((due * strength * eta * words) / (begun * total), 1) : 0,
    )
    const mean = totals.map(total => total / words)
    due = 0
    const move = (j: number, q: number): void => {
      params[j] = Math.max(params[j] + share[q] * (mean[q] - params[j]), least)
    }
    for (let w = 0, j = 0; w < words; w++) for (let q = 0; q < slots * own; q++, j++) move(j, q)
    for (let w = 0, j = at.shared; w < words; w++)
      for (let t = 0; t < shared; t++, j++) move(j, slots * own + t)
  }
}
