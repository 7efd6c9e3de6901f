/** `suffice predict`: a line for every row, as the rows stream by. */
import type { DataPaths } from "../data.ts"
import { Failure } from "../failure.ts"
import { many } from "../format.ts"
import { loadModel } from "../model-file.ts"
import type { PredictionsHere, PredictOptions } from "../predictions.ts"
import { subjectOf } from "../subject.ts"
import { listOut } from "../terminal/list-out.ts"
import type { Session } from "../terminal/session.ts"
import { checkTable, tableOut } from "../terminal/table-out.ts"

export async function predictCommand(
  session: Session,
  model: string,
  paths: DataPaths,
  options: PredictOptions,
): Promise<void> {
  if (options.append && options.keep) {
    throw new Failure(
      "usage",
      "both --append and --keep are given. --append repeats all columns of the data, --keep some. Leave one of them out.",
    )
  }
  await checkTable(options.output, "the predictions")
  const fitted = await loadModel(model)
  if (options.into !== undefined && options.engine === undefined) {
    throw new Failure(
      "usage",
      "--into is given without --engine. It names a table that is made on a cluster. Give --engine sc://host:15002, or write a file with -o.",
    )
  }
  const predictions = await subjectOf(fitted, options).predict({ session, fitted, paths, options })
  try {
    if (predictions.where === "here") return await written(session, predictions, options)
    const { target, made } = predictions
    session.note(`${many(made.rows, "prediction")} in ${options.into}: ${made.columns.join(", ")}.`)
    await session.answer({ command: "predict", target, ...made })
  } finally {
    await predictions.close()
  }
}

/** The predictions to the standard output or to a file, as they are computed. */
async function written(
  session: Session,
  predictions: PredictionsHere,
  options: PredictOptions,
): Promise<void> {
  const { target, head, list } = predictions
  const { output } = options
  if (session.json && output === undefined)
    await listOut(session, { command: "predict", target, ...head }, list, predictions.objects())
  else {
    const { columns, batches } = await predictions.table()
    await tableOut(session, output, "the predictions", columns, batches, options)
    const rows = predictions.rows()
    if (output !== undefined) session.note(`${many(rows, "prediction")} in ${output}.`)
    await session.answer({ command: "predict", target, rows, output })
  }
  for (const remark of predictions.remarks()) session.note(remark)
}
