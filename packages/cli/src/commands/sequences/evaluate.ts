/** `suffice evaluate` of sequences. */
import { verdict } from "suffice/measure"
import type { DataPaths } from "../../data.ts"
import { Failure } from "../../failure.ts"
import { capitalised } from "../../fitting.ts"
import { many } from "../../format.ts"
import type { LooseFitted } from "../../loose.ts"
import { qualityText } from "../../quality.ts"
import { qualityOf } from "../../sequences/fitting.ts"
import { stepsColumn } from "../../sequences/model.ts"
import { cutOf } from "../../sequences/options.ts"
import { pathAnswer } from "../../sequences/path.ts"
import { chainsAnswer } from "../../sequences/states.ts"
import { sizeText } from "../../sequences/table.ts"
import { save } from "../../terminal/save.ts"
import { origin, type Session } from "../../terminal/session.ts"
import { shown } from "../../terminal/shown.ts"
import { basisOf, trainingAnswer } from "../../training.ts"
import type { EvaluateCommandOptions } from "../evaluate.ts"
import { withoutCurves } from "../fit.ts"
import { type ReadOptions, readSequences } from "./read.ts"

export async function evaluateSequences(
  session: Session,
  path: string,
  fitted: LooseFitted,
  paths: DataPaths,
  options: EvaluateCommandOptions & ReadOptions,
): Promise<void> {
  const { target, report } = options
  if (target === undefined && fitted.model.target === undefined) {
    throw new Failure(
      "usage",
      "the model has no label: its states are hidden, and no file says which of them are right. There is nothing to compare with. Use predict to see them, or name a column of levels with --target.",
    )
  }
  const bar = session.progress("measuring")
  const all = await readSequences(session, fitted, paths, options)
  const quality = qualityOf(fitted, all, "test file", target)
  const { evaluation } = quality
  bar.stop()
  await session.print(qualityText(quality))
  if (report !== undefined) {
    const { report: drawn } = await import("../../report/page.ts")
    const shownPath = pathAnswer(fitted, all.columns, stepsColumn(fitted.model)!, cutOf(options, paths))
    const page = drawn({
      title: capitalised(`${evaluation.target}, measured`),
      lead: `${path}, measured on ${sizeText(all)} of ${paths.join(", ")}.`,
      command: session.command,
      facts: [
        ["model", path],
        ["learned from", many(fitted.training?.rows ?? 0, "sequence")],
        ["learner", fitted.training?.learner.name ?? "written by hand"],
        ["data", paths.join(", ")],
        ["seed", String(fitted.training?.seed ?? "–")],
        ...origin(session),
      ],
      warnings: [],
      quality,
      chains: chainsAnswer(fitted),
      ...(shownPath && { path: shownPath }),
      basis: { ...basisOf(fitted), unit: "sequence" },
      ...(fitted.training && { training: trainingAnswer(fitted.training) }),
    })
    await save(report, "the report", put => put(page))
    await session.print(`\nThe report is in ${shown(report)}.`)
  }
  await session.answer({
    command: "evaluate",
    model: path,
    data: paths.join(", "),
    ...withoutCurves(evaluation),
    verdict: verdict(evaluation),
    report: report ?? null,
  })
}
