/** `suffice fit`: a file in; what its columns are, a model, and how good it is, out. */
import { type Columns, fit, type Training } from "suffice"
import { evaluate } from "suffice/measure"
import type { FileTable } from "suffice-files"
import type { Card, DataAnswer, QualityAnswer } from "../answers.ts"
import { Keeper } from "../checkpoint.ts"
import { componentsAnswer } from "../components.ts"
import {
  checkColumn,
  type DataOptions,
  type DataPaths,
  dataAnswer,
  dataText,
  isWide,
  openData,
  openDataFor,
  readBy,
  sourceOf,
} from "../data.ts"
import { Failure, Stopped } from "../failure.ts"
import { count, duration, many, plain } from "../format.ts"
import { IN_MEMORY, splitStream, splitTable } from "../holdout.ts"
import { type Chosen, chosenLearner, type LearnerChoice } from "../learner.ts"
import type { LooseFitted } from "../loose.ts"
import { type ChosenModel, chosenModel } from "../model.ts"
import { qualityText, tellingText } from "../quality.ts"
import { type ColumnSource, counted, gathered, rowCount } from "../tabular.ts"
import { type Telling, tellingFeatures } from "../telling.ts"
import { checkPlace, save } from "../terminal/save.ts"
import { origin, type Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import type { TextChoice } from "../text.ts"

export interface FitCommandOptions extends DataOptions, LearnerChoice, TextChoice {
  readonly label?: string
  readonly text?: readonly string[]
  readonly model?: string
  readonly components?: number
  readonly weight?: string
  readonly test?: string
  readonly holdout?: number
  readonly seed?: number
  readonly threads?: number
  readonly checkpoint?: string
  readonly output?: string
  readonly report?: string
}

/** Training rows and held-out rows: in memory if the table fits, streamed otherwise. */
interface Parts {
  readonly train: Columns | ColumnSource
  readonly test: () => Promise<Columns>
}

const HOLDOUT = 0.2
/** The most training rows on which quality is measured. */
const LOOKED_AT = 20_000

export async function fitCommand(
  session: Session,
  paths: DataPaths,
  options: FitCommandOptions,
): Promise<void> {
  const { output, report, test, holdout, label, seed = 0 } = options
  if (test !== undefined && holdout !== undefined) {
    throw new Failure(
      "usage",
      "both --test and --holdout are given. Quality is measured on the one or on the other. Leave one of them out.",
    )
  }
  if (output !== undefined) await checkPlace(output, "the model")
  if (report !== undefined) await checkPlace(report, "the report")
  if (options.checkpoint !== undefined) await checkPlace(options.checkpoint, "the checkpoint")
  const learner = chosenLearner(options)
  const reading = session.progress("reading")
  const table = await openData(paths, options, {
    signal: session.signal,
    onRows: rows => reading.advance(rows),
    ...(label !== undefined && { label }),
  })
  try {
    const reports = await table.summary()
    const chosen = await chosenModel(options, reports)
    const { model } = chosen
    const data = dataAnswer(table.name, reports, model)
    reading.stop()
    await session.print(dataText(data))

    const share = test !== undefined || model.target === undefined ? 0 : (holdout ?? HOLDOUT)
    const parts = await partsOf(table, chosen, data.rows, share, options)
    const keeper = new Keeper(options.checkpoint)
    const { fitted, seconds } = await learned(session, chosen, learner, parts, data.rows, options, keeper)
    const rows = fitted.training?.rows ?? 0
    await session.print(
      `Learned ${shown(chosen.name)} from ${many(rows, "row")} by ${learnedBy(fitted, learner)}, in ${duration(seconds)}.`,
    )
    for (const { message } of fitted.diagnostics) session.note(`note: ${message}`)

    const measured = await measuredOf(session, fitted, parts, options)
    if (measured) await session.print(`\n${qualityText(measured.quality)}`)
    else
      await session.print(
        `\nLog-likelihood per row: ${plain((fitted.training?.logLikelihood ?? Number.NaN) / rows, 6)}.`,
      )
    const telling = measured ? tellingFeatures(fitted, measured.columns, model.target!) : []
    if (telling.length > 0)
      await session.print(`\n${isWide(data) ? tellingText(telling, 6) : tellingText(telling)}`)

    if (output === undefined) session.note("The model was not kept: give -o model.json to write it.")
    else {
      await save(output, "the model", put => put(`${JSON.stringify(fitted)}\n`))
      await session.print(`\nThe model is in ${shown(output)}. Use it: suffice predict ${shown(output)} DATA`)
    }
    await keeper.forget()
    if (report !== undefined) {
      const { report: drawn } = await import("../report/page.ts")
      const card = cardOf(session, {
        chosen,
        learner,
        fitted,
        data,
        parts,
        telling,
        seed,
        ...(measured && { quality: measured.quality }),
      })
      await save(report, "the report", put => put(drawn(card)))
      await session.print(`The report is in ${shown(report)}.`)
    }
    await session.answer({
      command: "fit",
      data,
      model: { name: chosen.name, declared: model.spec, label: model.target ?? null, output: output ?? null },
      learner: fitted.training?.learner,
      seed,
      rows: { learned: rows, measured: measured?.quality.rows ?? 0 },
      quality: measured ? { on: measured.quality.on, ...withoutCurves(measured.quality.evaluation) } : null,
      telling,
      diagnostics: fitted.diagnostics,
      report: report ?? null,
    })
  } finally {
    await table.close()
  }
}

async function partsOf(
  table: FileTable,
  { model, pooled }: ChosenModel,
  rows: number,
  share: number,
  { seed = 0, weight }: FitCommandOptions,
): Promise<Parts> {
  if (weight !== undefined) checkColumn(table, "--weight", weight)
  const { pool } = await import("suffice-files")
  const source = pool(
    table.read(readBy(model, table, weight === undefined ? [] : [weight])),
    pooled,
  ) as ColumnSource
  if (rows <= IN_MEMORY) {
    const columns = (await gathered(source)) as Columns
    if (share === 0) return { train: columns, test: async () => ({}) }
    const { train, test } = splitTable(columns, share, model.target!, seed)
    return { train, test: async () => test }
  }
  if (share === 0) return { train: source, test: async () => ({}) }
  return splitStream(source, rows, share, seed)
}

/** Learns, with a progress bar: by rows for a stream, by number for epochs, step by step for EM. */
async function learned(
  session: Session,
  { model }: ChosenModel,
  { learner, byEpochs }: Chosen,
  { train }: Parts,
  rows: number,
  { seed = 0, weight, threads, checkpoint, output }: FitCommandOptions,
  keeper: Keeper,
): Promise<{ fitted: LooseFitted; seconds: number }> {
  const began = performance.now()
  const streamed = Symbol.asyncIterator in train
  let bar = streamed ? session.progress("learning", rows) : session.progress("learning", undefined, "steps")
  let pass = 0
  let step = 0
  const watched = streamed
    ? {
        [Symbol.asyncIterator]() {
          bar.at(0, `pass ${++pass}`)
          return counted(train as ColumnSource, n => bar.advance(n))[Symbol.asyncIterator]()
        },
      }
    : train
  try {
    const fitted = await fit(model, watched, {
      learner,
      seed,
      ...(weight !== undefined && { weight }),
      ...(threads !== undefined && { threads }),
      signal: session.signal,
      checkpoint: keeper,
      onStep: ({ objective, iteration, of }) => {
        step++
        if (streamed) return
        // the EM that provides the first guess is one more run before the epochs
        if (byEpochs && of !== undefined && iteration === 1) {
          bar.stop()
          bar = session.progress("learning", of, "epochs")
        }
        bar.at(of === undefined ? step : iteration, `objective ${plain(objective, 6)}`)
      },
    })
    return { fitted: fitted as LooseFitted, seconds: (performance.now() - began) / 1000 }
  } catch (error) {
    if (session.signal.reason instanceof Stopped) {
      const left = await keeper.leave(output && `${output}.checkpoint`)
      const again = checkpoint === undefined ? `${session.command} --checkpoint ${left}` : session.command
      if (left !== undefined) session.kept = `What was learned so far is in ${left}. Go on with: ${again}`
    }
    throw error
  } finally {
    bar.stop()
  }
}

/** Quality on the test file, on held-out rows, or otherwise on training rows; undefined without a label. */
async function measuredOf(
  session: Session,
  fitted: LooseFitted,
  { train, test }: Parts,
  options: FitCommandOptions,
): Promise<{ quality: QualityAnswer; columns: Columns } | undefined> {
  if (fitted.model.target === undefined) return undefined
  const held = await test()
  const on = options.test !== undefined ? "test file" : rowCount(held) > 0 ? "held-out rows" : "training rows"
  const columns =
    on === "test file"
      ? await testColumns(session, fitted, options)
      : on === "held-out rows"
        ? held
        : await beginning(train)
  const evaluation = evaluate(fitted, columns, {
    curves: true,
    ...(options.weight !== undefined && { weight: options.weight }),
  }) as unknown as QualityAnswer["evaluation"]
  return { quality: { on, rows: rowCount(columns), evaluation }, columns }
}

async function testColumns(
  session: Session,
  fitted: LooseFitted,
  options: FitCommandOptions,
): Promise<Columns> {
  const { sql: _, ...reading } = options
  const table = await openDataFor(fitted, [options.test!], reading, session.signal)
  try {
    const also = options.weight === undefined ? [] : [options.weight]
    return (await gathered(await sourceOf(session, fitted, table, also))) as Columns
  } finally {
    await table.close()
  }
}

async function beginning(train: Parts["train"]): Promise<Columns> {
  if (!(Symbol.asyncIterator in train)) return train
  const batches: Columns[] = []
  let rows = 0
  for await (const batch of train as ColumnSource) {
    batches.push(batch)
    rows += rowCount(batch)
    if (rows >= LOOKED_AT) break
  }
  const some: ColumnSource = {
    async *[Symbol.asyncIterator]() {
      yield* batches
    },
  }
  return (await gathered(some)) as Columns
}

/** Curves have a point per row: they are only for charts. */
export function withoutCurves(evaluation: QualityAnswer["evaluation"]): object {
  if (evaluation.kind !== "levels") return evaluation
  return {
    ...evaluation,
    perLevel: Object.fromEntries(
      Object.entries(evaluation.perLevel).map(([level, { roc: _, precisionRecall: __, ...rest }]) => [
        level,
        rest,
      ]),
    ),
  }
}

interface Shown {
  readonly chosen: ChosenModel
  readonly learner: Chosen
  readonly fitted: LooseFitted
  readonly data: DataAnswer
  readonly parts: Parts
  readonly quality?: QualityAnswer
  readonly telling: readonly Telling[]
  readonly seed: number
}

function cardOf(
  session: Session,
  { chosen, learner, fitted, data, parts, quality, telling, seed }: Shown,
): Card {
  const { training } = fitted
  const rows = training?.rows ?? 0
  const components = componentsAnswer(
    fitted,
    Symbol.asyncIterator in parts.train ? undefined : (parts.train as Columns),
  )
  return {
    title: capitalised(chosen.name),
    lead: `Learned from ${many(rows, "row")} of ${data.name} by ${learnedBy(fitted, learner)}.`,
    command: session.command,
    facts: [
      ["data", `${data.name}, ${many(data.rows, "row")}`],
      ["learned from", many(rows, "row")],
      ["learner", `${training?.learner.name} ${JSON.stringify(training?.learner.options)}`],
      ["steps", count(training?.iterations ?? 0)],
      ["seed", String(seed)],
      ...origin(session),
    ],
    warnings: fitted.diagnostics.map(({ message }) => message),
    data,
    ...(quality && { quality }),
    telling,
    ...(components && { components }),
    training: { learner: training?.learner.name ?? "", trace: training ? ownTrace(training) : [] },
  }
}

/** Without the steps of the EM that sdEM starts from, which has another objective. */
function ownTrace({ learner, trace, iterations }: Training): readonly number[] {
  return learner.name === "sdem" ? trace.slice(-iterations) : trace
}

/** With nothing hidden EM is counting, and says so. */
function learnedBy({ training }: LooseFitted, { name }: Chosen): string {
  return training?.runs.some(run => run.stopped === "counted") && training.learner.name === "em"
    ? "counting"
    : name
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
