/** `suffice predict`: a line of CSV for every row, as the rows stream by. */
import type { Columns, LoosePrediction } from "suffice"
import { checkColumn, columnsOf, type DataOptions, openDataFor, pooledFor, readBy } from "../data.ts"
import { many } from "../format.ts"
import { loadModel } from "../model.ts"
import { type ColumnSource, rowCount } from "../tabular.ts"
import { listOut } from "../terminal/list-out.ts"
import { checkPlace } from "../terminal/save.ts"
import type { Session } from "../terminal/session.ts"
import { type TableOutOptions, tableOut } from "../terminal/table-out.ts"

export interface PredictCommandOptions extends DataOptions, TableOutOptions {
  readonly target?: string
  readonly keep?: readonly string[]
  readonly probabilities: boolean
  readonly output?: string
}

export async function predictCommand(
  session: Session,
  model: string,
  path: string | undefined,
  options: PredictCommandOptions,
): Promise<void> {
  const { target, keep = [], output } = options
  if (output !== undefined) await checkPlace(output, "the predictions")
  const fitted = await loadModel(model)
  const table = await openDataFor(fitted, path, options, session.signal)
  try {
    for (const column of keep) checkColumn(table, "--keep", column)
    const { pool } = await import("suffice-files")
    const source = pool(
      table.read(readBy(fitted.model, table, keep)),
      await pooledFor(fitted),
    ) as ColumnSource
    const strange = new Map<string, number>()
    let rows = 0
    const bar = session.progress("predicting")
    async function* predicted(): AsyncGenerator<{ batch: Columns; answers: readonly LoosePrediction[] }> {
      for await (const batch of source) {
        session.signal.throwIfAborted()
        const answers = fitted.predict(
          batch,
          target === undefined ? {} : { target },
        ) as unknown as LoosePrediction[]
        for (const { unseen } of answers)
          for (const column in unseen) strange.set(column, (strange.get(column) ?? 0) + 1)
        rows += rowCount(batch)
        bar.advance(rowCount(batch))
        yield { batch, answers }
      }
      bar.stop()
    }
    const column = target ?? fitted.model.target
    if (session.json && output === undefined)
      await listOut(session, { command: "predict", target: column }, "predictions", answersOf(predicted()))
    else {
      const { columns, batches } = await tableOf(predicted(), keep, options.probabilities)
      await tableOut(session, output, "the predictions", columns, batches, options)
      if (output !== undefined) session.note(`${many(rows, "prediction")} in ${output}.`)
      await session.answer({ command: "predict", target: column, rows, output })
    }
    for (const [name, times] of strange) {
      const bag = columnsOf(fitted).some(one => one.name === name && one.kind === "bag")
      session.note(
        `note: in ${many(times, "row")} ${JSON.stringify(name)} holds ${bag ? "words" : "a level"} that training never saw; ${bag ? "they count for nothing" : "it counts as missing"}.`,
      )
    }
  } finally {
    await table.close()
  }
}

type Predicted = AsyncGenerator<{ batch: Columns; answers: readonly LoosePrediction[] }>

async function* answersOf(predicted: Predicted): AsyncGenerator<readonly LoosePrediction[]> {
  for await (const { answers } of predicted) yield answers
}

/** The answers as columns, which the first batch determines. */
async function tableOf(
  predicted: Predicted,
  keep: readonly string[],
  probabilities: boolean,
): Promise<{ columns: string[]; batches: ColumnSource }> {
  const first = await predicted.next()
  const answer: LoosePrediction | undefined = first.done ? undefined : first.value.answers[0]
  const isNumber = answer?.sd !== undefined
  const levels = probabilities && answer && !isNumber ? Object.keys(answer.probabilities) : []
  const kept = keep.map(name => (name === "value" || name === "probability" ? `${name} (data)` : name))
  const heads = isNumber ? ["value", "sd", "low", "high"] : ["value", "probability"]
  const cut = ({ batch, answers }: { batch: Columns; answers: readonly LoosePrediction[] }): Columns => ({
    ...Object.fromEntries(keep.map((name, i) => [kept[i], batch[name]])),
    value: answers.map(one => one.value),
    ...(isNumber
      ? {
          sd: answers.map(one => one.sd!),
          low: answers.map(one => one.interval![0]),
          high: answers.map(one => one.interval![1]),
        }
      : { probability: answers.map(one => one.probability) }),
    ...Object.fromEntries(
      levels.map(level => [
        `p(${level})`,
        answers.map(one => (one.probabilities as Readonly<Record<string, number>>)[level]),
      ]),
    ),
  })
  return {
    columns: [...kept, ...heads, ...levels.map(level => `p(${level})`)],
    batches: {
      async *[Symbol.asyncIterator]() {
        if (first.done) return
        yield cut(first.value)
        for await (const next of predicted) yield cut(next)
      },
    },
  }
}
