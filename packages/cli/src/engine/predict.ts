/** `suffice predict --engine --into`: every row of a table is predicted where it is, and the answers are a table there. */
import type { PredictCommandOptions } from "../commands/predict.ts"
import type { DataPaths } from "../data.ts"
import { Failure } from "../failure.ts"
import { many } from "../format.ts"
import type { LooseFitted } from "../loose.ts"
import type { Session } from "../terminal/session.ts"
import { suited } from "./known.ts"
import { type EngineOptions, openEngine } from "./open.ts"

export async function predictOnEngine(
  session: Session,
  fitted: LooseFitted,
  paths: DataPaths,
  options: PredictCommandOptions & EngineOptions,
): Promise<void> {
  const { target, into, keep, append, probabilities, output } = options
  if (into === undefined || output !== undefined) {
    throw new Failure(
      "usage",
      "predict with --engine writes a table on the cluster. Rows that stay there have their answers there. Name it with --into, and leave -o out.",
    )
  }
  const engine = await openEngine(session, paths, options)
  try {
    const table = await suited(session, engine, fitted, target)
    const made = await table.predict(fitted as never, {
      into,
      probabilities,
      signal: session.signal,
      ...(append ? { keep: engine.table.columns } : keep && { keep }),
      ...(target !== undefined && { target }),
    })
    session.note(`${many(made.rows, "prediction")} in ${into}: ${made.columns.join(", ")}.`)
    await session.answer({ command: "predict", target: target ?? fitted.model.target, ...made })
  } finally {
    await engine.close()
  }
}
