/** `suffice fit`: a file in; what its columns are, a model, and how good it is, out. */
import type { Columns } from "suffice"
import { verdict } from "suffice/measure"
import { Keeper } from "../checkpoint.ts"
import { choiceText } from "../choosing.ts"
import { type DataPaths, dataText, isWide, openData, openDataFor, sourceOf } from "../data.ts"
import { Failure, Stopped } from "../failure.ts"
import {
  cardOf,
  type FittingOptions,
  type Learned,
  learned,
  learnedBy,
  measuredOf,
  planned,
  prepared,
  tellingOf,
} from "../fitting.ts"
import { duration, many, plain } from "../format.ts"
import type { LooseFitted } from "../loose.ts"
import { levelsIn, qualityText, tellingText, withoutCurves } from "../quality.ts"
import { isOfSteps, refuseStates, type SequenceOptions } from "../sequences/options.ts"
import { gathered } from "../tabular.ts"
import { checkPlace, save } from "../terminal/save.ts"
import { origin, type Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"

export interface FitCommandOptions extends FittingOptions, Omit<SequenceOptions, "format"> {
  readonly checkpoint?: string
  readonly output?: string
  readonly report?: string
  readonly engine?: string
  readonly node?: string
}

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
  if (options.engine !== undefined)
    return (await import("../spark/fit.ts")).fitOnEngine(session, paths, {
      ...options,
      engine: options.engine,
    })
  if (isOfSteps(options, paths))
    return (await import("./sequences/fit.ts")).fitSequences(session, paths, options)
  refuseStates(options)
  if (output !== undefined) await checkPlace(output, "the model")
  if (report !== undefined) await checkPlace(report, "the report")
  if (options.checkpoint !== undefined) await checkPlace(options.checkpoint, "the checkpoint")
  planned(options)
  const reading = session.progress("reading")
  const table = await openData(paths, options, {
    signal: session.signal,
    onRows: rows => reading.advance(rows),
    ...(label !== undefined && { label }),
  })
  try {
    const { plan, wanted, parts, data, dates } = await prepared(table, options, session, () => reading.stop())
    await session.print(dataText(data))
    const how = { brief: isWide(data.columns.length) }
    if (dates) await session.print(`${dates.text}\n`)

    const keeper = new Keeper(options.checkpoint)
    const { fitted, seconds, choice } = await learnedOr(session, keeper, options, () =>
      learned(session, wanted, parts, data.rows, options, { checkpoint: keeper }),
    )
    const { name } = choice ?? wanted
    if (choice) await session.print(choiceText(choice, how))
    const rows = fitted.training?.rows ?? 0
    const by = choice ? choice.learner : learnedBy(fitted, plan.learner!)
    await session.print(`Learned ${shown(name)} from ${many(rows, "row")} by ${by}, in ${duration(seconds)}.`)
    for (const { message } of fitted.diagnostics) session.note(`note: ${message}`)

    const testFile = test === undefined ? undefined : () => testColumns(session, fitted, options)
    const measured = await measuredOf(fitted, parts, options, testFile)
    if (measured) await session.print(`\n${qualityText(measured.quality, how)}`)
    else
      await session.print(
        `\nLog-likelihood per row: ${plain((fitted.training?.logLikelihood ?? Number.NaN) / rows, 6)}.`,
      )
    const telling = measured ? tellingOf(fitted, measured.quality, measured.columns) : []
    if (telling.length > 0)
      await session.print(
        `\n${tellingText(telling, { ...how, levels: levelsIn(measured!.quality.evaluation) })}`,
      )

    if (output === undefined) session.note("The model was not kept: give -o model.json to write it.")
    else {
      await save(output, "the model", put => put(`${JSON.stringify(fitted)}\n`))
      await session.print(`\nThe model is in ${shown(output)}. Use it: suffice predict ${shown(output)} DATA`)
    }
    await keeper.forget()
    if (report !== undefined) {
      const { report: drawn } = await import("../report/page.ts")
      const card = await cardOf(
        { command: session.command, origin: origin(session) },
        {
          name,
          by,
          fitted,
          data,
          parts,
          telling,
          seed,
          ...(measured && { quality: measured.quality }),
          ...(choice && { choice }),
        },
      )
      await save(report, "the report", put => put(drawn(card)))
      await session.print(`The report is in ${shown(report)}.`)
    }
    await session.answer({
      command: "fit",
      data,
      model: {
        name,
        declared: fitted.model.spec,
        label: fitted.model.target ?? null,
        output: output ?? null,
      },
      learner: fitted.training?.learner,
      ...(dates && { dates: dates.tried }),
      ...(choice && { choice }),
      seed,
      rows: { learned: rows, measured: measured?.quality.rows ?? 0 },
      quality: measured
        ? {
            on: measured.quality.on,
            ...withoutCurves(measured.quality.evaluation),
            verdict: verdict(measured.quality.evaluation),
          }
        : null,
      telling,
      diagnostics: fitted.diagnostics,
      report: report ?? null,
    })
  } finally {
    await table.close()
  }
}

/** Where it is stopped, what was learned so far is left in a file. */
export async function learnedOr(
  session: Session,
  keeper: Keeper,
  { checkpoint, output }: FitCommandOptions,
  work: () => Promise<Learned>,
): Promise<Learned> {
  try {
    return await work()
  } catch (error) {
    if (session.signal.reason instanceof Stopped) {
      const left = await keeper.leave(output && `${output}.checkpoint`)
      const again = checkpoint === undefined ? `${session.command} --checkpoint ${left}` : session.command
      if (left !== undefined) session.kept = `What was learned so far is in ${left}. Go on with: ${again}`
    }
    throw error
  }
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
    return (await gathered(await sourceOf(session, fitted, table, { also }))) as Columns
  } finally {
    await table.close()
  }
}
