/** `suffice evaluate`: a model measured on rows whose truth is known. */
import type { Card } from "../answers.ts"
import type { DataPaths } from "../data.ts"
import { capitalised, many } from "../format.ts"
import type { LooseFitted } from "../loose.ts"
import type { Measured, MeasureOptions } from "../measured.ts"
import { loadModel } from "../model-file.ts"
import { qualityText, withoutCurves } from "../quality.ts"
import { subjectOf } from "../subject.ts"
import { checkPlace, save } from "../terminal/save.ts"
import { origin, type Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import { trainingAnswer } from "../training.ts"

export async function evaluateCommand(
  session: Session,
  path: string,
  paths: DataPaths,
  options: MeasureOptions,
): Promise<void> {
  const { report } = options
  if (report !== undefined) await checkPlace(report, "the report")
  const fitted = await loadModel(path)
  const measured = await subjectOf(fitted, options).measure({ session, fitted, paths, options })
  const { quality, data, brief, findings } = measured
  await session.print(qualityText(quality, { brief }))
  if (findings.text !== undefined) await session.print(`\n${findings.text}`)
  if (report !== undefined) {
    const { report: drawn } = await import("../report/page.ts")
    const text = drawn(await cardOf(session, path, fitted, measured))
    await save(report, "the report", put => put(text))
    await session.print(`\nThe report is in ${shown(report)}.`)
  }
  await session.answer({
    command: "evaluate",
    model: path,
    data,
    ...withoutCurves(quality.evaluation),
    ...findings.answer,
    report: report ?? null,
  })
}

async function cardOf(
  session: Session,
  path: string,
  { training }: LooseFitted,
  { quality, data, size, unit, findings }: Measured,
): Promise<Card> {
  return {
    title: capitalised(`${quality.evaluation.target}, measured`),
    lead: `${path}, measured on ${size}.`,
    command: session.command,
    facts: [
      ["model", path],
      ["learned from", many(training?.rows ?? 0, unit)],
      ["learner", training?.learner.name ?? "written by hand"],
      ["data", data],
      ["seed", String(training?.seed ?? "–")],
      ...origin(session),
    ],
    warnings: [],
    quality,
    ...(await findings.sections()),
    ...(training && { training: trainingAnswer(training) }),
  }
}
