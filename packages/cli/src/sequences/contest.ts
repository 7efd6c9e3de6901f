/** Sequences of a file on which ways to learn are compared. */
import { CONTESTANTS } from "../contestants.ts"
import { Failure } from "../failure.ts"
import { many } from "../format.ts"
import { type Given, type Open, opened } from "../opened.ts"
import { type CompareOptions, type Contest, FOLDS } from "../subject.ts"
import { sequencesAnswer, sequencesText } from "./data.ts"
import { columnsOfSteps, stepsModel } from "./model.ts"
import { checkSequences, cutOf } from "./options.ts"
import { openSteps } from "./read.ts"
import { type Sequences, sequencesIn, sizeText } from "./table.ts"

export async function openContest({
  session,
  paths,
  options,
}: Given<CompareOptions>): Promise<Open<Contest>> {
  const { tag, label, components, rows, folds = FOLDS } = options
  checkSequences(options, { "--components": components, "--rows": rows })
  const target = tag ?? label
  if (target === undefined) {
    throw new Failure(
      "usage",
      "it is not said what is predicted. Ways to learn are compared by how well they predict a column. Name it with --tag for each step, or with --label for each sequence.",
    )
  }
  const cut = cutOf(options, paths)
  const reading = session.progress("reading")
  const table = await openSteps(session, paths, options, rows => reading.advance(rows))
  return opened(table, async () => {
    const reports = await table.summary()
    const chain = await stepsModel(options, reports, Object.values(cut), session)
    const { steps, beside } = columnsOfSteps(chain.model)
    const { pooling } = await import("suffice-files")
    const all = await sequencesIn(table, steps, cut, {
      keep: beside,
      steps: chain.steps,
      prepared: pooling(chain.pooled),
    })
    reading.stop()
    checkCount(all, folds)
    const data = sequencesAnswer(table.name, reports, chain, options, cut, all)
    return {
      data,
      text: sequencesText(data),
      brief: false,
      remarks: [],
      columns: all.columns,
      label: target,
      // those that read rows by themselves take no part
      contestants: CONTESTANTS.filter(({ name }) => /EM/.test(name)),
      hasCurve: false,
      facts: [["data", `${data.name}, ${sizeText(all)}`]],
      rows: all.length,
      contender: async () => chain,
    }
  })
}

function checkCount({ count }: Sequences, folds: number): void {
  if (count >= folds) return
  throw new Failure(
    "data",
    `there ${count === 1 ? "is one sequence" : `are ${many(count, "sequence")}`} and ${folds} folds. Each fold holds out whole sequences. Name the column that tells them apart with --sequence, or use fewer --folds.`,
  )
}
