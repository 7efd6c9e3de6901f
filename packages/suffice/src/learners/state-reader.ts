/** Reads the state of a learner from a checkpoint. Throws on values that no step writes: learning from them might never end. */
import type { Learnable } from "../contract/learnable.ts"
import type { LearnerState } from "../contract/learner.ts"
import { SufficeError, show } from "../errors.ts"

export class StateReader {
  readonly #learner: string
  readonly #state: LearnerState
  readonly #statistics: number
  readonly #spreads: number

  constructor(learner: string, state: LearnerState, { theta }: Pick<Learnable, "theta">) {
    this.#learner = learner
    this.#state = state
    this.#statistics = theta.prior.length
    this.#spreads = theta.spreads
  }

  /** An integer in a range. */
  count(name: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
    const value = this.#number(name) as number
    if (Number.isSafeInteger(value) && value >= least && value <= most) return value
    const range = most === Number.MAX_SAFE_INTEGER ? `≥ ${least}` : `from ${least} to ${most}`
    throw this.#error(name, value, `a whole number ${range}`)
  }

  /** A finite number ≥ 0. */
  amount(name: string): number {
    const value = this.#number(name) as number
    if (Number.isFinite(value) && value >= 0) return value
    throw this.#error(name, value, "a finite number ≥ 0")
  }

  /** A finite number > 0. */
  positive(name: string): number {
    const value = this.#number(name) as number
    if (Number.isFinite(value) && value > 0) return value
    throw this.#error(name, value, "a finite number above 0")
  }

  /** Any number, including infinities and NaN. */
  measured(name: string): number {
    const value = this.#number(name)
    if (typeof value === "number") return value
    throw this.#error(name, value, "a number")
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#state.arrays, name)
  }

  /** A finite number for each statistic. */
  statistics(name: string): Float64Array {
    return this.#numbers(name, this.#statistics)
  }

  /** V, finite numbers. */
  spread(): Float64Array {
    return this.#numbers("spread", this.#spreads)
  }

  #number(name: string): unknown {
    const { numbers } = this.#state
    return Object.hasOwn(numbers, name) ? numbers[name] : undefined
  }

  #numbers(name: string, length: number): Float64Array {
    const values = this.has(name) ? this.#state.arrays[name] : undefined
    if (values?.length !== length) throw this.#error(name, values, `a list of ${length}`)
    const at = values.findIndex(value => !Number.isFinite(value))
    if (at >= 0) throw this.#error(`${name}[${at}]`, values[at], "a finite number")
    return values
  }

  #error(name: string, value: unknown, expected: string): SufficeError {
    const shown = value === undefined ? "nothing" : show(value)
    return new SufficeError(
      "checkpoint",
      `${this.#learner}: the checkpoint has ${shown} at ${show(name)}, where ${expected} belongs. No step can have left it so: it was changed, or written for something else. Give back the bytes as they were written, or undefined to begin anew.`,
      { name, value },
    )
  }
}
