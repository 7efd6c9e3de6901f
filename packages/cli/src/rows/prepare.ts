/** From a table to rows that are ready to be learned from: the model or the candidates, and the rows that are held out. */
import type { Columns, Preset } from "suffice"
import type { LabelKind, ProposedCandidate } from "suffice/measure"
import type { ColumnReport, FileTable } from "suffice-files"
import { pool } from "suffice-files/columns"
import type { DataAnswer } from "../answers.ts"
import { asked, candidatesFor, kindOfLabel, proposedFor } from "../auto.ts"
import { checkColumn, type DataOptions, dataAnswer, readBy, rowsIn } from "../data.ts"
import { type ChosenDates, chosenDates, withParts } from "../dates.ts"
import { Failure } from "../failure.ts"
import { IN_MEMORY, splitStream, splitTable } from "../holdout.ts"
import { type Chosen, chosenLearner, isLearnerGiven, type LearnerChoice } from "../learner.ts"
import type { LooseModel } from "../loose.ts"
import { type ChosenModel, checkPreset, chosenModel, isFile, presetOf } from "../model.ts"
import { type ColumnSource, gathered } from "../tabular.ts"
import type { TextChoice } from "../text.ts"
import type { Work } from "../work.ts"

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
  const { label, model = "auto", temperature, doubt } = options
  const fixesLearner = isLearnerGiven(options)
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
