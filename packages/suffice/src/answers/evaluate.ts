/** How good a model's answers are, on rows whose truth is known. Best on rows it has not learned from: see `split`. */
import type { Answers, LinearClassifier } from "../baselines/linear-classifier.ts"
import type { Batch, Data, Source } from "../data/read.ts"
import { inMemory, rowCount } from "../data/take.ts"
import { refuseUnknown, SufficeError, show } from "../errors.ts"
import type { Fitted } from "../fit/fitted.ts"
import { judgeRemote, remoteOf } from "../frames/remote.ts"
import {
  type Evaluation,
  type MeasureOptions,
  measured,
  type NumberEvaluation,
  type ScoreEvaluation,
  scoresMeasured,
} from "../measure/evaluation.ts"
import type { JudgedLevels } from "../measure/judged.ts"
import { Running } from "../measure/running.ts"
import { checkSeed, expected } from "../option-checks.ts"
import { isDue, pause } from "../pause.ts"
import { dice } from "../random.ts"
import { checkWeight, judge, judgeLevels } from "./judge.ts"
import { Predictor, solvedOf } from "./predictor.ts"
import { evaluateSteps, type StepEvaluation } from "./step-evaluation.ts"
import { checkTarget, stepTarget } from "./target.ts"
import type { AskableNameOf, DataFor, NumberPrediction, PredictionOf } from "./types.ts"

export interface EvaluateOptions<Name extends string = string> extends MeasureOptions {
  /** The column to be predicted, if not the model's label. */
  readonly target?: Name
  /**
   * The column of row weights. Confidence intervals treat them as importance weights: only their inequality matters, not their sum, so a
   * row of weight 3 does not count as three rows.
   */
  readonly weight?: string
}

export interface EvaluateSourceOptions extends Omit<EvaluateOptions, "bootstrap"> {
  readonly signal?: AbortSignal
}

/** If columns are known only at run time: levels, unless the target turns out to be a number. */
export type LooseEvaluation = Evaluation & Partial<Omit<NumberEvaluation, keyof Evaluation>>

/** What `evaluate` returns for a target: a prediction with a spread is a number, and one that may have a spread may be a number. */
export type EvaluationOf<Cells, Name> =
  PredictionOf<Cells, Name> extends readonly unknown[]
    ? StepEvaluation
    : PredictionOf<Cells, Name> extends NumberPrediction
      ? NumberEvaluation
      : "sd" extends keyof PredictionOf<Cells, Name>
        ? LooseEvaluation
        : Evaluation

const OPTIONS = ["target", "weight", "curves", "bootstrap", "seed"]

/**
 * Predict the target of every row from the rest of it, and compare. Rows whose target is missing are counted as `skipped`. A level
 * never seen in training counts as an error whose log-loss is Infinity, since the model gave it probability 0; `unseen` counts these rows.
 * An SVM has no probabilities: it gets the measures that need none.
 */
export function evaluate<
  Cells,
  Target extends string,
  const Given,
  Name extends AskableNameOf<Cells> = Target & AskableNameOf<Cells>,
  A extends Answers = "probabilities",
>(
  fitted: Predictor<Cells, Target> | LinearClassifier<Cells, Target, A>,
  rows: DataFor<Cells, Target, Given>,
  options: EvaluateOptions<Name> = {},
): A extends "scores" ? ScoreEvaluation : EvaluationOf<Cells, Name> {
  refuseUnknown("evaluate", options, OPTIONS)
  checkMeasuring("evaluate", options)
  checkFitted("evaluate", fitted)
  const batch = inMemory("evaluate", rows as Data)
  const inSteps = fitted instanceof Predictor ? judgedSteps(fitted, batch, options) : undefined
  if (inSteps) return inSteps as A extends "scores" ? ScoreEvaluation : EvaluationOf<Cells, Name>
  const found = hasOnlyScores(fitted as object)
    ? scoresMeasured(judgeScores(fitted as LinearClassifier, batch, options), options)
    : measured(judge("evaluate", fitted as Predictor, batch, options), options)
  return found as A extends "scores" ? ScoreEvaluation : EvaluationOf<Cells, Name>
}

/**
 * The same for a source of batches, which is read once and never held in memory. Only answers are held, and above a million rows a random
 * sample of them (`sampled` says how many), for curves, areas and calibration. With fewer rows the result equals that of `evaluate` to the last digit.
 * Rows on other machines are measured there.
 */
export async function evaluateSource(
  fitted: Predictor<never, never> | Predictor,
  source: Source,
  options: EvaluateSourceOptions = {},
): Promise<LooseEvaluation> {
  refuseUnknown("evaluateSource", options, ["target", "weight", "curves", "seed", "signal"])
  checkMeasuring("evaluateSource", options)
  checkFitted("evaluateSource", fitted)
  const aborts = typeof options.signal?.throwIfAborted === "function"
  expected("evaluateSource", "signal", options.signal, aborts, "be an AbortSignal", "{ signal }")
  const { target, weight, seed = 0, signal } = options
  const model = fitted as Predictor
  const running = new Running(dice(seed))
  const remote = remoteOf(source)
  const { toJSON } = model as Partial<Fitted>
  if (remote?.judge && remote.rows !== undefined && toJSON) {
    const task = { model: toJSON.call(model as Fitted), target, weight, seed, rows: remote.rows }
    const parts = remote.judge(task, columnsOf(model, target, weight), signal)
    for (const part of await judgeRemote(parts, remote.rows)) running.join(part)
  } else await measureBatches(running, model, source, options)
  if (running.rows === 0 && running.skipped === 0) {
    throw new SufficeError(
      "data",
      "evaluate: the data has no rows. There is nothing to compare. Pass at least one row.",
    )
  }
  checkWeight("evaluate", (target ?? model.model.target) as string, weight, running.rows, running.weight > 0)
  return running.evaluation(options) as LooseEvaluation
}

async function measureBatches(
  running: Running,
  model: Predictor,
  source: Source,
  { target, weight, signal }: EvaluateSourceOptions,
): Promise<void> {
  let batches = 0
  for await (const batch of source) {
    if (isDue()) await pause()
    signal?.throwIfAborted()
    try {
      if (rowCount(batch) > 0) running.add(judge("evaluate", model, batch, { target, weight, partial: true }))
    } catch (error) {
      if (!(error instanceof SufficeError)) throw error
      const message = batches === 0 ? error.message : `batch ${batches} of the source: ${error.message}`
      throw new SufficeError(error.code, message, { ...error.details, batch: batches }, { cause: error })
    }
    batches++
  }
}

/** The columns that are read to measure a model: its own, and those of the truth and of weights. */
function columnsOf({ model }: Predictor, target: string | undefined, weight: string | undefined): string[] {
  const names = model.uses.filter(use => use.role !== "hidden").map(use => use.column)
  return [...new Set([...names, ...[target, weight].filter(name => name !== undefined)])]
}

function hasOnlyScores(fitted: object): boolean {
  return "answers" in fitted && fitted.answers === "scores"
}

/** Scores instead of probabilities: they are ranked and compared, never read as frequencies. */
function judgeScores(fitted: LinearClassifier, batch: Batch, options: EvaluateOptions): JudgedLevels {
  return judgeLevels(
    "evaluate",
    {
      model: fitted.model,
      posterior(rows, options) {
        const { levels, scores } = fitted.scores(rows, options as { target?: string })
        return { levels, probabilities: scores, logs: scores }
      },
    },
    batch,
    options,
  )
}

/** The measures of a target that stands in the steps of a chain. */
function judgedSteps(fitted: Predictor, batch: Batch, options: EvaluateOptions): StepEvaluation | undefined {
  const solved = solvedOf(fitted)
  const target = stepTarget(solved.known, options.target)
  return target && evaluateSteps(solved, batch, target, options)
}

/** It must be a fitted model: it names its model and makes predictions. */
export function checkFitted(where: string, fitted: unknown): void {
  const { model, posterior } = (fitted ?? {}) as Partial<Predictor>
  if (Array.isArray(model?.uses) && typeof posterior === "function") return
  throw new SufficeError(
    "model",
    `${where}: the model is ${show(fitted)}. It must have been learned. Pass what fit() or load() returned.`,
  )
}

export function checkMeasuring(where: string, options: EvaluateOptions): void {
  const { target, weight, curves, bootstrap, seed } = options
  const draws = Number.isSafeInteger(bootstrap) && bootstrap! >= 0
  expected(where, "weight", weight, typeof weight === "string", "name a column", '{ weight: "count" }')
  expected(where, "curves", curves, typeof curves === "boolean", "be true or false", "{ curves: true }")
  expected(where, "bootstrap", bootstrap, draws, "be a number of samples", "{ bootstrap: 1000 }")
  checkTarget(target)
  checkSeed(where, seed)
}
