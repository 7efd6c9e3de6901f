/** A fitted model on all rows of a table on Spark. */
import type { Columns } from "suffice"
import { evaluateSource } from "suffice/measure"
import type { QualityAnswer } from "../answers.ts"
import { Failure } from "../failure.ts"
import type { Measured, MeasureOptions } from "../measured.ts"
import type { Query } from "../opened.ts"
import { LOOKED_AT, measuredRows } from "../rows/measure.ts"
import { openEngine } from "./open.ts"
import { suited } from "./suited.ts"

export async function measureOnSpark({
  session,
  fitted,
  paths,
  options,
}: Query<MeasureOptions>): Promise<Measured> {
  const { target, weight, report } = options
  if (report !== undefined) {
    throw new Failure(
      "usage",
      "--report is given with --engine. Reports of measures are drawn from rows, which stay on the cluster. Leave it out; suffice fit --engine writes one.",
    )
  }
  const engine = await openEngine(session, paths, options)
  try {
    const table = await suited(session, engine, fitted, target)
    const evaluation = (await evaluateSource(fitted, table as never, {
      signal: session.signal,
      ...(target !== undefined && { target }),
      ...(weight !== undefined && { weight }),
    })) as unknown as QualityAnswer["evaluation"]
    const quality: QualityAnswer = { on: "table", rows: evaluation.rows, evaluation }
    const looked = (await table.sample(LOOKED_AT, { signal: session.signal })) as Columns
    return measuredRows(fitted, quality, looked, engine.name)
  } finally {
    await engine.close()
  }
}
