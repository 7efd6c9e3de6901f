/** More hidden values than there is data for: components are refused, states of a chain are told of. */
import type { Diagnostic } from "../contract/report.ts"
import type { Discovery } from "../data/discover.ts"
import type { Laid } from "../engine/lay.ts"
import { SufficeError, show } from "../errors.ts"

/** A chain may have more states than there are steps: some then stay empty. */
export function moreStates({ switches }: Laid, { steps }: Discovery): Diagnostic[] {
  return switches.flatMap(({ part, column, hidden, levels, walk }) => {
    const count = steps[part.steps[part.steps.length - 1]]
    if (!walk || !hidden || levels.length <= count) return []
    const message = `${show(column)} has ${levels.length} states for ${count} ${count === 1 ? "step" : "steps"}: some hold nothing, and teach nothing. Ask for fewer states, or bring more steps.`
    return [{ code: "starved-component", column, message }]
  })
}

export function checkComponents(laid: Laid, found: Discovery): void {
  for (const { part, column, hidden, levels, walk } of laid.switches) {
    const steps = part.steps[part.steps.length - 1]
    const rows = steps === undefined ? found.rows : found.steps[steps]
    // states of a chain that starve are told of
    if (!hidden || walk || levels.length <= rows) continue
    const one = steps === undefined ? "row" : "step"
    throw new SufficeError(
      "data",
      `${show(column)} has ${levels.length} components for ${rows} ${rows === 1 ? one : `${one}s`}. A component needs at least one ${one}. Ask for fewer components, or bring more ${one}s.`,
      { components: levels.length, rows },
    )
  }
}
