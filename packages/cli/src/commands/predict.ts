/** `suffice predict`: a line of CSV for every row, as the rows stream by. */
import type { Columns, LoosePrediction } from "suffice"
import { checkColumn, type DataOptions, type DataPaths, openDataFor, readingOf } from "../data.ts"
import { Failure } from "../failure.ts"
import { many } from "../format.ts"
import { loadModel } from "../model-file.ts"
import { stepsColumn } from "../sequences/model.ts"
import { refuseSequences, type SequenceOptions } from "../sequences/options.ts"
import { type ColumnSource, rowCount } from "../tabular.ts"
import { listOut } from "../terminal/list-out.ts"
import type { Session } from "../terminal/session.ts"
import { checkTable, type TableOutOptions, tableOut } from "../terminal/table-out.ts"

export interface PredictCommandOptions
  extends DataOptions,
    TableOutOptions,
    Omit<SequenceOptions, "format" | "model"> {
  readonly path?: boolean
  readonly past?: boolean
  readonly target?: string
  readonly keep?: readonly string[]
  readonly append?: boolean
  readonly probabilities: boolean
  readonly output?: string
  readonly engine?: string
  readonly node?: string
  readonly into?: string
}

/** Rows as they are in the data, what is predicted of them, and the number of the first. */
interface Predicted {
  readonly batch: Columns
  readonly answers: readonly LoosePrediction[]
  readonly first: number
}

export async function predictCommand(
  session: Session,
  model: string,
  paths: DataPaths,
  options: PredictCommandOptions,
): Promise<void> {
  const { target, output } = options
  if (options.append && options.keep) {
    throw new Failure(
      "usage",
      "both --append and --keep are given. --append repeats all columns of the data, --keep some. Leave one of them out.",
    )
  }
  await checkTable(output, "the predictions")
  const fitted = await loadModel(model)
  if (options.engine !== undefined)
    return (await import("../engine/predict.ts")).predictOnEngine(session, fitted, paths, {
      ...options,
      engine: options.engine,
    })
  if (options.into !== undefined) {
    throw new Failure(
      "usage",
      "--into is given without --engine. It names a table that is made on a cluster. Give --engine sc://host:15002, or write a file with -o.",
    )
  }
  if (stepsColumn(fitted.model) !== undefined)
    return (await import("./sequences/predict.ts")).predictSequences(session, fitted, paths, options)
  refuseSequences(options)
  const table = await openDataFor(fitted, paths, options, session.signal)
  try {
    const keep = options.append ? table.columns.map(({ name }) => name) : (options.keep ?? [])
    for (const column of keep) checkColumn(table, "--keep", column)
    const { columns: read, prepared } = await readingOf(session, fitted, table, target)
    const source = table.read([...new Set([...read, ...keep])]) as ColumnSource
    const strange = new Map<string, number>()
    let rows = 0
    const bar = session.progress("predicting")
    async function* predicted(): AsyncGenerator<Predicted> {
      for await (const batch of source) {
        session.signal.throwIfAborted()
        const answers = fitted.predict(
          prepared(batch),
          target === undefined ? {} : { target },
        ) as unknown as LoosePrediction[]
        for (const { unseen } of answers)
          for (const column in unseen) strange.set(column, (strange.get(column) ?? 0) + 1)
        const first = rows + 1
        rows += rowCount(batch)
        bar.advance(rowCount(batch))
        yield { batch, answers, first }
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
      const bag = fitted.columns.some(one => one.name === name && one.kind === "bag")
      session.note(
        `note: in ${many(times, "row")} ${JSON.stringify(name)} holds ${bag ? "words" : "a level"} that training never saw; ${bag ? "they count for nothing" : "it counts as missing"}.`,
      )
    }
  } finally {
    await table.close()
  }
}

async function* answersOf(predicted: AsyncGenerator<Predicted>): AsyncGenerator<readonly object[]> {
  for await (const { answers, first } of predicted)
    yield answers.map((answer, i) => ({ row: first + i, ...answer }))
}

/** The answers as columns, which the first batch determines. */
async function tableOf(
  predicted: AsyncGenerator<Predicted>,
  keep: readonly string[],
  probabilities: boolean,
): Promise<{ columns: string[]; batches: ColumnSource }> {
  const first = await predicted.next()
  const answer: LoosePrediction | undefined = first.done ? undefined : first.value.answers[0]
  const isNumber = answer?.sd !== undefined
  const levels = probabilities && answer && !isNumber ? Object.keys(answer.probabilities) : []
  const heads = isNumber ? ["value", "sd", "low", "high"] : ["value", "probability"]
  const taken = new Set([...heads, ...levels.map(level => `p(${level})`)])
  const kept = keep.map(name => (taken.has(name) ? `${name} (data)` : name))
  // Where no column of the data says which row it is, its number does.
  const numbered = keep.length === 0
  const cut = ({ batch, answers, first }: Predicted): Columns => ({
    ...(numbered && { row: answers.map((_, i) => first + i) }),
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
    columns: [...(numbered ? ["row"] : []), ...kept, ...heads, ...levels.map(level => `p(${level})`)],
    batches: {
      async *[Symbol.asyncIterator]() {
        if (first.done) return
        yield cut(first.value)
        for await (const next of predicted) yield cut(next)
      },
    },
  }
}
