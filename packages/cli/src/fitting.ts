/**
 * From a table to a model that is measured: what is to be learned or chosen from, which rows are held out, learning, quality, and what a report says of it. It touches no
 * terminal and no file: the command and the studio do the same, to the bit.
 *
 * Long because the steps of a fit hand each other what they found.
 */

import { type Checkpointing, type Columns, type FitOptions, fit, type Preset } from "suffice"
import { graphIn } from "suffice/describe"
import { evaluate, type LabelKind, type ProposedCandidate } from "suffice/measure"
import type { ColumnReport, FileTable } from "suffice-files"
import { pool } from "suffice-files/columns"
import type { Card, DataAnswer, NetworkAnswer, QualityAnswer } from "./answers.ts"
import { asked, candidatesFor, kindOfLabel, proposedFor } from "./auto.ts"
import { type ChoiceAnswer, chosenBy } from "./choosing.ts"
import { componentsAnswer } from "./components.ts"
import { checkColumn, type DataOptions, dataAnswer, readBy, rowsIn } from "./data.ts"
import { type ChosenDates, chosenDates, withParts } from "./dates.ts"
import { Failure } from "./failure.ts"
import { count, many, plain } from "./format.ts"
import { IN_MEMORY, splitStream, splitTable } from "./holdout.ts"
import { learnedAnswer } from "./learned/answer.ts"
import { type Chosen, chosenLearner, type LearnerChoice } from "./learner.ts"
import type { LooseFitted, LooseModel } from "./loose.ts"
import { type ChosenModel, checkPreset, chosenModel, isFile, presetOf } from "./model.ts"
import { type ColumnSource, counted, gathered, rowCount } from "./tabular.ts"
import { type Telling, tellingFeatures } from "./telling.ts"
import type { TextChoice } from "./text.ts"
import { basisOf, trainingAnswer } from "./training.ts"
import { hasWords, WordProgress } from "./word-progress.ts"
import type { Work } from "./work.ts"

/** What may be said about learning from a table. */
export interface FittingOptions extends DataOptions, LearnerChoice, TextChoice {
  readonly label?: string
  readonly text?: readonly string[]
  readonly model?: string
  readonly components?: number
  readonly by?: readonly string[]
  readonly temperature?: number
  readonly doubt?: number
  readonly weight?: string
  readonly holdout?: number
  readonly seed?: number
  readonly threads?: number
  /** Quality is measured elsewhere: nothing is held out. */
  readonly test?: string
}

/** Training rows and held-out rows: in memory if the table fits, streamed otherwise. */
export interface Parts {
  readonly train: Columns | ColumnSource
  readonly test: () => Promise<Columns>
}

const HOLDOUT = 0.2
/** The most training rows on which quality is measured. */
const LOOKED_AT = 20_000

/** A table that is ready to be learned from. */
export interface Prepared {
  readonly plan: Plan
  readonly wanted: Wanted
  readonly parts: Parts
  readonly data: DataAnswer
  readonly dates: ChosenDates | undefined
}

export async function prepared(
  table: FileTable,
  options: FittingOptions,
  work: Pick<Work, "signal" | "modelIn">,
  read: () => void = () => undefined,
): Promise<Prepared> {
  const { label, test, holdout, seed = 0 } = options
  const { signal } = work
  const plan = planned(options)
  const found = await table.summary()
  // what is made of dates is chosen on training rows, which are read with all of their parts
  const all = await wantedOf(plan, options, plan.choosing ? withParts(found) : found, work)
  read()
  const share = test !== undefined || all.target === undefined ? 0 : (holdout ?? HOLDOUT)
  const parts = await partsOf(table, all, rowsIn(found), share, options)
  const dates =
    all.kind && (await chosenDates(found, { label: label!, kind: all.kind }, parts.train, { seed, signal }))
  const reports = dates?.reports ?? found
  const wanted = dates ? { ...(await wantedOf(plan, options, reports, work)), flags: dates.flags } : all
  const data = dataAnswer(table.name, reports, wanted.reading, label)
  return { plan, wanted, parts, data, dates }
}

/** What the command line fixes: the learner, the model; the rest is chosen. */
export interface Plan {
  readonly preset?: Preset
  readonly learner?: Chosen
  readonly choosing: boolean
}

export function planned(options: FittingOptions): Plan {
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
export interface Wanted extends Plan {
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
  options: FittingOptions,
  reports: readonly ColumnReport[],
  work: Pick<Work, "modelIn">,
): Promise<Wanted> {
  const { label } = options
  if (!plan.choosing) {
    const { model, name, pooled } = await chosenModel(options, reports, work)
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
  { seed = 0, weight }: FittingOptions,
): Promise<Parts> {
  if (weight !== undefined) checkColumn(table, "--weight", weight)
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

/** What was learned. */
export interface Learned {
  readonly fitted: LooseFitted
  readonly seconds: number
  readonly choice?: ChoiceAnswer
}

/** Learns, with a progress bar: by rows for a stream, by number for epochs, step by step for EM. */
export async function learned(
  session: Work,
  { model, preset, learner: given, candidates, target, flags }: Wanted,
  { train }: Parts,
  rows: number,
  { seed = 0, weight, threads, temperature, doubt }: FittingOptions,
  {
    checkpoint,
    onStep,
  }: { readonly checkpoint?: Checkpointing; readonly onStep?: FitOptions["onStep"] } = {},
): Promise<Learned> {
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
  // the words of a table in memory are found, then encoded, before the first step; a choice says so itself
  let words: WordProgress | undefined
  if (model && !streamed && hasWords(model)) {
    words = new WordProgress(session, rows)
    await words.show()
  }
  try {
    const options: FitOptions = {
      seed,
      ...(weight !== undefined && { weight }),
      ...(threads !== undefined && { threads }),
      // where rows are too many to hold, it is said where they went
      spill: {
        onSpill: ({ path }) =>
          session.note(`More rows than memory holds: packed into ${path} until the end.`),
      },
      signal: session.signal,
      ...(checkpoint && { checkpoint }),
      ...(words && { onRows: (read: number) => words.read(read) }),
      onStep: taken => {
        const { objective, iteration, of } = taken
        words?.stop()
        onStep?.(taken)
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
  } finally {
    words?.stop()
    bar.stop()
  }
}

/** Quality on these rows, on held-out rows, or otherwise on training rows; undefined without a label. */
export async function measuredOf(
  fitted: LooseFitted,
  { train, test }: Parts,
  { weight }: Pick<FittingOptions, "weight">,
  testFile?: () => Promise<Columns>,
): Promise<{ quality: QualityAnswer; columns: Columns } | undefined> {
  if (fitted.model.target === undefined) return undefined
  const held = await test()
  const on = testFile ? "test file" : rowCount(held) > 0 ? "held-out rows" : "training rows"
  const columns = testFile ? await testFile() : on === "held-out rows" ? held : await beginning(train)
  const evaluation = evaluate(fitted, columns, {
    curves: true,
    ...(weight !== undefined && { weight }),
  }) as unknown as QualityAnswer["evaluation"]
  return { quality: { on, rows: rowCount(columns), evaluation }, columns }
}

export async function beginning(train: Parts["train"]): Promise<Columns> {
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

/** What the model goes by, of a label with levels. */
export function tellingOf(fitted: LooseFitted, quality: QualityAnswer, columns: Columns): Telling[] {
  return quality.evaluation.kind === "levels" ? tellingFeatures(fitted, columns, fitted.model.target!) : []
}

/** What a report is made of. */
export interface Shown {
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

/** `origin`: what made it, and when. */
export async function cardOf(
  { command, origin }: { readonly command: string; readonly origin: Card["facts"] },
  { name, by, choice, fitted, data, parts, quality, telling, seed }: Shown,
): Promise<Card> {
  const { training } = fitted
  const rows = training?.rows ?? 0
  const components = componentsAnswer(
    fitted,
    Symbol.asyncIterator in parts.train ? undefined : (parts.train as Columns),
  )
  const learned = learnedAnswer(fitted, await beginning(parts.train))
  const network = networkAnswer(fitted)
  return {
    title: capitalised(name),
    lead: `Learned from ${many(rows, "row")} of ${data.name} by ${by}.`,
    command,
    facts: [
      ["data", `${data.name}, ${many(data.rows, "row")}`],
      ["learned from", many(rows, "row")],
      ["learner", `${training?.learner.name} ${JSON.stringify(training?.learner.options)}`],
      ["steps", count(training?.iterations ?? 0)],
      ["seed", String(seed)],
      ...origin,
    ],
    warnings: fitted.diagnostics.map(({ message }) => message),
    data,
    ...(choice && { choice }),
    ...(quality && { quality }),
    telling,
    ...(components && { components }),
    ...(learned && { learned }),
    ...(network && { network }),
    basis: basisOf(fitted),
    ...(training && { training: trainingAnswer(training) }),
  }
}

/** The graph of a network, alone or below a label; undefined: it is another model. */
function networkAnswer({ model }: LooseFitted): NetworkAnswer | undefined {
  const nodes = graphIn(model.spec)
  const arrows = nodes?.flatMap(({ name, parents }) =>
    parents.map(parent => ({ from: parent, to: name, isReversible: false })),
  )
  return nodes && arrows && { nodes, arrows, isGiven: true }
}

/** With nothing hidden EM is counting, and says so. */
export function learnedBy({ training }: LooseFitted, { name }: Chosen): string {
  return training?.runs.some(run => run.stopped === "counted") && training.learner.name === "em"
    ? "counting"
    : name
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
