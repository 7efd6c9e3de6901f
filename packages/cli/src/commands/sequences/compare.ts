/** `suffice compare` of sequences: the same chain learned by counting, by conditional likelihood and by hinge loss, on the same folds of sequences. */
import { CONTESTANTS } from "../../contestants.ts"
import type { DataPaths } from "../../data.ts"
import { Failure } from "../../failure.ts"
import { capitalised, many } from "../../format.ts"
import { sequencesAnswer, sequencesText } from "../../sequences/data.ts"
import { columnsOfSteps, stepsModel } from "../../sequences/model.ts"
import { checkSequences, cutOf } from "../../sequences/options.ts"
import { openSteps } from "../../sequences/read.ts"
import { sequencesIn, sizeText } from "../../sequences/table.ts"
import { save } from "../../terminal/save.ts"
import { origin, type Session } from "../../terminal/session.ts"
import { shown } from "../../terminal/shown.ts"
import { type CompareCommandOptions, compared, compareText } from "../compare.ts"

const FOLDS = 5

export async function compareSequences(
  session: Session,
  paths: DataPaths,
  options: CompareCommandOptions,
): Promise<void> {
  const { report, folds = FOLDS, seed = 0, tag, label, components, rows } = options
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
  try {
    const reports = await table.summary()
    const wanted = await stepsModel(options, reports, Object.values(cut), session)
    const { steps, beside } = columnsOfSteps(wanted.model)
    const { pooling } = await import("suffice-files")
    const all = await sequencesIn(table, steps, cut, {
      keep: beside,
      steps: wanted.steps,
      prepared: pooling(wanted.pooled),
    })
    reading.stop()
    if (all.count < folds) {
      throw new Failure(
        "data",
        `there ${all.count === 1 ? "is one sequence" : `are ${many(all.count, "sequence")}`} and ${folds} folds. Each fold holds out whole sequences. Name the column that tells them apart with --sequence, or use fewer --folds.`,
      )
    }
    const data = sequencesAnswer(table.name, reports, wanted, options, cut, all)
    await session.print(sequencesText(data))
    // what refers to rows by themselves cannot take part
    const own = CONTESTANTS.filter(({ name }) => /EM/.test(name))
    const answer = await compared(session, wanted.model, all.columns, target, folds, seed, false, own)
    await session.print(compareText(answer, {}, false))
    if (report !== undefined) {
      const { report: drawn } = await import("../../report/page.ts")
      const page = drawn({
        title: capitalised(`ways to learn ${target}`),
        lead: `${capitalised(wanted.name)}, learned in ${answer.contestants.length} ways from ${data.name}.`,
        command: session.command,
        facts: [
          ["data", `${data.name}, ${sizeText(all)}`],
          ["folds", String(folds)],
          ["seed", String(seed)],
          ...origin(session),
        ],
        warnings: [],
        data,
        compare: answer,
      })
      await save(report, "the report", put => put(page))
      await session.print(`\nThe report is in ${shown(report)}.`)
    }
    await session.answer({
      command: "compare",
      data,
      seed,
      rows: all.length,
      ...answer,
      report: report ?? null,
    })
  } finally {
    await table.close()
  }
}
