/** Predictions of the rows of a file, as they stream by. */
import type { Columns, LoosePrediction } from "suffice"
import { checkColumn, openDataFor, readingOf } from "../data.ts"
import { many } from "../format.ts"
import type { LooseFitted } from "../loose.ts"
import { type Open, opened, type Query } from "../opened.ts"
import { type PredictedTable, type PredictionsHere, type PredictOptions, Unseen } from "../predictions.ts"
import { type ColumnSource, rowCount } from "../tabular.ts"

/** Rows as they are in the data, their predictions, and the number of the first. */
interface Predicted {
  readonly batch: Columns
  readonly answers: readonly LoosePrediction[]
  readonly first: number
}

export async function predictRows(query: Query<PredictOptions>): Promise<Open<PredictionsHere>> {
  const { session, fitted, paths, options } = query
  const table = await openDataFor(fitted, paths, options, session.signal)
  return opened(table, async () => {
    const { target } = options
    const keep = options.append ? table.columns.map(({ name }) => name) : (options.keep ?? [])
    for (const column of keep) checkColumn(table, "--keep", column)
    const { columns, prepared } = await readingOf(session, fitted, table, target)
    const source = table.read([...new Set([...columns, ...keep])]) as ColumnSource
    const unseen = new Unseen()
    let rows = 0
    async function* predicted(): AsyncGenerator<Predicted> {
      const bar = session.progress("predicting")
      for await (const batch of source) {
        session.signal.throwIfAborted()
        const answers = fitted.predict(
          prepared(batch),
          target === undefined ? {} : { target },
        ) as unknown as LoosePrediction[]
        unseen.add(answers)
        const first = rows + 1
        rows += rowCount(batch)
        bar.advance(rowCount(batch))
        yield { batch, answers, first }
      }
      bar.stop()
    }
    return {
      where: "here",
      target: target ?? fitted.model.target,
      head: {},
      list: "predictions",
      objects: () => objectsOf(predicted()),
      table: () => tableOf(predicted(), keep, options.probabilities),
      rows: () => rows,
      remarks: () => unseen.remarks((times, column) => remark(fitted, times, column)),
    }
  })
}

function remark(fitted: LooseFitted, times: number, column: string): string {
  const bag = fitted.columns.some(one => one.name === column && one.kind === "bag")
  return `in ${many(times, "row")} ${JSON.stringify(column)} holds ${bag ? "words" : "a level"} that training never saw; ${bag ? "they count for nothing" : "it counts as missing"}.`
}

async function* objectsOf(predicted: AsyncGenerator<Predicted>): AsyncGenerator<readonly object[]> {
  for await (const { answers, first } of predicted)
    yield answers.map((answer, i) => ({ row: first + i, ...answer }))
}

/** The answers as columns, which the first batch determines. */
async function tableOf(
  predicted: AsyncGenerator<Predicted>,
  keep: readonly string[],
  probabilities: boolean,
): Promise<PredictedTable> {
  const first = await predicted.next()
  const answer: LoosePrediction | undefined = first.done ? undefined : first.value.answers[0]
  const isNumber = answer?.sd !== undefined
  const levels = probabilities && answer && !isNumber ? Object.keys(answer.probabilities) : []
  const heads = isNumber ? ["value", "sd", "low", "high"] : ["value", "probability"]
  const names = new Set([...heads, ...levels.map(level => `p(${level})`)])
  const repeated = keep.map(name => (names.has(name) ? `${name} (data)` : name))
  // the number of the row, if no column of the data is repeated
  const numbered = keep.length === 0
  const cut = ({ batch, answers, first }: Predicted): Columns => ({
    ...(numbered && { row: answers.map((_, i) => first + i) }),
    ...Object.fromEntries(keep.map((name, i) => [repeated[i], batch[name]])),
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
    columns: [...(numbered ? ["row"] : []), ...repeated, ...heads, ...levels.map(level => `p(${level})`)],
    batches: {
      async *[Symbol.asyncIterator]() {
        if (first.done) return
        yield cut(first.value)
        for await (const next of predicted) yield cut(next)
      },
    },
  }
}
