/**
 * Cross-validation: the data is cut into folds, and each is predicted by a model that learned from the others (Stone 1974).
 *
 *     estimate = mean over folds        standard error = sd over folds / √k
 *
 * The folds share training rows, so the standard error is too small rather than too large, and no unbiased one exists
 * (Bengio & Grandvalet 2004): compare two models fold by fold, on the same folds.
 */

import { checkMeasuring, type EvaluationOf } from "../answers/evaluate.ts"
import { isNumber, judge } from "../answers/judge.ts"
import type { DataFor, NameOf } from "../answers/types.ts"
import type { Model } from "../contract/model.ts"
import type { Data } from "../data/read.ts"
import { inMemory } from "../data/take.ts"
import { didYouMean, list, nearest, refuseUnknown, SufficeError, show } from "../errors.ts"
import { fit } from "../fit/fit.ts"
import type { FitOptions } from "../fit/options.ts"
import {
  type Evaluation,
  type MeasureOptions,
  measured,
  type NumberEvaluation,
} from "../measure/evaluation.ts"
import { type Judged, pooled } from "../measure/judged.ts"
import { expected } from "../option-checks.ts"
import { pause } from "../pause.ts"
import { folds as cut, type FoldOptions } from "./split.ts"

/** Options of fit, of folds and of evaluate. The seed serves all three. */
export interface CrossValidateOptions<Name extends string = string>
  extends Omit<FitOptions, "checkpoint">,
    Omit<FoldOptions, "stratify">,
    Omit<MeasureOptions, "seed"> {
  /** How many. With 5 or 10 the estimate has little bias and little variance (Kohavi 1995). */
  readonly folds?: number
  /** The column to be predicted, if not the model's label. */
  readonly target?: Name
  /** Spread the levels of this column evenly over the folds; false: no column. The default is the target, unless it is a number or `time` is given. */
  readonly stratify?: string | false
}

/** Mean over the folds, and its standard error. */
export interface Estimate {
  readonly mean: number
  readonly standardError: number
}

/** The measures that are averaged over folds: every one that is a number in each of them. */
type Averaged<E> = {
  readonly [Name in Extract<
    keyof E,
    "accuracy" | "logLoss" | "brier" | "macroF1" | "ece" | "rmse" | "mae" | "coverage" | "logDensity" | "r2"
  >]: Estimate
}

export type CrossValidation<E extends Evaluation | NumberEvaluation = Evaluation> = Averaged<E> & {
  readonly folds: readonly E[]
  /** All held-out predictions measured as one set. */
  readonly pooled: E
}

const AVERAGED = {
  levels: ["accuracy", "logLoss", "brier", "macroF1", "ece"],
  number: ["rmse", "mae", "r2", "coverage", "logDensity"],
} as const

const OPTIONS = Object.keys({
  folds: true,
  target: true,
  stratify: true,
  group: true,
  time: true,
  curves: true,
  bootstrap: true,
  learner: true,
  seed: true,
  weight: true,
  classWeights: true,
  threads: true,
  spill: true,
  signal: true,
  onStep: true,
  onRows: true,
} satisfies Record<keyof CrossValidateOptions, true>)

/** Fit the model once per fold and measure its predictions of the rows it has not learned from. */
export async function crossValidate<
  Cells,
  Target extends string,
  const Given,
  Name extends NameOf<Cells> = Target & NameOf<Cells>,
>(
  model: Model<Cells, Target>,
  data: DataFor<Cells, Target, Given>,
  options: CrossValidateOptions<Name> = {},
): Promise<CrossValidation<EvaluationOf<Cells, Name>>> {
  refuseUnknown("crossValidate", options, OPTIONS)
  const { folds = 5, target = model?.target, stratify, group, time, curves, bootstrap, ...fitting } = options
  const { seed = 0, weight } = fitting
  const batch = inMemory("crossValidate", data as Data)
  checkMeasuring("crossValidate", { weight, curves, bootstrap, seed })
  expected("crossValidate", "target", target, typeof target === "string", "name a column", '{ target: "y" }')
  checkTarget(model, target)
  const plain = stratify === false || time !== undefined || isNumber({ model }, target)
  const strata = stratify || (plain ? undefined : target)
  const parts = cut(batch, folds, { seed, stratify: strata, group, time })
  const judged: Judged[] = []
  const measuring = { curves, bootstrap, seed }
  const each: (Evaluation | NumberEvaluation)[] = []
  for (const { train, test } of parts) {
    const fitted = await fit(model as Model, train, fitting)
    const one = judge("crossValidate", fitted, test, { target, weight })
    await pause()
    judged.push(one)
    each.push(measured(one, measuring))
    await pause()
    options.signal?.throwIfAborted()
  }
  const names = AVERAGED[each[0].kind]
  return {
    folds: each,
    ...Object.fromEntries(
      names.map(name => [name, estimate(each.map(one => one[name as keyof typeof one] as number))]),
    ),
    pooled: measured(pooled(judged), measuring),
  } as unknown as CrossValidation<EvaluationOf<Cells, Name>>
}

function estimate(values: readonly number[]): Estimate {
  const mean = values.reduce((a, b) => a + b) / values.length
  if (!Number.isFinite(mean)) return { mean, standardError: Infinity }
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0)
  return { mean, standardError: Math.sqrt(squares / (values.length - 1) / values.length) }
}

function checkTarget(model: Model, target: string | undefined): void {
  if (typeof model?.lay !== "function") return // fit reports what is wrong with it
  const names = [...new Set(model.uses.map(use => use.column))]
  if (target !== undefined && names.includes(target)) return
  const near = target === undefined ? [] : nearest(target, names)
  throw new SufficeError(
    "target",
    target === undefined
      ? `crossValidate: the model has no label, and no target is named. Rows that are held out are scored by how well a column is predicted. Name one of ${list(names)}: { target: … }.`
      : `crossValidate: the model has no column ${show(target)}. It has ${list(names)}. ${didYouMean(near, "Name one of them.")}`,
    { column: target, nearest: near },
  )
}
