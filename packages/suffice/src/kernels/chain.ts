/**
 * Recursions over the steps of sequences, in k states: forward, and backward with ξ.
 *
 *     α_t(j) = b_t(j) Σ_i α_{t−1}(i) a_ij / c_t          c_t: what makes α_t sum to 1          ln L = Σ_t ln c_t
 *     β_{t−1}(i) = Σ_j a_ij b_t(j) β_t(j) / c_t          γ_t = α_t β_t          ξ_t(i, j) = α_{t−1}(i) a_ij b_t(j) β_t(j) / c_t
 *
 * (Rabiner 1989, 10.1109/5.18626.) Scores come state by state, ln b_t(l) at `at` + l·column + t; matrices are step by step, entry t·K + j with K = `strideOf(k)`. Sequence i
 * is the steps offsets[i] … offsets[i + 1] − 1. b is scaled to a maximum of 1 at each step. Where transitions are impossible, the only state that is left may have
 * underflowed; such a sequence is redone in logarithms (chain-logs.ts). Twin: assembly/chain.ts. Sums over states add even and odd ones apart.
 */
import type { bestPaths } from "./best-paths.ts"
import { type ChainTables, strideOf } from "./chain-tables.ts"
import { exp } from "./exp.ts"
import { log } from "./log.ts"

/** A step whose states all but vanish is not trusted to scaled numbers. */
export const LEAST = 1e-100
/** The b of a state that a step rules out: 0 is one that underflowed. */
export const IMPOSSIBLE = -1

/** What chains do in kernels. */
export interface ChainKernels {
  readonly forwardRows: typeof forwardRows
  readonly backwardRows: typeof backwardRows
  readonly bestPaths: typeof bestPaths
}

/** What the forward pass leaves for the backward pass, in one context. */
export interface ChainSteps {
  /** b_t(l), scaled, and α_t(l). */
  readonly b: Float64Array
  readonly alpha: Float64Array
  /** c_t, that of the last step including the end; and what b_t was scaled by, in logarithms. */
  readonly scale: Float64Array
  readonly tops: Float64Array
}

/**
 * held ← b, α, c; sums[i] ← Σ_t ln c_t, or NaN for a sequence that has to be redone in logarithms. A step that is impossible in every state says nothing of it, but for its tag.
 */
export function forwardRows(
  table: ChainTables,
  scores: Float64Array,
  at: number,
  column: number,
  tags: Int32Array | undefined,
  offsets: Int32Array,
  rows: number,
  held: ChainSteps,
  sums: Float64Array,
): void {
  const k = table.states
  const K = strideOf(k)
  const { b, tops } = held
  for (let t = offsets[0]; t < offsets[rows]; t++) {
    let top = -Infinity
    for (let l = 0, s = at + t; l < k; l++, s += column) if (scores[s] > top) top = scores[s]
    tops[t] = top
    const to = t * K
    for (let l = 0, s = at + t; l < k; l++, s += column) {
      if (top > -Infinity) b[to + l] = scores[s] > -Infinity ? exp(scores[s] - top) : IMPOSSIBLE
      else b[to + l] = !tags || tags[t] < 0 || tags[t] === l ? 1 : IMPOSSIBLE
    }
    for (let l = k; l < K; l++) b[to + l] = 0
  }
  for (let i = 0; i < rows; i++) sums[i] = forward(table, offsets[i], offsets[i + 1], held)
}

function forward(
  { states: k, initial, transitions, ends, hasZeros }: ChainTables,
  from: number,
  to: number,
  { b, alpha, scale }: ChainSteps,
): number {
  const K = strideOf(k)
  let sum = 0
  let product = 1
  for (let t = from; t < to; t++) {
    const at = t * K
    for (let j = k; j < K; j++) alpha[at + j] = 0
    if (t === from) for (let j = 0; j < k; j++) alpha[at + j] = initial[j]
    else predict(transitions, k, alpha, at - K, at)
    let even = 0
    let odd = 0
    for (let j = 0; j < k; j++) {
      const reached = alpha[at + j]
      const joint = reached * b[at + j]
      // what vanishes may be all that later steps allow
      if (hasZeros && joint === 0 && reached > 0) return Number.NaN
      alpha[at + j] = joint > 0 ? joint : 0
      if (j & 1) odd += alpha[at + j]
      else even += alpha[at + j]
    }
    let c = even + odd
    if (!(c > LEAST)) return Number.NaN
    const part = 1 / c
    for (let j = 0; j < k; j++) alpha[at + j] *= part
    if (t === to - 1) {
      const end = endOf(ends, k, alpha, at)
      if (!(end > LEAST)) return Number.NaN
      c *= end
    }
    scale[t] = c
    product *= c
    // one logarithm for many steps
    if (product < LEAST) {
      sum += log(product)
      product = 1
    }
  }
  return sum + log(product)
}

/** α at `to` ← Σ_i α(i) a_ij of that at `from`. */
function predict(transitions: Float64Array, k: number, alpha: Float64Array, from: number, to: number): void {
  for (let j = 0; j < k; j++) alpha[to + j] = 0
  for (let i = 0; i < k; i++) {
    const before = alpha[from + i]
    if (before === 0) continue
    const row = i * k
    for (let j = 0; j < k; j++) alpha[to + j] += before * transitions[row + j]
  }
}

/** Σ_l α(l) e_l */
function endOf(ends: Float64Array, k: number, alpha: Float64Array, at: number): number {
  let even = 0
  let odd = 0
  for (let j = 0; j < k; j++) {
    if (j & 1) odd += alpha[at + j] * ends[j]
    else even += alpha[at + j] * ends[j]
  }
  return even + odd
}

/**
 * values[at + l·column + t] ← w γ_t(l), and counts[i·k + j] += w Σ_t ξ_t(i, j), w the weight of the sequence; 0 for sequences of weight 0. terms[i] ← Σ_t Σ ξ_t(i, j) ln a_ij of the
 * sequence, or NaN, and nothing counted, if it has to be redone in logarithms.
 */
export function backwardRows(
  table: ChainTables,
  held: ChainSteps,
  offsets: Int32Array,
  rows: number,
  weights: Float64Array,
  values: Float64Array,
  at: number,
  column: number,
  counts: Float64Array,
  terms: Float64Array,
): void {
  const k = table.states
  const scratch = new Float64Array(2 * k + k * k)
  for (let i = 0; i < rows; i++) {
    const [from, to] = [offsets[i], offsets[i + 1]]
    terms[i] = 0
    if (weights[i] === 0 || from === to)
      for (let l = 0; l < k; l++) values.fill(0, at + l * column + from, at + l * column + to)
    else terms[i] = backward(table, held, from, to, weights[i], values, at, column, counts, scratch)
  }
}

function backward(
  { states: k, transitions, logTransitions, ends }: ChainTables,
  { b, alpha, scale }: ChainSteps,
  from: number,
  to: number,
  weight: number,
  values: Float64Array,
  valuesAt: number,
  column: number,
  counts: Float64Array,
  scratch: Float64Array,
): number {
  const K = strideOf(k)
  const beta = scratch.subarray(0, k)
  /** w_t(j) = b_t(j) β_t(j) / c_t */
  const ahead = scratch.subarray(k, 2 * k)
  const sums = scratch.subarray(2 * k, 2 * k + k * k)
  sums.fill(0)
  const end = endOf(ends, k, alpha, (to - 1) * K)
  for (let j = 0; j < k; j++) beta[j] = ends[j] / end
  for (let t = to - 1; t >= from; t--) {
    const at = t * K
    let even = 0
    let odd = 0
    for (let j = 0, v = valuesAt + t; j < k; j++, v += column) {
      const both = alpha[at + j] * beta[j]
      values[v] = weight * both
      if (j & 1) odd += both
      else even += both
    }
    const total = even + odd
    // an infinite β, where α was next to nothing
    if (!(total > 0.5 && total < 2)) return Number.NaN
    if (t === from) break
    const part = 1 / (t === to - 1 ? scale[t] / end : scale[t])
    for (let j = 0; j < k; j++) ahead[j] = b[at + j] > 0 ? b[at + j] * beta[j] * part : 0
    for (let i = 0; i < k; i++) {
      const row = i * k
      const before = alpha[at - K + i]
      let sum = 0
      for (let j = 0; j < k; j++) {
        sum += transitions[row + j] * ahead[j]
        sums[row + j] += before * ahead[j]
      }
      beta[i] = sum
    }
  }
  let even = 0
  let odd = 0
  for (let j = 0; j < k; j++) {
    for (let i = 0; i < k; i++) {
      const xi = transitions[i * k + j] * sums[i * k + j]
      if (!(xi > 0)) continue
      counts[i * k + j] += weight * xi
      if (i & 1) odd += xi * logTransitions[i * k + j]
      else even += xi * logTransitions[i * k + j]
    }
  }
  return even + odd
}
