/** `suffice evaluate --engine`: a model measured on all rows of a table, where they are. */
import type { Columns } from "suffice"
import { evaluateSource } from "suffice/measure"
import type { QualityAnswer } from "../answers.ts"
import type { EvaluateCommandOptions } from "../commands/evaluate.ts"
import { withoutCurves } from "../commands/fit.ts"
import { type DataPaths, isWide } from "../data.ts"
import { Failure } from "../failure.ts"
import type { LooseFitted } from "../loose.ts"
import { levelsIn, qualityText, tellingText } from "../quality.ts"
import { tellingFeatures } from "../telling.ts"
import type { Session } from "../terminal/session.ts"
import { suited } from "./known.ts"
import { type EngineOptions, openEngine } from "./open.ts"

/** The number of rows from which telling features are computed. */
const LOOKED_AT = 20_000

export async function evaluateOnEngine(
  session: Session,
  path: string,
  fitted: LooseFitted,
  data: DataPaths,
  options: EvaluateCommandOptions & EngineOptions,
): Promise<void> {
  const { target, weight, report } = options
  if (report !== undefined) {
    throw new Failure(
      "usage",
      "--report is given with --engine. Reports of measures are drawn from rows, which stay on the cluster. Leave it out; suffice fit --engine writes one.",
    )
  }
  const engine = await openEngine(session, data, options)
  try {
    const table = await suited(session, engine, fitted, target)
    const evaluation = (await evaluateSource(fitted, table as never, {
      signal: session.signal,
      ...(target !== undefined && { target }),
      ...(weight !== undefined && { weight }),
    })) as unknown as QualityAnswer["evaluation"]
    const quality: QualityAnswer = { on: "table", rows: evaluation.rows, evaluation }
    const how = { brief: isWide(fitted.model.uses.length) }
    await session.print(qualityText(quality, how))
    const looked = (await table.sample(LOOKED_AT, { signal: session.signal })) as Columns
    const telling = evaluation.kind === "levels" ? tellingFeatures(fitted, looked, evaluation.target) : []
    if (telling.length > 0)
      await session.print(`\n${tellingText(telling, { ...how, levels: levelsIn(evaluation) })}`)
    await session.answer({
      command: "evaluate",
      model: path,
      data: engine.name,
      ...withoutCurves(evaluation),
      telling,
      report: null,
    })
  } finally {
    await engine.close()
  }
}
