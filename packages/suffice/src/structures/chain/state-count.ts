/** A chain may have more hidden states than there are steps: some then stay empty. */
import type { Notice } from "../../contract/notice.ts"
import { show } from "../../errors.ts"

export const enoughSteps: Notice = {
  data: ({ switches }, { steps }) =>
    switches.flatMap(({ part, column, hidden, levels, walk }) => {
      const count = steps[part.steps[part.steps.length - 1]]
      if (!walk || !hidden || levels.length <= count) return []
      const message = `${show(column)} has ${levels.length} states for ${count} ${count === 1 ? "step" : "steps"}: some hold nothing, and teach nothing. Ask for fewer states, or bring more steps.`
      return [{ code: "starved-component", column, message }]
    }),
}
