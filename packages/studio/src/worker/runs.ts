/**
 * A run: a model learned in one way, and measured on the rows that every run is measured on. All of it goes as in the command.
 * Long because rows, sequences and what fits best are measured alike.
 */
import { type Columns, declare, fit, type Step, SufficeError } from "suffice"
import { verdict } from "suffice/measure"
import {
  beginning,
  type Chosen,
  capitalised,
  checkSequences,
  type FittingOptions,
  type FittingSequences,
  IN_MEMORY,
  type Learned,
  type LooseFitted,
  learned,
  learnedBy,
  learnerOfSteps,
  measuredOf,
  type Prepared,
  type PreparedSequences,
  prepared,
  preparedSequences,
  type QualityAnswer,
  qualityOf,
  rowCount,
  splitTable,
  stemmersIn,
  type Work,
} from "suffice-cli/browser"
import type { LearnerChoice, ModelChoice, News, RunView, Settings, Spec } from "../bench/types.ts"
import { byFolds, type Folded } from "./folds.ts"
import { noFiles } from "./gallery.ts"
import { lossesOf } from "./losses.ts"
import type { OpenTable } from "./table.ts"

export interface Run {
  readonly view: RunView
  readonly fitted: LooseFitted
  /** Rows it is measured on, or has learned from; of sequences a row for each. */
  readonly looked: Columns
  /** Rows it has learned from, or their beginning. */
  readonly train: Columns
  /** Of rows that stand by themselves. */
  readonly prepared: Prepared | undefined
  readonly steps: PreparedSequences | undefined
  readonly choice: Learned["choice"]
  readonly quality: QualityAnswer | undefined
  /** Where the rows that are looked at stand in the file, if that is known. */
  readonly places: ArrayLike<number> | undefined
  /** The loss of each row it was measured on, and which rows these are. */
  readonly losses: Float64Array | undefined
  readonly judged: string
}

export interface Learning {
  readonly tell: (news: News) => void
  readonly signal: AbortSignal
  /** What the page shows beside it: the command and the TypeScript that do the same. */
  readonly command: string
  readonly code: string
}

function learnerOptions({ learner, loss, epochs, restarts }: LearnerChoice): FittingOptions {
  if (learner === "best") return {}
  return {
    learner,
    ...(loss && { loss }),
    ...(epochs !== undefined && { epochs }),
    ...(restarts !== undefined && { restarts }),
  }
}

/** Options of the command that say the same; a model of one's own is in a file. */
export function optionsOf(settings: Settings, model: ModelChoice, learner: LearnerChoice): FittingOptions {
  const { as, label, weight, seed, holdout, missing } = settings
  return {
    as,
    missing,
    seed,
    holdout,
    ...(label !== undefined && { label }),
    ...(weight !== undefined && { weight }),
    ...(model.kind === "named" && model.flags),
    ...(model.kind === "tree" && { model: "model.json" }),
    ...learnerOptions(learner),
  }
}

/** The same of steps. */
function stepOptionsOf(
  { settings, isTag }: OpenTable,
  model: ModelChoice,
  learner: LearnerChoice,
): FittingSequences {
  const { label, sequence, weight: _, ...rest } = settings
  return {
    ...optionsOf({ ...rest, label: undefined, weight: undefined, sequence: undefined }, model, learner),
    ...(sequence && { sequence }),
    ...(label !== undefined && (isTag ? { tag: label } : { label })),
  }
}

export async function learnRun(
  id: number,
  open: OpenTable,
  model: ModelChoice,
  learner: LearnerChoice,
  learning: Learning,
): Promise<Run> {
  const trace: number[] = []
  const kept: Kept = {}
  const { onStep, flush } = steps(learning, step => {
    kept.last = step
    trace.push(step.objective)
  })
  const work = workOf(learning, model.kind === "auto" ? undefined : model.spec)
  const title = model.kind === "auto" ? undefined : model.title
  const shown: Shown = { id, title, trace, command: learning.command, code: learning.code }
  if (open.settings.sequence !== undefined) {
    const options = stepOptionsOf(open, model, learner)
    checkSequences(options, { "--weight": open.settings.weight })
    const base = await preparedSequences(open.table, options, cutOf(open), work)
    const how = learnerOfSteps(options)
    const got = await keeping(kept, learning.signal, async began => {
      const fitted = (await fit(base.wanted.model as never, base.parts.train.columns as never, {
        learner: how.learner,
        seed: open.settings.seed,
        signal: learning.signal,
        onStep: onStep as never,
      })) as unknown as LooseFitted
      return { fitted, seconds: (performance.now() - began) / 1000 }
    })
    flush()
    return runOfSteps(shown, got, base, how)
  }
  const options = optionsOf(open.settings, model, learner)
  const base = await prepared(open.table, options, work)
  const got = await keeping(
    kept,
    learning.signal,
    () => learned(work, base.wanted, base.parts, base.data.rows, options, { onStep }),
    base.wanted.target,
  )
  flush()
  const folded =
    open.settings.folds > 0 && !learning.signal.aborted
      ? await byFolds(base, options, open.settings.folds, work)
      : undefined
  return runOf(shown, got, base, options, open, folded)
}

/** A step may take less than a frame: the page hears of all of them twenty times a second. */
const EVERY = 50

function steps(
  { tell }: Learning,
  keep: (step: Step) => void,
): { onStep: (step: Step) => void; flush: () => void } {
  let sent = 0
  let waiting: { iteration: number; run: number; objective: number }[] = []
  const flush = (): void => {
    if (waiting.length > 0) tell({ kind: "steps", steps: waiting })
    waiting = []
    sent = performance.now()
  }
  return {
    onStep(step) {
      keep(step)
      const { iteration, run, objective } = step
      waiting.push({ iteration, run, objective })
      if (performance.now() - sent >= EVERY) flush()
    },
    flush,
  }
}

function workOf({ signal, command, tell }: Omit<Learning, "code">, spec: Spec | undefined): Work {
  return {
    signal,
    command,
    modelIn: async path =>
      spec ? (declare(spec, { stemmers: await stemmersIn(spec) }) as never) : noFiles(path),
    note: () => undefined,
    progress: label => ({
      advance: () => undefined,
      at: (_, more) => more !== undefined && tell({ kind: "said", text: `${label}: ${more}` }),
      show: async more => tell({ kind: "said", text: more }),
      stop: () => undefined,
    }),
  }
}

interface Kept {
  last?: Step
}

/** What is learned; if it is stopped, what was learned so far. */
async function keeping(
  kept: Kept,
  signal: AbortSignal,
  learn: (began: number) => Promise<Learned>,
  target?: string,
): Promise<Learned> {
  const began = performance.now()
  try {
    return await learn(began)
  } catch (error) {
    const fitted = signal.aborted && kept.last ? fittedAt(kept.last) : undefined
    if (!fitted) throw error
    return {
      fitted: target === undefined ? fitted : fitted.withTarget(target),
      seconds: (performance.now() - began) / 1000,
    }
  }
}

function fittedAt(step: Step): LooseFitted | undefined {
  try {
    return step.fitted() as unknown as LooseFitted
  } catch (error) {
    if (error instanceof SufficeError) return undefined
    throw error
  }
}

/** The columns that cut rows into sequences. */
export function cutOf({ settings }: OpenTable): { sequence?: string } {
  return settings.sequence ? { sequence: settings.sequence } : {}
}

/** What the page says of a run, beside what it has learned. */
interface Shown {
  readonly id: number
  readonly title: string | undefined
  readonly trace: readonly number[]
  readonly command: string
  readonly code: string
}

async function runOf(
  shown: Shown,
  { fitted, choice, seconds }: Learned,
  base: Prepared,
  options: FittingOptions,
  open: OpenTable,
  folded?: Folded,
): Promise<Run> {
  const measured = await measuredOf(fitted, base.parts, options)
  const train = await beginning(base.parts.train)
  const by = choice ? choice.learner : learnedBy(fitted, base.wanted.learner!)
  const title = capitalised(choice?.name ?? shown.title ?? base.wanted.name)
  const view = viewOf({ ...shown, title, command: choice?.command ?? shown.command }, fitted, seconds, by)
  const { target } = fitted.model
  const held =
    measured && target !== undefined
      ? lossesOf(fitted, measured.columns, measured.quality.evaluation.kind)
      : undefined
  return {
    fitted,
    looked: measured?.columns ?? train,
    train,
    prepared: base,
    steps: undefined,
    choice,
    quality: measured?.quality,
    places: placesOf(open, measured?.quality.on, measured?.columns ?? train),
    losses: folded?.losses ?? held,
    judged: folded ? folded.judged : (measured?.quality.on ?? ""),
    view: {
      ...view,
      ...measures(measured?.quality),
      ...folded?.view,
      ...(choice && { choice }),
    },
  }
}

/** The same split of the numbers of the rows; undefined where rows are too many to be held, or are not in the order of the file. */
function placesOf(
  { cells, rows, settings, isNumber }: OpenTable,
  on: QualityAnswer["on"] | undefined,
  looked: Columns,
): ArrayLike<number> | undefined {
  const { label, holdout, seed } = settings
  if (rows > IN_MEMORY || rowCount(cells) < rows) return undefined
  const all = Float64Array.from({ length: rows }, (_, i) => i)
  if (on !== "held-out rows") return rowCount(looked) === rows ? all : undefined
  if (label === undefined || !cells[label]) return undefined
  const { test } = splitTable(
    { [label]: cells[label], [PLACE]: all },
    holdout,
    isNumber ? undefined : label,
    seed,
  )
  const isSame =
    rowCount(test) === rowCount(looked) &&
    Array.from(looked[label] as ArrayLike<unknown>).every(
      (cell, i) => String(cell) === String(test[label][i]),
    )
  return isSame ? (test[PLACE] as Float64Array) : undefined
}

/** No column of a file is called so. */
const PLACE = "\u0000 row"

function runOfSteps(
  shown: Shown,
  { fitted, seconds }: Pick<Learned, "fitted" | "seconds">,
  base: PreparedSequences,
  how: Chosen,
): Run {
  const { train, test } = base.parts
  const on = test.length > 0 ? "held-out rows" : "training rows"
  const looked = on === "held-out rows" ? test : train
  const quality = base.goal === undefined ? undefined : qualityOf(fitted, looked, on)
  const title = capitalised(shown.title ?? base.wanted.name)
  const view = viewOf({ ...shown, title }, fitted, seconds, learnedBy(fitted, how), train.length)
  return {
    fitted,
    looked: looked.columns,
    train: train.columns,
    prepared: undefined,
    steps: base,
    choice: undefined,
    quality,
    places: undefined,
    losses: quality && lossesOf(fitted, looked.columns, quality.evaluation.kind, base.wanted.steps),
    judged: on,
    view: { ...view, ...measures(quality) },
  }
}

/** `steps`: how many were learned from, where rows are sequences. */
function viewOf(
  { id, title, trace, command, code }: Shown,
  fitted: LooseFitted,
  seconds: number,
  by: string,
  steps?: number,
): RunView {
  const { training, model, free, diagnostics } = fitted
  const rows = steps ?? training?.rows ?? 0
  const likelihood = training?.logLikelihood
  return {
    id,
    title: title!,
    by,
    seconds,
    rows,
    measured: 0,
    free,
    target: model.target,
    kind: "none",
    ...(model.target === undefined && {
      ...(likelihood !== undefined && { logLikelihood: likelihood / Math.max(rows, 1) }),
      ...criteriaOf(fitted),
    }),
    command,
    code,
    trace: trace.length > 0 ? trace : (training?.trace ?? []),
    notes: diagnostics.map(({ message }) => message),
    spec: JSON.parse(JSON.stringify(model.spec)) as Spec,
  }
}

/** Of a posterior its evidence, of an estimate its BIC. */
function criteriaOf(fitted: LooseFitted): Pick<RunView, "bic" | "evidence"> {
  try {
    return fitted.training?.learner.name === "bayes"
      ? { evidence: fitted.evidence.value }
      : { bic: fitted.criteria().bic }
  } catch (error) {
    if (error instanceof SufficeError) return {}
    throw error
  }
}

function measures(quality: QualityAnswer | undefined): Partial<RunView> {
  if (!quality) return {}
  const { evaluation, on, rows } = quality
  return {
    kind: evaluation.kind,
    measured: on === "held-out rows" ? rows : 0,
    ...(evaluation.kind === "levels" && {
      accuracy: evaluation.accuracy,
      accuracyInterval: evaluation.accuracyInterval,
      logLoss: evaluation.logLoss,
      logLossInterval: evaluation.logLossInterval,
    }),
    ...(evaluation.kind === "number" && { rmse: evaluation.rmse, logLoss: -evaluation.logDensity }),
    verdict: verdict(evaluation).sentence,
  }
}

/** A saved model on the table that is open: measured on the rows that every run is measured on. */
export async function loadedRun(
  view: RunView,
  fitted: LooseFitted,
  open: OpenTable | undefined,
  signal: AbortSignal,
): Promise<Run> {
  const { id, title, trace, command, target, spec } = view
  const isOfTable =
    open &&
    open.settings.sequence === undefined &&
    fitted.model.uses.every(({ column }) => open.cells[column])
  const alone: Run = {
    view,
    fitted,
    looked: isOfTable ? open.cells : {},
    train: {},
    prepared: undefined,
    steps: undefined,
    choice: undefined,
    quality: undefined,
    places: isOfTable ? Float64Array.from({ length: rowCount(open.cells) }, (_, i) => i) : undefined,
    losses: undefined,
    judged: "",
  }
  if (!open || target === undefined || open.settings.label !== target || open.settings.sequence !== undefined)
    return alone
  const choice: ModelChoice = { kind: "tree", title, spec }
  const options = optionsOf(open.settings, choice, { learner: "em" })
  const base = await prepared(open.table, options, workOf({ signal, command, tell: () => undefined }, spec))
  const run = await runOf(
    { id, title, trace, command, code: "" },
    { fitted, seconds: 0 },
    base,
    options,
    open,
  )
  return {
    ...run,
    view: {
      ...run.view,
      by: view.by,
      notes: [...run.view.notes, "A saved model: it may have learned from the rows it is measured on here."],
    },
  }
}
