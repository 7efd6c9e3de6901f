/** A run: a model learned in one way, and measured on the rows that every run is measured on. Named models are learned as the command learns them. */
import { type Columns, declare, fit, type Learner, type Step, SufficeError, sequences } from "suffice"
import { verdict } from "suffice/measure"
import {
  beginning,
  type Chosen,
  capitalised,
  chosenLearner,
  type FittingOptions,
  type Learned,
  type LooseFitted,
  learned,
  learnedBy,
  measuredOf,
  type Prepared,
  prepared,
  type QualityAnswer,
  rowCount,
  stemmersIn,
  type Work,
} from "suffice-cli/browser"
import type { LearnerChoice, ModelChoice, News, RunView, Settings, Spec } from "../bench/types.ts"
import type { OpenTable } from "./table.ts"

export interface Run {
  readonly view: RunView
  readonly fitted: LooseFitted
  /** Rows it is measured on, or has learned from. */
  readonly looked: Columns
  readonly prepared: Prepared
  readonly learned: Learned
  readonly by: string
  readonly quality: QualityAnswer | undefined
  /** The loss of each row it was measured on. */
  readonly losses: Float64Array | undefined
  readonly command: string
}

export interface Learning {
  readonly tell: (news: News) => void
  readonly signal: AbortSignal
}

/** Options of the command that say the same. */
export function optionsOf(settings: Settings, model: ModelChoice, learner: LearnerChoice): FittingOptions {
  const { as, label, weight, seed, holdout, missing } = settings
  return {
    as,
    missing,
    seed,
    holdout,
    ...(label !== undefined && { label }),
    ...(weight !== undefined && { weight }),
    ...(model.kind === "named" && {
      model: model.preset.model,
      ...(model.preset.components !== undefined && { components: model.preset.components }),
      ...(model.preset.by !== undefined && { by: model.preset.by }),
    }),
    ...(learner.learner !== "best" && {
      learner: learner.learner,
      ...(learner.loss && { loss: learner.loss }),
      ...(learner.epochs !== undefined && { epochs: learner.epochs }),
      ...(learner.restarts !== undefined && { restarts: learner.restarts }),
    }),
  }
}

export async function learnRun(
  id: number,
  open: OpenTable,
  model: ModelChoice,
  learner: LearnerChoice,
  command: string,
  learning: Learning,
): Promise<Run> {
  const { settings } = open
  const options = optionsOf(settings, model, learner)
  const trace: number[] = []
  let last: Step | undefined
  const began = performance.now()
  const onStep = (step: Step): void => {
    last = step
    trace.push(step.objective)
    const { iteration, run, objective, of } = step
    learning.tell({ kind: "step", iteration, run, objective, ...(of !== undefined && { of }) })
  }
  const work: Work = {
    signal: learning.signal,
    command,
    note: () => undefined,
    progress: label => ({
      advance: () => undefined,
      at: (_, more) => more !== undefined && learning.tell({ kind: "said", text: `${label}: ${more}` }),
      show: async more => learning.tell({ kind: "said", text: more }),
      stop: () => undefined,
    }),
  }
  const isNamed = model.kind !== "tree" && settings.label !== undefined && settings.sequence === undefined
  const base = await preparedFor(open, options, isNamed, model, work)
  const how =
    learner.learner === "best" && isNamed
      ? undefined
      : chosenLearner(learner.learner === "best" ? {} : (learner as object))
  try {
    const got = isNamed
      ? await learned(work, base.wanted, base.parts, base.data.rows, options, { onStep })
      : await learnTree(model, base, open, how!.learner, settings, learning.signal, onStep, began)
    return await runOf(id, model, got, base, how, trace, open, command, options)
  } catch (error) {
    // stopped: what it has learned so far is kept
    if (!learning.signal.aborted || !last) throw error
    const fitted = keptOf(last)
    if (!fitted) throw error
    const got: Learned = { fitted, seconds: (performance.now() - began) / 1000 }
    return runOf(id, model, got, base, how, trace, open, command, options)
  }
}

function keptOf(step: Step): LooseFitted | undefined {
  try {
    return step.fitted() as unknown as LooseFitted
  } catch (error) {
    if (error instanceof SufficeError) return undefined
    throw error
  }
}

/** For a tree of the user's own: the rows that the command would learn from, and all columns that could be used. */
async function preparedFor(
  open: OpenTable,
  options: FittingOptions,
  isNamed: boolean,
  model: ModelChoice,
  work: Work,
): Promise<Prepared> {
  if (isNamed) return prepared(open.table, options, work)
  const { label, sequence } = open.settings
  const { model: _, learner: __, loss: ___, epochs: ____, restarts: _____, ...rest } = options
  if (label !== undefined && sequence === undefined) return prepared(open.table, rest, work)
  const { label: ______, ...unlabelled } = rest
  const components = model.kind === "tree" ? model.spec.components : undefined
  return prepared(
    open.table,
    { ...unlabelled, model: "mixture", ...(components !== undefined && { components }) },
    work,
  )
}

async function learnTree(
  choice: ModelChoice,
  base: Prepared,
  open: OpenTable,
  learner: Learner,
  { seed, weight, sequence }: Settings,
  signal: AbortSignal,
  onStep: (step: Step) => void,
  began: number,
): Promise<Learned> {
  const spec = choice.kind === "tree" || choice.kind === "named" ? choice.spec : undefined
  const model = spec ? declare(spec, { stemmers: await stemmersIn(spec) }) : base.wanted.model!
  const data = sequence === undefined ? base.parts.train : stepsOf(open, sequence)
  const fitted = (await fit(model as never, data as never, {
    learner,
    seed,
    signal,
    onStep: onStep as never,
    ...(weight !== undefined && { weight }),
  })) as unknown as LooseFitted
  return { fitted, seconds: (performance.now() - began) / 1000 }
}

/** The rows as steps of sequences; "" : all of them are one. */
export function stepsOf(open: OpenTable, by: string): Columns {
  const rows = sequences(open.cells, by === "" ? {} : { by })
  return { steps: rows.map(row => row.steps) } as unknown as Columns
}

async function runOf(
  id: number,
  model: ModelChoice,
  got: Learned,
  base: Prepared,
  how: Chosen | undefined,
  trace: readonly number[],
  open: OpenTable,
  command: string,
  options: FittingOptions,
): Promise<Run> {
  const { fitted, choice, seconds } = got
  const isSteps = open.settings.sequence !== undefined
  const measured = isSteps ? undefined : await measuredOf(fitted, base.parts, options)
  const title = capitalised(choice?.name ?? (model.kind === "auto" ? base.wanted.name : model.title))
  const by = choice ? choice.learner : learnedBy(fitted, how!)
  const quality = measured?.quality
  const evaluation = quality?.evaluation
  const looked =
    measured?.columns ??
    (isSteps ? stepsOf(open, open.settings.sequence!) : ((await trainColumns(base)) as Columns))
  const target = fitted.model.target
  const losses =
    measured && target !== undefined
      ? lossesOf(fitted, measured.columns, target, evaluation!.kind)
      : undefined
  const rows = fitted.training?.rows ?? 0
  const likelihood = fitted.training?.logLikelihood
  return {
    fitted,
    looked,
    prepared: base,
    learned: got,
    by,
    quality,
    losses,
    command: choice?.command ?? command,
    view: {
      id,
      title,
      by,
      seconds,
      rows,
      measured: quality?.on === "held-out rows" ? quality.rows : 0,
      free: fitted.free,
      target,
      kind: evaluation?.kind ?? "none",
      ...(evaluation?.kind === "levels" && {
        accuracy: evaluation.accuracy,
        accuracyInterval: evaluation.accuracyInterval,
        logLoss: evaluation.logLoss,
        logLossInterval: evaluation.logLossInterval,
      }),
      ...(evaluation?.kind === "number" && { rmse: evaluation.rmse, logLoss: -evaluation.logDensity }),
      ...(evaluation === undefined &&
        likelihood !== undefined && { logLikelihood: likelihood / Math.max(rows, 1) }),
      ...(evaluation === undefined && bicOf(fitted)),
      flags: choice?.command ?? command,
      trace: trace.length > 0 ? trace : (fitted.training?.trace ?? []),
      ...(choice && { choice }),
      ...(evaluation && { verdict: verdict(evaluation).sentence }),
      notes: fitted.diagnostics.map(({ message }) => message),
      spec: JSON.parse(JSON.stringify(fitted.model.spec)) as Spec,
    },
  }
}

async function trainColumns({ parts }: Prepared): Promise<Columns> {
  if (!(Symbol.asyncIterator in parts.train)) return parts.train
  return beginning(parts.train)
}

function bicOf(fitted: LooseFitted): { bic?: number } {
  try {
    return { bic: fitted.criteria().bic }
  } catch {
    return {}
  }
}

/** −ln p(truth) of each row; of a number minus its log-density. */
function lossesOf(
  fitted: LooseFitted,
  columns: Columns,
  target: string,
  kind: "levels" | "number",
): Float64Array {
  const truths = columns[target]
  const rows = rowCount(columns)
  if (kind === "levels") {
    const { levels, probabilities } = fitted.posterior(columns as never, { target } as never)
    const codes = new Map(levels.map((level, l) => [String(level), l]))
    return Float64Array.from({ length: rows }, (_, i) => {
      const code = codes.get(String(truths[i]))
      return code === undefined
        ? Number.NaN
        : -Math.log(Math.max(probabilities[i * levels.length + code], 1e-300))
    })
  }
  const { [target]: _, ...without } = columns
  const joint = fitted.logDensity(columns as never)
  const rest = fitted.logDensity(without as never)
  return joint.map((value, i) => rest[i] - value)
}

/** A saved model on the table that is open: measured on the rows that every run is measured on. */
export async function loadedRun(
  view: RunView,
  fitted: LooseFitted,
  open: OpenTable | undefined,
  work: Work,
): Promise<Run> {
  const isOfTable =
    open !== undefined &&
    view.target !== undefined &&
    open.settings.label === view.target &&
    open.settings.sequence === undefined
  const command = view.flags
  const learnedBefore = { fitted, seconds: 0 }
  if (!isOfTable) {
    const none = { parts: { train: {}, test: async () => ({}) } } as unknown as Prepared
    const looked = open && open.settings.sequence === undefined ? open.cells : {}
    return {
      view,
      fitted,
      looked,
      prepared: none,
      learned: learnedBefore,
      by: view.by,
      quality: undefined,
      losses: undefined,
      command,
    }
  }
  const options = optionsOf(open.settings, { kind: "auto" }, { learner: "best" })
  const base = await prepared(open.table, options, work)
  const how = { learner: undefined as never, name: view.by, byEpochs: false }
  const run = await runOf(
    view.id,
    { kind: "tree", title: view.title, spec: view.spec },
    learnedBefore,
    base,
    how,
    view.trace,
    open,
    command,
    options,
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
