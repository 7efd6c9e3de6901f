/** A learner's step as the caller of `learn` sees it, with the model at that step. */

import type { Knowledge } from "../answers/knowledge.ts"
import { allColumns } from "../blocks/encoded.ts"
import type { Column } from "../contract/columns.ts"
import type { Dice } from "../contract/dice.ts"
import type { Learnable } from "../contract/learnable.ts"
import type { Learner } from "../contract/learner.ts"
import type { Model } from "../contract/model.ts"
import type { Notice } from "../contract/notice.ts"
import type { Diagnostic, Training } from "../contract/report.ts"
import type { Schema } from "../data/discover.ts"
import type { Weighting } from "../data/weigh.ts"
import { answering, believing } from "../engine/believe.ts"
import { type Laid, lay } from "../engine/lay.ts"
import { SufficeError, show } from "../errors.ts"
import type { SpillOptions } from "../frames/spill.ts"
import { kernelsInUse } from "../kernels/fast/use.ts"
import type { Threads } from "../threads/threads.ts"
import type { Fitted } from "./fitted.ts"
import type { History, RecordedStep } from "./history.ts"
import type { Checkpointing, Step } from "./options.ts"

/** What one call of `fit` or `learn` asks for. */
export interface FitRequest<Cells, Target extends string> {
  readonly model: Model<Cells, Target>
  readonly learner: Learner
  readonly seed: number
  readonly weighting: Weighting
  readonly threads: Threads
  readonly spill?: SpillOptions | false | undefined
  readonly signal: AbortSignal | undefined
  readonly onRows?: ((rows: number) => void) | undefined
  readonly checkpoint: Checkpointing | undefined
  /** From the seed; each use forks its own. */
  readonly dice: Dice
  readonly fittedOf: FittedOf
}

/** The constructor of a fitted model, as an argument: learning imports no answers. */
export type FittedOf = <Cells, Target extends string>(
  known: Knowledge,
  params?: Float64Array,
) => Fitted<Cells, Target>

/** What learning works on: the laid-out model and the problem the data poses. */
export interface FitContext {
  readonly laid: Laid
  readonly schema: Schema
  readonly problem: Learnable
  /** Diagnostics of the data. */
  diagnostics(): readonly Diagnostic[]
  readonly mark?: Pick<Training, "continued" | "unlabelled"> | undefined
}

export function publish<Cells, Target extends string>(
  request: FitRequest<Cells, Target>,
  context: FitContext,
  recorded: RecordedStep,
  history: History,
): Step<Cells, Target> {
  const { step } = recorded
  const { laid, problem } = context
  const noticesOf = ({ statistics }: Notice): readonly Diagnostic[] =>
    statistics?.(laid.parts, step.stats) ?? []
  const notices = step.stopped ? laid.notices.flatMap(noticesOf) : []
  const diagnostics = [...context.diagnostics(), ...notices, ...step.diagnostics]
  // a stream grows: the totals are those of this step
  const { rows, weight } = problem.data
  return {
    iteration: step.iteration,
    run: step.run,
    objective: step.objective,
    change: step.change,
    rows: step.rows,
    diagnostics,
    ...(step.of !== undefined && { of: step.of }),
    ...(step.stopped && { stopped: step.stopped }),
    kernels: kernelsInUse(),
    fitted() {
      checkFinite(step.stats)
      const training = { ...trainingOf(request, recorded, history, { rows, weight }), ...context.mark }
      const known = { ...knowledgeOf(request, context, recorded), training, diagnostics }
      return request.fittedOf<Cells, Target>(known, request.learner.beliefs ? undefined : step.params)
    },
  }
}

/** The knowledge at this step, but for its record. */
function knowledgeOf(
  { model, learner }: FitRequest<unknown, string>,
  { laid, schema, problem }: FitContext,
  { step }: RecordedStep,
): Omit<Knowledge, "training" | "diagnostics"> {
  // a posterior is queried by other leaves than it is learned with
  const answers = learner.beliefs && believing(model, learner.beliefs, answering)
  return {
    model: answers ?? model,
    laid: answers ? lay(answers, schema.columns) : laid,
    schema: withoutBeliefs(schema),
    stats: step.stats,
    prior: step.prior,
    // the prior of a posterior is relative to the spread it began with, in an update that of the earlier rows
    spread: step.spread ?? (answers && problem.theta.spread(step.stats)),
    ...(step.calibration && {
      calibration: {
        target: step.calibration.target,
        method: "temperature" as const,
        temperature: step.calibration.temperature,
      },
    }),
  }
}

function trainingOf(
  { learner, seed }: FitRequest<unknown, string>,
  { step, trace }: RecordedStep,
  history: History,
  totals: Pick<Training, "rows" | "weight">,
): Training {
  return {
    learner: { name: learner.name, options: learner.options },
    seed,
    ...totals,
    run: step.run,
    iterations: step.iteration,
    objective: step.objective,
    logLikelihood: step.logLikelihood,
    entropy: step.entropy,
    trace,
    // all that have ended so far
    runs: history.runs(),
  }
}

/** The schema without soft labels, which are used in training only. */
function withoutBeliefs(schema: Schema): Schema {
  if (!allColumns(schema.columns).some(column => column.kind === "level" && column.beliefs)) return schema
  const plain = (column: Column): Column => {
    if (column.kind === "steps") return { ...column, columns: column.columns.map(plain) }
    if (column.kind !== "level") return column
    const { beliefs: _, ...own } = column
    return own
  }
  return { ...schema, columns: schema.columns.map(plain) }
}

/** Statistics beyond the range of doubles yield no parameters, and no file can hold them. */
function checkFinite(stats: Float64Array): void {
  const at = stats.findIndex(value => value - value !== 0)
  if (at < 0) return
  throw new SufficeError(
    "size",
    `fit: statistic ${at} came out as ${show(stats[at])}. Sums of weights, counts or pseudo-rows have left the range of numbers, which ends at 1.8e308. Give smaller weights, or a smaller prior.`,
    { statistic: at, value: stats[at] },
  )
}
