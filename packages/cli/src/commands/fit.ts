/** `suffice fit`: a file in; what its columns are, a model, and how good it is, out. */
import { type Columns, type FitOptions, fit, type Preset } from "suffice"
import { evaluate, type LabelKind, type ProposedCandidate, verdict } from "suffice/measure"
import type { ColumnReport, FileTable } from "suffice-files"
import type { Card, DataAnswer, QualityAnswer } from "../answers.ts"
import { asked, candidatesFor, kindOfLabel, proposedFor } from "../auto.ts"
import { Keeper } from "../checkpoint.ts"
import { type ChoiceAnswer, choiceText, chosenBy } from "../choosing.ts"
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
  rowsIn,
  sourceOf,
} from "../data.ts"
import { chosenDates, withParts } from "../dates.ts"
import { Failure, Stopped } from "../failure.ts"
import { count, duration, many, plain } from "../format.ts"
import { IN_MEMORY, splitStream, splitTable } from "../holdout.ts"
import { learnedAnswer } from "../learned/answer.ts"
import { type Chosen, chosenLearner, type LearnerChoice } from "../learner.ts"
import type { LooseFitted, LooseModel } from "../loose.ts"
import { type ChosenModel, checkPreset, chosenModel, isFile, presetOf } from "../model.ts"
import { qualityText, tellingText } from "../quality.ts"
import { type ColumnSource, counted, gathered, rowCount } from "../tabular.ts"
import { type Telling, tellingFeatures } from "../telling.ts"
import { checkPlace, save } from "../terminal/save.ts"
import { origin, type Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import type { TextChoice } from "../text.ts"
import { basisOf, trainingAnswer } from "../training.ts"

export interface FitCommandOptions extends DataOptions, LearnerChoice, TextChoice {
  readonly label?: string
  readonly text?: readonly string[]
  readonly model?: string
  readonly components?: number
  readonly by?: readonly string[]
  readonly temperature?: number
  readonly doubt?: number
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
  const plan = planned(options)
  const reading = session.progress("reading")
  const table = await openData(paths, options, {
    signal: session.signal,
    onRows: rows => reading.advance(rows),
    ...(label !== undefined && { label }),
  })
  try {
    const found = await table.summary()
    // what is made of dates is chosen on training rows, which are read with all of their parts
    const all = await wantedOf(plan, options, plan.choosing ? withParts(found) : found)
    reading.stop()
    const share = test !== undefined || all.target === undefined ? 0 : (holdout ?? HOLDOUT)
    const parts = await partsOf(table, all, rowsIn(found), share, options)
    const dates =
      all.kind &&
      (await chosenDates(found, { label: label!, kind: all.kind }, parts.train, {
        seed,
        signal: session.signal,
      }))
    const reports = dates?.reports ?? found
    const wanted = dates ? { ...(await wantedOf(plan, options, reports)), flags: dates.flags } : all
    const data = dataAnswer(table.name, reports, wanted.reading, label)
    await session.print(dataText(data))
    const how = { brief: isWide(data.columns.length) }
    if (dates) await session.print(`${dates.text}\n`)

    const keeper = new Keeper(options.checkpoint)
    const { fitted, seconds, choice } = await learned(session, wanted, parts, data.rows, options, keeper)
    const { name } = choice ?? wanted
    if (choice) await session.print(choiceText(choice, how))
    const rows = fitted.training?.rows ?? 0
    const by = choice ? choice.learner : learnedBy(fitted, plan.learner!)
    await session.print(`Learned ${shown(name)} from ${many(rows, "row")} by ${by}, in ${duration(seconds)}.`)
    for (const { message } of fitted.diagnostics) session.note(`note: ${message}`)

    const measured = await measuredOf(session, fitted, parts, options)
    if (measured) await session.print(`\n${qualityText(measured.quality, how)}`)
    else
      await session.print(
        `\nLog-likelihood per row: ${plain((fitted.training?.logLikelihood ?? Number.NaN) / rows, 6)}.`,
      )
    const telling =
      measured?.quality.evaluation.kind === "levels"
        ? tellingFeatures(fitted, measured.columns, fitted.model.target!)
        : []
    if (telling.length > 0) await session.print(`\n${tellingText(telling, how)}`)

    if (output === undefined) session.note("The model was not kept: give -o model.json to write it.")
    else {
      await save(output, "the model", put => put(`${JSON.stringify(fitted)}\n`))
      await session.print(`\nThe model is in ${shown(output)}. Use it: suffice predict ${shown(output)} DATA`)
    }
    await keeper.forget()
    if (report !== undefined) {
      const { report: drawn } = await import("../report/page.ts")
      const card = await cardOf(session, {
        name,
        by,
        fitted,
        data,
        parts,
        telling,
        seed,
        ...(measured && { quality: measured.quality }),
        ...(choice && { choice }),
      })
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

/** What the command line fixes: the learner, the model; the rest is chosen. */
interface Plan {
  readonly preset?: Preset
  readonly learner?: Chosen
  readonly choosing: boolean
}

function planned(options: FitCommandOptions): Plan {
  const { label, model = "auto", learner, loss, epochs, restarts, unlabelled, temperature, doubt } = options
  const fixesLearner = [learner, loss, epochs, restarts, unlabelled].some(value => value !== undefined)
  const preset = presetOf(options)
  const choosing =
    label !== undefined && !isFile(model) && model !== "mixture" && !(preset !== undefined && fixesLearner)
  if ((temperature !== undefined || doubt !== undefined) && (choosing || label === undefined)) {
    throw new Failure(
      "usage",
      `${temperature === undefined ? "--doubt" : "--temperature"} is given, but not what it is for. It corrects the probabilities of one model learned in one way. Give --label, --model and --learner, too.`,
    )
  }
  // without --learner: counting, where nothing is chosen; choosing calibrates by itself
  const own =
    fixesLearner || !choosing ? chosenLearner(options, !choosing && temperature === undefined) : undefined
  return { choosing, ...(preset && { preset }), ...(own && { learner: own }) }
}

/** What is to be learned, or chosen from; and what of the file that needs. */
interface Wanted extends Plan {
  readonly reading: LooseModel
  readonly pooled: ChosenModel["pooled"]
  readonly name: string
  readonly target: string | undefined
  readonly isNumber: boolean
  /** Absent where something is chosen. */
  readonly model?: LooseModel
  readonly candidates?: readonly ProposedCandidate[]
  /** Where something is chosen: what the label is. */
  readonly kind?: LabelKind
  /** Flags that say what else was chosen. */
  readonly flags?: string
}

async function wantedOf(
  plan: Plan,
  options: FitCommandOptions,
  reports: readonly ColumnReport[],
): Promise<Wanted> {
  const { label } = options
  if (!plan.choosing) {
    const { model, name, pooled } = await chosenModel(options, reports)
    const target = label ?? model.target
    const own = plan.preset && reports.find(({ name }) => name === label)
    // rows are held out as they are where the preset is chosen: by what the label looks like
    const isNumber = own
      ? kindOfLabel(own, asked(options, own.name)) === "number"
      : target !== undefined && !model.uses.some(use => use.column === target && use.role === "label")
    return { ...plan, reading: model, model, name, pooled, target, isNumber }
  }
  const proposed = await proposedFor(reports, label!, options)
  if (plan.preset) checkPreset(plan.preset, proposed, options)
  return {
    ...plan,
    reading: proposed.all,
    pooled: proposed.pooled,
    name: label!,
    target: label!,
    isNumber: proposed.facts.kind === "number",
    kind: proposed.facts.kind,
    candidates: candidatesFor(proposed, plan.preset, plan.learner),
  }
}

async function partsOf(
  table: FileTable,
  { reading: model, pooled, target, isNumber }: Wanted,
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
    const { train, test } = splitTable(columns, share, isNumber ? undefined : target, seed)
    return { train, test: async () => test }
  }
  if (share === 0) return { train: source, test: async () => ({}) }
  return splitStream(source, rows, share, seed)
}

/** Learns, with a progress bar: by rows for a stream, by number for epochs, step by step for EM. */
async function learned(
  session: Session,
  { model, preset, learner: given, candidates, target, flags }: Wanted,
  { train }: Parts,
  rows: number,
  { seed = 0, weight, threads, checkpoint, output, temperature, doubt }: FitCommandOptions,
  keeper: Keeper,
): Promise<{ fitted: LooseFitted; seconds: number; choice?: ChoiceAnswer }> {
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
  const byEpochs = given?.byEpochs ?? true
  try {
    const options: FitOptions = {
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
    }
    // the words of a table in memory are read before the first step; a choice shows what it tried before
    if (model && !streamed && model.uses.some(({ need }) => need.kind === "bag"))
      await bar.show(`reading the words of ${many(rows, "row")}`)
    const { fitted, choice } = candidates
      ? await chosenBy(
          session,
          { candidates, label: target!, isModelGiven: preset !== undefined, ...(flags && { flags }) },
          watched,
          options,
        )
      : { fitted: (await fit(model!, watched, { ...options, learner: given!.learner })) as LooseFitted }
    const correcting = (temperature ?? 1) !== 1 || (doubt ?? 0) !== 0
    const calibrated = correcting
      ? fitted.calibrated({
          target: target!,
          method: "temperature",
          temperature: temperature ?? 1,
          ...(doubt !== undefined && { doubt }),
        })
      : fitted
    return {
      fitted: target === undefined ? calibrated : calibrated.withTarget(target),
      seconds: (performance.now() - began) / 1000,
      ...(choice && { choice }),
    }
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
    return (await gathered(await sourceOf(session, fitted, table, { also }))) as Columns
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
  if (evaluation.kind !== "levels") {
    const { points: _, ...rest } = evaluation
    return rest
  }
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
  readonly name: string
  readonly by: string
  readonly choice?: ChoiceAnswer
  readonly fitted: LooseFitted
  readonly data: DataAnswer
  readonly parts: Parts
  readonly quality?: QualityAnswer
  readonly telling: readonly Telling[]
  readonly seed: number
}

async function cardOf(
  session: Session,
  { name, by, choice, fitted, data, parts, quality, telling, seed }: Shown,
): Promise<Card> {
  const { training } = fitted
  const rows = training?.rows ?? 0
  const components = componentsAnswer(
    fitted,
    Symbol.asyncIterator in parts.train ? undefined : (parts.train as Columns),
  )
  const learned = learnedAnswer(fitted, await beginning(parts.train))
  return {
    title: capitalised(name),
    lead: `Learned from ${many(rows, "row")} of ${data.name} by ${by}.`,
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
    ...(choice && { choice }),
    ...(quality && { quality }),
    telling,
    ...(components && { components }),
    ...(learned && { learned }),
    basis: basisOf(fitted),
    ...(training && { training: trainingAnswer(training) }),
  }
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
