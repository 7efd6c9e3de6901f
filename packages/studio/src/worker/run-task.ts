/** The task of a run: the open table, with the options of the command that do the same. */
import { declare } from "suffice"
import {
  checkSequences,
  type FittingOptions,
  type FittingSequences,
  learnerOfSteps,
  prepared,
  preparedSequences,
  rowsTask,
  sequencesTask,
  stemmersIn,
  type Task,
  type Work,
} from "suffice-cli/browser"
import type { LearnerChoice, ModelChoice, News, Settings, Spec } from "../bench/types.ts"
import { byFolds, type Folded } from "./folds.ts"
import { noFiles } from "./gallery.ts"
import type { OpenTable } from "./table.ts"

export interface Learning {
  readonly tell: (news: News) => void
  readonly signal: AbortSignal
  /** What the page shows beside it: the command and the TypeScript that do the same. */
  readonly command: string
  readonly code: string
}

/** A task, and how it is measured on folds beside. */
export interface PageTask {
  readonly task: Task
  /** Undefined if nothing is measured on folds. */
  folds(): Promise<Folded | undefined>
}

export async function taskOf(
  open: OpenTable,
  model: ModelChoice,
  learner: LearnerChoice,
  work: Work,
): Promise<PageTask> {
  const { settings, table } = open
  if (settings.sequence !== undefined) {
    const options = stepOptionsOf(open, model, learner)
    checkSequences(options, { "--weight": settings.weight })
    const base = await preparedSequences(table, options, cutOf(open), work)
    const task = sequencesTask(base, learnerOfSteps(options), cutOf(open), options)
    return { task, folds: async () => undefined }
  }
  const options = optionsOf(settings, model, learner)
  const base = await prepared(table, options, work)
  return {
    task: rowsTask(base, options),
    folds: async () => (settings.folds > 0 ? byFolds(base, options, settings.folds, work) : undefined),
  }
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

/** The columns that cut rows into sequences. */
export function cutOf({ settings }: OpenTable): { sequence?: string } {
  return settings.sequence ? { sequence: settings.sequence } : {}
}

export function workOf({ signal, command, tell }: Omit<Learning, "code">, spec: Spec | undefined): Work {
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
