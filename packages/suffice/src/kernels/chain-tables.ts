/** The probabilities of a chain of k states in one context, and their logarithms. */
import { exp } from "./exp.ts"

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

/** Numbers per step in matrices that are step by step: k, rounded up to four; what lies behind the k is 0. */
export function strideOf(states: number): number {
  return (states + 3) & -4
}
