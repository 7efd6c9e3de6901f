/**
 * Choosing a model, and how it is learned, by evidence.
 *
 *     logLoss          −ln p(target | rest of the row) on rows that were not learned from: cross-validated; of a number −ln of its density
 *     completion       −ln p(word | part of its document), per word, the same way: for models of topics (completion.ts)
 *     evidence         −ln p(rows), the parameters integrated out by bayes() (by-evidence.ts)
 *     aic, bic, icl    on the rows that were learned from: for models of whole rows, such as mixtures (measure/criteria.ts)
 *
 * Of those that lose hardly more than the best, by one standard error, the simplest is taken (measure/one-standard-error.ts). What can no longer win
 * is dropped on small samples (stages.ts, halving.ts). All is counted and nothing timed: the same rows and seed choose the same model anywhere.
 */

import { isNumber } from "../answers/judge.ts"
import type { Evidence } from "../answers/posterior-of.ts"
import type { DataFor } from "../answers/types.ts"
import type { Cell } from "../contract/cells.ts"
import type { Learner } from "../contract/learner.ts"
import type { Model } from "../contract/model.ts"
import { isMissing } from "../data/cells.ts"
import type { Batch, Data } from "../data/read.ts"
import { columnOf, take } from "../data/take.ts"
import { refuseUnknown } from "../errors.ts"
import { bayes } from "../fit/bayes.ts"
import { fit } from "../fit/fit.ts"
import type { Fitted } from "../fit/fitted.ts"
import type { FitOptions } from "../fit/options.ts"
import type { Calibration } from "../measure/calibration.ts"
import type { InformationCriteria } from "../measure/criteria.ts"
import { type Baselines, type BaselineTrial, besideBaselines, betterBaseline } from "./baseline-trials.ts"
import { byCompletion } from "./by-completion.ts"
import { byCriterion } from "./by-criterion.ts"
import { byEvidence } from "./by-evidence.ts"
import { race, winner } from "./halving.ts"
import { checkChoosing, defaultOf, noTarget, OPTIONS, pairsOf } from "./pairs.ts"
import { type Price, priceOf } from "./price.ts"
import { sampled } from "./sampled.ts"
import { folds as cut, type FoldOptions } from "./split.ts"
import { stagesOf, wholeOf } from "./stages.ts"
import type { Pair, Softening } from "./trial.ts"
import { tooFew, trialOf, whyOf } from "./why.ts"

/** What decides between models: log-loss, or completion of documents, on rows that were not learned from; evidence; or an information criterion. */
export type Criterion = "logLoss" | "completion" | "aic" | "bic" | "icl" | "evidence"

/** A model with a name; `learners`: those it is tried with, if not those of the options. */
export interface Candidate<Cells = unknown, Target extends string = string> {
  readonly name: string
  readonly model: Model<Cells, Target>
  readonly learners?: Readonly<Record<string, Learner>>
}

/** The models to choose from: by name, or as a list, the simplest first. */
export type Candidates<Cells, Target extends string> =
  | Readonly<Record<string, Model<Cells, Target>>>
  | readonly Candidate<Cells, Target>[]

/** Options of fit, for every candidate and for the chosen one, and of folds. The checkpoint is that of the last fit. */
export interface ChooseOptions extends Omit<FitOptions, "learner">, Omit<FoldOptions, "stratify" | "seed"> {
  /** By name, the simplest first; every model is tried with each. Without it em(), or bayes() if the criterion is "evidence". */
  readonly learners?: Readonly<Record<string, Learner>>
  /** What decides; the lowest wins. Without it "logLoss" where there is a target, else "bic", or "evidence" if every learner keeps a posterior. */
  readonly criterion?: Criterion
  /** The column to be predicted, if not the label of the models. */
  readonly target?: string
  /** How many folds. */
  readonly folds?: number
  /**
   * How much may be spent on choosing, in billions of elementary operations, each about a nanosecond: counted before anything is learned, never timed.
   * What alone would cost more than that to learn from all rows is not tried, unless there are many.
   */
  readonly budget?: number
  /** Judge every candidate calibrated, too, by a temperature and a doubt: a model that is too sure of itself is then taken with them. */
  readonly calibrate?: boolean
  /**
   * Classifiers to compare with, by name, shown and never chosen: those of suffice/baselines. Of several strengths, from the strongest penalty to the
   * weakest, the best is shown. Of a number there are none.
   */
  readonly baselines?: Baselines
  /** Called after each fit of a candidate. */
  readonly onTrial?: (trial: {
    readonly model: string
    readonly learner: string
    readonly rows: number
  }) => void
}

/** What became of one model learned in one way. */
export interface Trial {
  readonly model: string
  readonly learner: string
  /** Its numbers are those of its calibrated form, which loses less. */
  readonly calibrated: boolean
  /** Free parameters: the fewer, the simpler. */
  readonly free: number
  /** Rows it was learned from where it was judged last, in how many folds, and on how many rows it was judged. */
  readonly rows: number
  readonly folds: number
  readonly judged: number
  /** Mean log-loss, of completion per word, and its standard error, or the criterion; NaN where it was not tried. */
  readonly score: number
  readonly standardError: number
  /** Why it was no longer tried; absent for those that were compared to the end. */
  readonly dropped?: string
  /** Why it could not be learned from these rows, or not be judged. */
  readonly refused?: string
  readonly criteria?: InformationCriteria
  /** By the criterion "evidence": the score is its negative, and minus ln K! where K components could be named in K! ways. */
  readonly evidence?: Evidence
}

/** What was chosen, why, and what became of everything that was tried. */
export interface Choice<Cells = unknown, Target extends string = string> {
  /** What was chosen, by name. */
  readonly model: string
  readonly learner: string
  readonly calibrated: boolean
  readonly calibration?: Calibration
  readonly criterion: Criterion
  /** Why, in a sentence. */
  readonly why: string
  /** Everything that was given, in that order. */
  readonly trials: readonly Trial[]
  /** The baselines on the same rows. */
  readonly baselines: readonly BaselineTrial[]
  /** Where a baseline is clearly better than what was chosen: that, and what to do, in a sentence. */
  readonly advice?: string
  /** What was spent of the budget. */
  readonly spent: number
  /** The chosen one, learned from all rows; it answers for the target if none is named. */
  readonly fitted: Fitted<Cells, Target>
}

/** Billions of operations: about as many seconds. */
const BUDGET = 14
/** The share of it that is kept for baselines, where there are any. */
const BESIDE = 0.15
/** The last fit may cost this share of the budget, or this much per row. */
const LAST = 1
const LAST_PER_ROW = 0.0007
/** With fewer labelled rows nothing can be said of rows that were not learned from. */
const LEAST = 20

/** Try every model with every learner, and learn the best of them from all rows. */
export async function choose<Cells, Target extends string, const Given>(
  models: Candidates<Cells, Target>,
  rows: DataFor<Cells, Target, Given>,
  options: ChooseOptions = {},
): Promise<Choice<Cells, Target>> {
  refuseUnknown("choose", options, OPTIONS)
  // the evidence is that of a posterior
  const learners = options.learners ?? (options.criterion === "evidence" ? { bayes: bayes() } : undefined)
  const pairs = pairsOf(models as Candidates<unknown, string>, learners)
  const { criterion = defaultOf(pairs, options.target) } = options
  checkChoosing(criterion, options)
  const by = { logLoss: byLogLoss, completion: byCompletion, evidence: byEvidence }
  const choice =
    criterion === "logLoss" || criterion === "completion" || criterion === "evidence"
      ? await by[criterion](pairs, rows as Data, options)
      : await byCriterion(pairs, rows as Data, criterion, options)
  return choice as Choice<Cells, Target>
}

async function byLogLoss(pairs: readonly Pair[], data: Data, options: ChooseOptions): Promise<Choice> {
  const { seed = 0, weight, folds = 5, group, time, budget = BUDGET, calibrate = true, onTrial } = options
  const { baselines = {} } = options
  const target = options.target ?? pairs[0].of.target
  if (target === undefined) throw noTarget()
  const fitting = fittingOf(options)
  const batch = await sampled(data, seed, options.signal)
  const cells = columnOf("choose", batch, target, "the target")
  const labelled = Array.from(cells.keys()).filter(i => !isMissing(cells[i]))
  if (labelled.length < Math.max(LEAST, 2 * folds)) {
    return tooFew(pairs, labelled.length, await refitted(pairs[0], data, options, target, undefined))
  }
  const numeric = pairs.map(({ of }) => isNumber({ model: of }, target))
  const isMixed = numeric.includes(true) && numeric.includes(false)
  const judging = { target, weight, step: isMixed ? stepOf(cells) : undefined }
  const parts = cut(take(batch, labelled), folds, {
    seed,
    ...(time === undefined && !numeric.every(Boolean) && { stratify: target }),
    ...(group !== undefined && { group }),
    ...(time !== undefined && { time }),
  })
  const stages = stagesOf(parts, seed)
  const rows = labelled.length
  const contest = {
    judging,
    seed,
    budget: Object.keys(baselines).length > 0 ? (1 - BESIDE) * budget : budget,
    most: Math.max(LAST * budget, LAST_PER_ROW * rows),
    price: await prices(pairs, stages[0].parts[0].train, fitting),
    calibrate,
    rows,
    levels: new Set(labelled.map(i => String(cells[i]))).size,
    fitting,
    onTrial,
  }
  const { all, last, parts: judged, spent } = await race(pairs, stages, wholeOf(parts, stages, seed), contest)
  const won = winner(last)
  const { pair } = won.runner
  const features = isMixed || numeric[0] ? undefined : widest(pairs, target)
  const beside = features
    ? await besideBaselines(baselines, features, judged, won.form, contest, budget - spent)
    : { trials: [], spent: 0 }
  const advice = betterBaseline(beside.trials)
  return {
    model: pair.model,
    learner: pair.learner,
    calibrated: won.softening !== undefined,
    ...(won.softening && { calibration: { target, method: "temperature", ...won.softening } }),
    criterion: "logLoss",
    why: whyOf(won, last.length),
    trials: all.map(runner => trialOf(runner, last.includes(runner), won)),
    baselines: beside.trials,
    ...(advice !== undefined && { advice }),
    spent: spent + beside.spent,
    fitted: await refitted(pair, data, options, target, won.softening),
  }
}

/** The model of the most columns, among those that predict the target: its columns are what a baseline reads. */
function widest(pairs: readonly Pair[], target: string): Model | undefined {
  return pairs
    .map(({ of }) => of)
    .filter(of => of.target === target)
    .reduce<Model | undefined>(
      (most, of) => (most && most.uses.length >= of.uses.length ? most : of),
      undefined,
    )
}

/** What each pair costs, by the rows it learns from. */
async function prices(
  pairs: readonly Pair[],
  sample: Batch,
  fitting: FitOptions,
): Promise<(pair: Pair, rows: number) => number> {
  const byModel = new Map<Model, Price>()
  for (const { of } of pairs) if (!byModel.has(of)) byModel.set(of, await priceOf(of, sample, fitting))
  return ({ of, by }, rows) => byModel.get(of)!(by, rows)
}

function fittingOf(options: ChooseOptions): FitOptions {
  const { seed, weight, classWeights, threads, signal, onRows } = options
  const given = { seed, weight, classWeights, threads, signal, onRows }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** Learned from all rows, answering for the target. */
async function refitted(
  { of, by }: Pair,
  data: Data,
  options: ChooseOptions,
  target: string,
  softening: Softening | undefined,
): Promise<Fitted> {
  const { checkpoint, onStep } = options
  const fitted = await fit(of, data, {
    ...fittingOf(options),
    learner: by,
    ...(checkpoint && { checkpoint }),
    ...(onStep && { onStep }),
  })
  const calibration = softening && ({ target, method: "temperature", ...softening } as const)
  return (calibration ? fitted.calibrated(calibration) : fitted).withTarget(target)
}

/** The smallest distance between two values of the target. */
function stepOf(cells: readonly Cell[]): number {
  const values = [...new Set(cells.map(Number))].filter(Number.isFinite).sort((a, b) => a - b)
  return values.reduce((least, x, i) => (i === 0 ? least : Math.min(least, x - values[i - 1])), Infinity)
}
