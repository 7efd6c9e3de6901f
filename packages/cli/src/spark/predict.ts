/** Predictions of the rows of a table on Spark: a table there, which --into names. */
import { Failure } from "../failure.ts"
import { type Open, opened, type Query } from "../opened.ts"
import type { PredictionsThere, PredictOptions } from "../predictions.ts"
import { openEngine } from "./open.ts"
import { suited } from "./suited.ts"

export async function predictOnSpark({
  session,
  fitted,
  paths,
  options,
}: Query<PredictOptions>): Promise<Open<PredictionsThere>> {
  const { target, into, keep, append, probabilities, output } = options
  if (into === undefined || output !== undefined) {
    throw new Failure(
      "usage",
      "predict with --engine writes a table on the cluster. Rows that stay there have their answers there. Name it with --into, and leave -o out.",
    )
  }
  const engine = await openEngine(session, paths, options)
  return opened(engine, async () => {
    const table = await suited(session, engine, fitted, target)
    const made = await table.predict(fitted as never, {
      into,
      probabilities,
      signal: session.signal,
      ...(append ? { keep: engine.table.columns } : keep && { keep }),
      ...(target !== undefined && { target }),
    })
    return { where: "there", target: target ?? fitted.model.target, made }
  })
}
