/** Sequences of a file, opened to learn from. */
import type { LooseFitted } from "../loose.ts"
import { type Given, type Open, opened } from "../opened.ts"
import type { FitOptions, OpenTask } from "../subject.ts"
import { shown } from "../terminal/shown.ts"
import { learnerOfSteps, preparedSequences } from "./fitting.ts"
import { checkSequences, cutOf } from "./options.ts"
import { openSteps, readSequences } from "./read.ts"
import type { Sequences } from "./table.ts"
import { sequencesTask } from "./task.ts"

/** Throw for options that only rows of a table have. */
export function checkFit(options: FitOptions): void {
  const { components, by, temperature, doubt, weight, unlabelled } = options
  checkSequences(options, {
    "--components": components,
    "--by": by,
    "--temperature": temperature,
    "--doubt": doubt,
    "--weight": weight,
    "--unlabelled": unlabelled,
  })
  learnerOfSteps(options)
}

export async function openSequences({ session, paths, options }: Given<FitOptions>): Promise<Open<OpenTask>> {
  const { test } = options
  const cut = cutOf(options, paths)
  const reading = session.progress("reading")
  const table = await openSteps(session, paths, options, rows => reading.advance(rows))
  return opened(table, async () => {
    const base = await preparedSequences(table, options, cut, session, () => reading.stop())
    const { sql: _, ...how } = options
    const testSequences = (fitted: LooseFitted): Promise<Sequences> =>
      readSequences(session, fitted, [test!], how)
    // the sequences of a CoNLL file are known
    const again = Object.entries({ sequence: options.sequence, order: options.order })
      .map(([option, column]) => (column === undefined ? "" : ` --${option} ${shown(column)}`))
      .join("")
    return {
      task: sequencesTask(
        base,
        learnerOfSteps(options),
        cut,
        options,
        test === undefined ? undefined : testSequences,
      ),
      where: { data: base.data },
      place: "",
      howToUse: output => `Use it: suffice predict ${output} DATA${again}`,
    }
  })
}
