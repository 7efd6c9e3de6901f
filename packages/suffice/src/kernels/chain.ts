/**
 * Recursions over the steps of one sequence, in k states: forward, backward with ξ, and the best path.
 *
 *     α_t(j) = b_t(j) Σ_i α_{t−1}(i) a_ij / c_t          c_t: what makes α_t sum to 1          ln L = Σ_t ln c_t
 *     β_{t−1}(i) = Σ_j a_ij b_t(j) β_t(j) / c_t          γ_t = α_t β_t          ξ_t(i, j) = α_{t−1}(i) a_ij b_t(j) β_t(j) / c_t
 *
 * (Rabiner 1989, 10.1109/5.18626.) Matrices are step by step: entry t·k + j. b is scaled to a maximum of 1 at each step. Where transitions are impossible, the only
 * state that is left may have underflowed; such a sequence is redone in logarithms.
 */
import { exp } from "./exp.ts"
import { log } from "./log.ts"
import { logSumExp } from "./log-sum-exp.ts"

/** The probabilities of a chain in one context, and their logarithms. */
export class ChainTables {
  readonly states: number
  /** ln π_l, ln a_ij at i·k + j, and ln e_l, the probability of ending after state l; all 0 if lengths are given. */
  readonly logInitial: Float64Array
  readonly logTransitions: Float64Array
  readonly logEnds: Float64Array
  readonly initial: Float64Array
  readonly transitions: Float64Array
  readonly ends: Float64Array
  /** Some transition, beginning or end has probability 0. */
  hasZeros = false

  constructor(states: number) {
    this.states = states
    this.logInitial = new Float64Array(states)
    this.logTransitions = new Float64Array(states * states)
    this.logEnds = new Float64Array(states)
    this.initial = new Float64Array(states)
    this.transitions = new Float64Array(states * states)
    this.ends = new Float64Array(states)
  }

  /** Computes the probabilities, once the logarithms are there. */
  ready(): void {
    this.hasZeros = false
    this.#exponentiate(this.logInitial, this.initial)
    this.#exponentiate(this.logTransitions, this.transitions)
    this.#exponentiate(this.logEnds, this.ends)
  }

  #exponentiate(logs: Float64Array, out: Float64Array): void {
    for (let j = 0; j < logs.length; j++) {
      out[j] = exp(logs[j])
      if (out[j] === 0) this.hasZeros = true
    }
  }
}

/** A step whose states all but vanish is not trusted to scaled numbers. */
const LEAST = 1e-100

/**
 * alpha and scale ← α and c of steps from … to − 1, the last c including the end. Returns Σ ln c_t, or NaN if the sequence has to be redone in logarithms.
 */
export function forward(
  { states: k, initial, transitions, ends, hasZeros }: ChainTables,
  b: Float64Array,
  from: number,
  to: number,
  alpha: Float64Array,
  scale: Float64Array,
): number {
  let sum = 0
  let product = 1
  for (let t = from; t < to; t++) {
    const at = t * k
    if (t === from) for (let j = 0; j < k; j++) alpha[at + j] = initial[j]
    else predict(transitions, k, alpha, at)
    let c = 0
    for (let j = 0; j < k; j++) {
      const reached = alpha[at + j]
      const joint = reached * b[at + j]
      // what vanishes may be all that later steps allow
      if (hasZeros && joint === 0 && reached > 0) return Number.NaN
      alpha[at + j] = joint > 0 ? joint : 0
      c += alpha[at + j]
    }
    if (!(c > LEAST)) return Number.NaN
    for (let j = 0; j < k; j++) alpha[at + j] /= c
    if (t === to - 1) {
      let end = 0
      for (let j = 0; j < k; j++) end += alpha[at + j] * ends[j]
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

/** The b of a state that a step rules out: 0 is one that underflowed. */
export const IMPOSSIBLE = -1

/** alpha_t(j) ← Σ_i α_{t−1}(i) a_ij */
function predict(transitions: Float64Array, k: number, alpha: Float64Array, at: number): void {
  for (let j = 0; j < k; j++) alpha[at + j] = 0
  for (let i = 0; i < k; i++) {
    const before = alpha[at - k + i]
    if (before === 0) continue
    const row = i * k
    for (let j = 0; j < k; j++) alpha[at + j] += before * transitions[row + j]
  }
}

/**
 * gamma ← γ, and counts[i·k + j] += weight · Σ_t ξ_t(i, j). `scratch`: 3k + k² numbers. Returns false, and adds nothing, if the sequence has to be redone in logarithms.
 */
export function backward(
  { states: k, transitions, ends }: ChainTables,
  b: Float64Array,
  from: number,
  to: number,
  alpha: Float64Array,
  scale: Float64Array,
  weight: number,
  gamma: Float64Array,
  counts: Float64Array,
  scratch: Float64Array,
): boolean {
  const beta = scratch.subarray(0, k)
  /** w_t(j) = b_t(j) β_t(j) / c_t */
  const ahead = scratch.subarray(k, 2 * k)
  const sums = scratch.subarray(2 * k, 2 * k + k * k)
  sums.fill(0)
  let end = 0
  for (let j = 0; j < k; j++) end += alpha[(to - 1) * k + j] * ends[j]
  for (let j = 0; j < k; j++) beta[j] = ends[j] / end
  for (let t = to - 1; t >= from; t--) {
    const at = t * k
    let total = 0
    for (let j = 0; j < k; j++) {
      const both = alpha[at + j] * beta[j]
      gamma[at + j] = both
      total += both
    }
    // an infinite β, where α was next to nothing
    if (!(total > 0.5 && total < 2)) return false
    if (t === from) break
    const c = t === to - 1 ? scale[t] / end : scale[t]
    for (let j = 0; j < k; j++) ahead[j] = b[at + j] > 0 ? (b[at + j] * beta[j]) / c : 0
    for (let i = 0; i < k; i++) {
      const row = i * k
      const before = alpha[at - k + i]
      let sum = 0
      for (let j = 0; j < k; j++) {
        sum += transitions[row + j] * ahead[j]
        sums[row + j] += before * ahead[j]
      }
      beta[i] = sum
    }
  }
  for (let j = 0; j < k * k; j++) {
    const xi = transitions[j] * sums[j]
    if (xi > 0) counts[j] += weight * xi
  }
  return true
}

/** As `forward`, in logarithms: alpha ← ln α, not scaled. `scores`: ln b. Returns ln L; −∞ if the sequence is impossible. */
export function forwardLogs(
  { states: k, logInitial, logTransitions, logEnds }: ChainTables,
  scores: Float64Array,
  from: number,
  to: number,
  alpha: Float64Array,
  scratch: Float64Array,
): number {
  for (let t = from; t < to; t++) {
    const at = t * k
    for (let j = 0; j < k; j++) {
      if (t === from) alpha[at + j] = logInitial[j] + scores[at + j]
      else {
        for (let i = 0; i < k; i++) scratch[i] = alpha[at - k + i] + logTransitions[i * k + j]
        alpha[at + j] = logSumExp(scratch, 0, k, 1) + scores[at + j]
      }
    }
  }
  for (let j = 0; j < k; j++) scratch[j] = alpha[(to - 1) * k + j] + logEnds[j]
  return logSumExp(scratch, 0, k, 1)
}

/** As `backward`, from the α and ln L of `forwardLogs`; ln L must be finite. */
export function backwardLogs(
  { states: k, logTransitions, logEnds }: ChainTables,
  scores: Float64Array,
  from: number,
  to: number,
  alpha: Float64Array,
  logLikelihood: number,
  weight: number,
  gamma: Float64Array,
  counts: Float64Array,
  scratch: Float64Array,
): void {
  const beta = scratch.subarray(0, k)
  const ahead = scratch.subarray(k, 2 * k)
  const terms = scratch.subarray(2 * k, 3 * k)
  beta.set(logEnds)
  for (let t = to - 1; t >= from; t--) {
    const at = t * k
    for (let j = 0; j < k; j++) gamma[at + j] = exp(alpha[at + j] + beta[j] - logLikelihood)
    if (t === from) return
    for (let j = 0; j < k; j++) ahead[j] = scores[at + j] + beta[j]
    for (let i = 0; i < k; i++) {
      const before = alpha[at - k + i] - logLikelihood
      for (let j = 0; j < k; j++) {
        terms[j] = logTransitions[i * k + j] + ahead[j]
        const xi = exp(before + terms[j])
        if (xi > 0) counts[i * k + j] += weight * xi
      }
      beta[i] = logSumExp(terms, 0, k, 1)
    }
  }
}

/**
 * path[from … to − 1] ← argmax_z ln p(steps, z) (Viterbi), of equal ones the first. `scores`: ln b, or that with a bonus for each step. `pointers`: as many numbers
 * as scores; `scratch`: 2k. Returns the maximum; −∞, and −1 in every step, if the sequence is impossible.
 */
export function bestPath(
  { states: k, logInitial, logTransitions, logEnds }: ChainTables,
  scores: Float64Array,
  from: number,
  to: number,
  path: Int32Array,
  pointers: Int32Array,
  scratch: Float64Array,
): number {
  let now = scratch.subarray(0, k)
  let next = scratch.subarray(k, 2 * k)
  for (let t = from; t < to; t++) {
    const at = t * k
    for (let j = 0; j < k; j++) {
      if (t === from) next[j] = logInitial[j] + scores[at + j]
      else {
        let best = 0
        let height = now[0] + logTransitions[j]
        for (let i = 1; i < k; i++) {
          const other = now[i] + logTransitions[i * k + j]
          if (!(other > height)) continue
          best = i
          height = other
        }
        pointers[at + j] = best
        next[j] = height + scores[at + j]
      }
    }
    const spent = now
    now = next
    next = spent
  }
  let best = 0
  for (let j = 0; j < k; j++) {
    now[j] += logEnds[j]
    if (now[j] > now[best]) best = j
  }
  const height = now[best]
  if (height === -Infinity) {
    path.fill(-1, from, to)
    return height
  }
  for (let t = to - 1; t >= from; t--) {
    path[t] = best
    if (t > from) best = pointers[t * k + best]
  }
  return height
}
