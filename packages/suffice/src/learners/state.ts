/**
 * A learner's state comes back out of a checkpoint, which somebody may have changed. What no step could have left is refused: learning
 * from it might never end.
 */
import type { Learnable } from "../contract/learnable.ts"
import type { LearnerState } from "../contract/learner.ts"
import { SufficeError, show } from "../errors.ts"

export interface StateReader {
  /** A whole number in a range. */
  count(name: string, least?: number, most?: number): number
  /** A finite number ≥ 0. */
  amount(name: string): number
  /** A finite number > 0. */
  positive(name: string): number
  /** Any number, infinities and NaN too: what was measured. */
  measured(name: string): number
  has(name: string): boolean
  /** As many finite numbers as there are statistics. */
  statistics(name: string): Float64Array
  /** As many as the spread has. */
  spread(): Float64Array
}

export function stateReader(
  learner: string,
  { numbers, arrays }: LearnerState,
  { prior, spreads }: Pick<Learnable, "prior" | "spreads">,
): StateReader {
  function refuse(name: string, value: unknown, belongs: string): never {
    const found = value === undefined ? "nothing" : show(value)
    throw new SufficeError(
      "checkpoint",
      `${learner}: the checkpoint has ${found} at ${show(name)}, where ${belongs} belongs. No step can have left it so: it was changed, or written for something else. Give back the bytes as they were written, or undefined to begin anew.`,
      { name, value },
    )
  }
  const numberOf = (name: string): unknown => (Object.hasOwn(numbers, name) ? numbers[name] : undefined)
  const has = (name: string): boolean => Object.hasOwn(arrays, name)
  function listOf(name: string, length: number): Float64Array {
    const found = has(name) ? arrays[name] : undefined
    if (found?.length !== length) refuse(name, found, `a list of ${length}`)
    const at = found!.findIndex(value => !Number.isFinite(value))
    return at < 0 ? found! : refuse(`${name}[${at}]`, found![at], "a finite number")
  }
  return {
    count(name, least = 0, most = Number.MAX_SAFE_INTEGER) {
      const value = numberOf(name) as number
      if (Number.isSafeInteger(value) && value >= least && value <= most) return value
      const range = most === Number.MAX_SAFE_INTEGER ? `≥ ${least}` : `from ${least} to ${most}`
      return refuse(name, value, `a whole number ${range}`)
    },
    amount(name) {
      const value = numberOf(name) as number
      return Number.isFinite(value) && value >= 0 ? value : refuse(name, value, "a finite number ≥ 0")
    },
    positive(name) {
      const value = numberOf(name) as number
      return Number.isFinite(value) && value > 0 ? value : refuse(name, value, "a finite number above 0")
    },
    measured(name) {
      const value = numberOf(name)
      return typeof value === "number" ? value : refuse(name, value, "a number")
    },
    has,
    statistics: name => listOf(name, prior.length),
    spread: () => listOf("spread", spreads),
  }
}
