/** `suffice predict`: a line of CSV for every row, as the rows stream by. */
import type { Cell, Columns, LoosePrediction } from "suffice"
import { columnsOf, type DataOptions, openDataFor, pooledFor, readBy } from "../data.ts"
import { many } from "../format.ts"
import { loadModel } from "../model.ts"
import { type ColumnSource, plainCell, rowCount } from "../tabular.ts"
import { csvLine } from "../terminal/csv.ts"
import { checkPlace, type Put, save } from "../terminal/save.ts"
import { type Session, toJson } from "../terminal/session.ts"

export interface PredictCommandOptions extends DataOptions {
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
    const fill = session.json ? jsonOf(predicted(), column) : csvOf(predicted(), keep, options.probabilities)
    if (output === undefined) await fill(text => session.put(text as string))
    else {
      await save(output, "the predictions", fill)
      session.note(`${many(rows, "prediction")} in ${output}.`)
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
type Fill = (put: Put) => Promise<void>

function csvOf(predicted: Predicted, keep: readonly string[], probabilities: boolean): Fill {
  return async put => {
    let levels: readonly string[] | undefined
    for await (const { batch, answers } of predicted) {
      const lines: string[] = []
      if (levels === undefined && answers.length > 0) {
        levels = probabilities && answers[0].sd === undefined ? Object.keys(answers[0].probabilities) : []
        const heads =
          answers[0].sd === undefined
            ? ["value", "probability", ...levels.map(level => `p(${level})`)]
            : ["value", "sd", "low", "high"]
        lines.push(csvLine([...keep, ...heads]))
      }
      answers.forEach((answer, i) => {
        const kept = keep.map(name => plainCell(batch[name][i]))
        lines.push(csvLine([...kept, ...cellsOf(answer, levels ?? [])]))
      })
      await put(lines.join(""))
    }
  }
}

function cellsOf(answer: LoosePrediction, levels: readonly string[]): Cell[] {
  if (answer.sd !== undefined) return [answer.value, answer.sd, answer.interval![0], answer.interval![1]]
  const all = answer.probabilities as Readonly<Record<string, number>>
  return [answer.value, answer.probability, ...levels.map(level => all[level])]
}

/** One object, written as the rows come. */
function jsonOf(predicted: Predicted, target: string | undefined): Fill {
  return async put => {
    await put(`{\n  "command": "predict",\n  "target": ${JSON.stringify(target)},\n  "predictions": [`)
    let first = true
    for await (const { answers } of predicted) {
      const items = answers.map(answer => `\n    ${toJson(answer, 0)}`)
      await put(`${first ? "" : ","}${items.join(",")}`)
      first = first && items.length === 0
    }
    await put("\n  ]\n}\n")
  }
}
