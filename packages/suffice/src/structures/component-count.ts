/** A mixture needs at least one row, or step, per component. */
import type { Notice } from "../contract/notice.ts"
import { SufficeError, show } from "../errors.ts"

export const enoughRows: Notice = {
  data({ switches }, { rows: allRows, steps, isOnlyEvidence }) {
    if (!isOnlyEvidence) return []
    for (const { part, column, hidden, levels, walk } of switches) {
      const inside = part.steps[part.steps.length - 1]
      const rows = inside === undefined ? allRows : steps[inside]
      // an empty state of a chain is a diagnostic
      if (!hidden || walk || levels.length <= rows) continue
      const one = inside === undefined ? "row" : "step"
      throw new SufficeError(
        "data",
        `${show(column)} has ${levels.length} components for ${rows} ${rows === 1 ? one : `${one}s`}. A component needs at least one ${one}. Ask for fewer components, or bring more ${one}s.`,
        { components: levels.length, rows },
      )
    }
    return []
  },
}
