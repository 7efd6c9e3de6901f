/** A run: a model learned in one way, and measured on the rows that every run is measured on. All of it goes as in the command. */
import { type Columns, type Step, SufficeError } from "suffice"
import {
  capitalised,
  IN_MEMORY,
  type Learned,
  type LooseFitted,
  type Measurement,
  type QualityAnswer,
  rowCount,
  splitTable,
  type Task,
} from "suffice-cli/browser"
import type { LearnerChoice, ModelChoice, RunView } from "../bench/types.ts"
import type { Folded } from "./folds.ts"
import { lossesOf } from "./losses.ts"
import { type Learning, taskOf, workOf } from "./run-task.ts"
import { measures, type Shown, viewOf } from "./run-view.ts"
import type { OpenTable } from "./table.ts"

export interface Run {
  readonly view: RunView
  readonly fitted: LooseFitted
  /** Rows it is measured on, or has learned from; of sequences a row for each. */
  readonly looked: Columns
  /** Rows it has learned from, or their beginning. */
  readonly train: Columns
  /** Undefined for a saved model without its rows. */
  readonly task: Task | undefined
  readonly measurement: Measurement | undefined
  /** The column of the steps, of sequences. */
  readonly steps: string | undefined
  readonly choice: Learned["choice"]
  readonly quality: QualityAnswer | undefined
  /** Where the rows that are looked at stand in the file, if that is known. */
  readonly places: ArrayLike<number> | undefined
  /** The loss of each row it was measured on, and which rows these are. */
  readonly losses: Float64Array | undefined
  readonly judged: string
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
  const page = await taskOf(open, model, learner, work)
  const learned = await keeping(kept, learning.signal, page.task, () => page.task.learn(work, { onStep }))
  flush()
  const folded = learning.signal.aborted ? undefined : await page.folds()
  return runOf(shown, learned, page.task, open, folded)
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

interface Kept {
  last?: Step
}

/** What is learned; if it is stopped, what was learned so far. */
async function keeping(
  kept: Kept,
  signal: AbortSignal,
  task: Task,
  learn: () => Promise<Learned>,
): Promise<Learned> {
  const began = performance.now()
  try {
    return await learn()
  } catch (error) {
    const fitted = signal.aborted && kept.last ? fittedAt(kept.last) : undefined
    if (!fitted) throw error
    return { fitted: task.targeted(fitted), seconds: (performance.now() - began) / 1000 }
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

async function runOf(
  shown: Shown,
  learned: Learned,
  task: Task,
  open: OpenTable,
  folded?: Folded,
): Promise<Run> {
  const { fitted, choice, seconds } = learned
  const measurement = await task.measure(fitted)
  const quality = measurement?.quality
  const train = await task.train()
  const looked = measurement?.columns ?? train
  const { by } = task.inWords(learned)
  const title = capitalised(choice?.name ?? shown.title ?? task.name)
  const command = choice?.command ?? shown.command
  const view = viewOf({ ...shown, title, command }, fitted, seconds, by, task.extent(fitted).units)
  return {
    fitted,
    looked,
    train,
    task,
    measurement,
    steps: task.steps,
    choice,
    quality,
    places: placesOf(open, quality?.on, looked),
    losses: folded?.losses ?? (quality && lossesOf(fitted, looked, quality.evaluation.kind, task.steps)),
    judged: folded?.judged ?? quality?.on ?? "",
    view: { ...view, ...measures(quality), ...folded?.view, ...(choice && { choice }) },
  }
}

/** The same split of the numbers of the rows; undefined where rows are too many to be held, or are not in the order of the file. */
function placesOf(
  { cells, rows, settings, isNumber }: OpenTable,
  on: QualityAnswer["on"] | undefined,
  looked: Columns,
): ArrayLike<number> | undefined {
  const { label, holdout, seed } = settings
  if (settings.sequence !== undefined || rows > IN_MEMORY || rowCount(cells) < rows) return undefined
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
    task: undefined,
    measurement: undefined,
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
  const work = workOf({ signal, command, tell: () => undefined }, spec)
  const { task } = await taskOf(open, choice, { learner: "em" }, work)
  const run = await runOf({ id, title, trace, command, code: "" }, { fitted, seconds: 0 }, task, open)
  return {
    ...run,
    view: {
      ...run.view,
      by: view.by,
      notes: [...run.view.notes, "A saved model: it may have learned from the rows it is measured on here."],
    },
  }
}
