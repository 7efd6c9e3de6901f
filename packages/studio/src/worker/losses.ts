/** The loss of every row, or of every step with a tag: −ln p(truth); of a number minus its log-density. */
import type { Cell, Columns, Row } from "suffice"
import { type LooseFitted, rowCount } from "suffice-cli/browser"

/** Below that a probability is no longer told from 0. */
const LEAST = 1e-300

/** `steps`: the column of the steps, where rows are sequences. */
export function lossesOf(
  fitted: LooseFitted,
  columns: Columns,
  kind: "levels" | "number",
  steps?: string,
): Float64Array {
  const target = fitted.model.target!
  if (steps !== undefined && !columns[target]) return lossesOfSteps(fitted, columns, steps, target)
  return kind === "levels"
    ? lossesOfLevels(fitted, columns, target)
    : lossesOfNumbers(fitted, columns, target)
}

function lossesOfLevels(fitted: LooseFitted, columns: Columns, target: string): Float64Array {
  const { levels, probabilities } = fitted.posterior(columns as never, { target } as never)
  const codes = new Map(levels.map((level, l) => [String(level), l]))
  return Float64Array.from({ length: rowCount(columns) }, (_, i) => {
    const code = codes.get(String(columns[target][i]))
    return code === undefined
      ? Number.NaN
      : -Math.log(Math.max(probabilities[i * levels.length + code], LEAST))
  })
}

function lossesOfNumbers(fitted: LooseFitted, columns: Columns, target: string): Float64Array {
  const { [target]: _, ...without } = columns
  const joint = fitted.logDensity(columns as never)
  const rest = fitted.logDensity(without as never)
  return joint.map((value, i) => rest[i] - value)
}

/** One for each step that has a tag. */
function lossesOfSteps(fitted: LooseFitted, columns: Columns, steps: string, target: string): Float64Array {
  return Float64Array.from(
    stepAnswers(fitted, columns, steps, target).map(({ truth, probabilities }) =>
      truth === undefined ? Number.NaN : -Math.log(Math.max(probabilities[truth] ?? Number.NaN, LEAST)),
    ),
  )
}

export interface StepAnswer {
  readonly step: Row
  readonly truth: string | undefined
  readonly probabilities: Readonly<Record<string, number>>
}

/** What each step is, given the rest of its sequence. */
export function stepAnswers(
  fitted: LooseFitted,
  columns: Columns,
  steps: string,
  target: string,
): StepAnswer[] {
  const answers = fitted.predict(columns as never, { target } as never) as unknown as {
    readonly probabilities: Readonly<Record<string, number>>
  }[][]
  return answers.flatMap((sequence, i) => {
    const own = columns[steps][i] as unknown as readonly Row[]
    return sequence.map(({ probabilities }, t) => {
      const cell = own[t][target] as Cell
      const truth = cell === null || cell === undefined ? undefined : String(cell)
      return { step: own[t], truth, probabilities }
    })
  })
}
