/** `suffice evaluate`: a model measured on rows whose truth is known. */
import { type Columns, evaluate } from "suffice"
import type { QualityAnswer } from "../answers.ts"
import { checkColumn, type DataOptions, openDataFor, pooledFor, readBy } from "../data.ts"
import { many } from "../format.ts"
import { loadModel } from "../model.ts"
import { qualityText, tellingText } from "../quality.ts"
import { counted, gathered, rowCount, rowsOf } from "../tabular.ts"
import { tellingFeatures } from "../telling.ts"
import { checkPlace, save } from "../terminal/save.ts"
import type { Session } from "../terminal/session.ts"
import { capitalised, withoutCurves } from "./fit.ts"

export interface EvaluateCommandOptions extends DataOptions {
  readonly target?: string
  readonly weight?: string
  readonly report?: string
}

export async function evaluateCommand(
  session: Session,
  path: string,
  data: string | undefined,
  options: EvaluateCommandOptions,
): Promise<void> {
  const { target, weight, report } = options
  if (report !== undefined) await checkPlace(report, "the report")
  const fitted = await loadModel(path)
  const table = await openDataFor(fitted, data, options, session.signal)
  try {
    if (weight !== undefined) checkColumn(table, "--weight", weight)
    const { pool } = await import("suffice-files")
    const bar = session.progress("reading")
    const source = counted(table.read(readBy(fitted.model, table, weight === undefined ? [] : [weight])), n =>
      bar.advance(n),
    )
    const columns = (await gathered(pool(source, await pooledFor(fitted)))) as Columns
    bar.stop()
    const evaluation = evaluate(fitted, columns, {
      curves: true,
      ...(target !== undefined && { target }),
      ...(weight !== undefined && { weight }),
    }) as unknown as QualityAnswer["evaluation"]
    const quality: QualityAnswer = { on: "test file", rows: rowCount(columns), evaluation }
    await session.print(qualityText(quality))
    const telling =
      evaluation.kind === "levels"
        ? tellingFeatures(fitted, rowsOf(columns, 0, 20_000), evaluation.target)
        : []
    if (telling.length > 0) await session.print(`\n${tellingText(telling)}`)
    if (report !== undefined) {
      const { report: drawn } = await import("../report/page.ts")
      const text = drawn({
        title: capitalised(`${evaluation.target}, measured`),
        lead: `${path}, measured on ${many(rowCount(columns), "row")} of ${table.name}.`,
        command: session.command,
        facts: [
          ["model", path],
          ["learned from", many(fitted.training?.rows ?? 0, "row")],
          ["learner", fitted.training?.learner.name ?? "written by hand"],
          ["data", table.name],
          ["seed", String(fitted.training?.seed ?? "–")],
          ["suffice", session.version],
          ["node", process.version],
          ["made", new Date().toISOString()],
        ],
        warnings: [],
        quality,
        telling,
      })
      await save(report, "the report", put => put(text))
      await session.print(`\nThe report is in ${report}.`)
    }
    await session.answer({
      command: "evaluate",
      model: path,
      data: table.name,
      ...withoutCurves(evaluation),
      telling,
      report: report ?? null,
    })
  } finally {
    await table.close()
  }
}
