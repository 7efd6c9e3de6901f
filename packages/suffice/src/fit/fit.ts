/** `fit` and `learn`: data through the door, the model laid out on it, the learner run. */

import type { Knowledge } from "../answers/knowledge.ts"
import type { DataFor } from "../answers/types.ts"
import type { Learner, LearnerStep } from "../contract/learner.ts"
import type { Model } from "../contract/model.ts"
import type { Description, Diagnostic } from "../contract/report.ts"
import type { Data } from "../data/read.ts"
import { weightingOf } from "../data/weigh.ts"
import { given, list, refuseUnknown, SufficeError, show } from "../errors.ts"
import type { SpillOptions } from "../frames/spill.ts"
import { type KernelChoice, prepareKernels } from "../kernels/fast/use.ts"
import { em } from "../learners/em.ts"
import { checkSeed, expected } from "../option-checks.ts"
import { dice } from "../random.ts"
import { isRecord } from "../shape.ts"
import { isBetter } from "./best.ts"
import { forgetting } from "./continuation.ts"
import type { Fitted } from "./fitted.ts"
import { learnFromStream } from "./learn-from-stream.ts"
import { learnFromTable } from "./learn-from-table.ts"
import { isStream } from "./stream.ts"

export interface FitOptions {
  /** The default is em(); in an update, em with the model's own prior (a specified model has none, and counts as one row). */
  readonly learner?: Learner
  readonly seed?: number
  /** The column of row weights. */
  readonly weight?: string
  /** Factors on the weight of labelled rows, by level of the model's label. */
  readonly classWeights?: Readonly<Record<string, number>>
  /**
   * How many threads sweep the rows; the bits are the same for any number. "auto" (the default): one for small work, otherwise one per core.
   * Only learners that sweep use them (em).
   */
  readonly threads?: number | "auto"
  /**
   * A source is read once: its rows are packed, and those that are too many to hold are written to a file, which is removed at the end. `false`: it is read again
   * for each sweep, as in a browser.
   */
  readonly spill?: SpillOptions | false
  readonly signal?: AbortSignal
  /** Called after each step; the loop itself is `learn`. */
  readonly onStep?: (step: Step) => void
  /** Hears of rows as they are read, some at a time: in the pass that finds levels and words, and in the one that encodes them. Not of a stream. */
  readonly onRows?: (rows: number) => void
  /** After each step `write` receives everything needed to resume from there; when learning starts, `read` returns it. */
  readonly checkpoint?: Checkpointing
}

/** Where `fit` stores what it needs to resume after an interruption. */
export interface Checkpointing {
  /** What was written last; undefined or empty: learning starts from the beginning. */
  read(): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /**
   * Learning continues once it is written. Keep the previous one intact: write to another name first, then rename. `rows`: how many the data has given so far. A
   * stream that can be read only once goes on with those after them, so keep this number beside the bytes.
   */
  write(bytes: Uint8Array, rows: number): void | Promise<void>
}

/** Options of `update`. */
export interface UpdateOptions extends FitOptions {
  /** f, above 0 and at most 1: what was learned counts f times before the new rows are added. Below 1 the model follows rows that change: of n updates ago, f^n is left. */
  readonly forget?: number
}

export interface Step<Cells = unknown, Target extends string = string> {
  readonly iteration: number
  readonly run: number
  /** What the learner climbs. EM: log-likelihood + ln prior, at the parameters of this step; in an update see Training.logLikelihood. */
  readonly objective: number
  readonly change: number
  readonly rows: number
  readonly diagnostics: readonly Diagnostic[]
  /** For learners that go by epochs: the maximum number of epochs. */
  readonly of?: number
  readonly stopped?: LearnerStep["stopped"]
  /** Which kernels compute; both give the same bits. */
  readonly kernels: KernelChoice
  /** The model at this step. With more than 65,536 statistics, call it before the next step: an epoch's statistics are not kept. */
  fitted(): Fitted<Cells, Target>
}

/** Continue learning: the model's statistics plus those of new rows, levels and words. */
export async function update<Cells, Target extends string>(
  known: Knowledge,
  data: Data,
  updating: UpdateOptions,
): Promise<Fitted<Cells, Target>> {
  const { forget = 1, ...options } = given("update", updating)
  const isShare = typeof forget === "number" && forget > 0 && forget <= 1
  expected("update", "forget", forget, isShare, "be above 0 and at most 1", "{ forget: 0.99 }")
  const before = forget === 1 ? known : forgetting(known, forget)
  return lastOfBest(steps<Cells, Target>(known.model as Model<Cells, Target>, data, options, before), options)
}

/**
 * Learn the model: the last step of the best run. The best run has the highest objective, except that runs that end with parameters clamped
 * at the edge of their domain rank behind all others: the likelihood has no maximum there, so its height means nothing.
 */
export async function fit<Cells, Target extends string, const Given>(
  model: Model<Cells, Target>,
  data: DataFor<Cells, Target, Given>,
  options: FitOptions = {},
): Promise<Fitted<Cells, Target>> {
  return lastOfBest(learn(model, data, options), options)
}

async function lastOfBest<Cells, Target extends string>(
  steps: AsyncGenerator<Step<Cells, Target>, void, void>,
  options: FitOptions,
): Promise<Fitted<Cells, Target>> {
  let best: Step<Cells, Target> | undefined
  for await (const step of steps) {
    options.onStep?.(step)
    // a run whose objective is never finite is still better than none
    if (step.stopped && (!best || isBetter(step, best))) best = step
  }
  if (best) return best.fitted()
  throw new SufficeError(
    "option",
    "fit: the learner ended without finishing a run. Its last step must say why it stopped. Set `stopped` on the last step of each run, or take steps from learn().",
    { option: "learner" },
  )
}

/** The same loop for the caller to drive, one step at a time. */
export function learn<Cells, Target extends string, const Given>(
  model: Model<Cells, Target>,
  data: DataFor<Cells, Target, Given>,
  options: FitOptions = {},
): AsyncGenerator<Step<Cells, Target>, void, void> {
  return steps(model, data as Data, options, undefined)
}

/** Everything is checked when the first step is requested. */
async function* steps<Cells, Target extends string>(
  asked: Model<Cells, Target>,
  data: Data,
  options: FitOptions,
  before: Knowledge | undefined,
): AsyncGenerator<Step<Cells, Target>, void, void> {
  const {
    learner = defaultLearner(before),
    seed = 0,
    threads = "auto",
    spill,
    signal,
    onRows,
    checkpoint,
  } = checked(options)
  checkModel(asked)
  const model = asked.find ? await asked.find(data, options) : asked
  const declared: Model<Cells, Target> = model.declared ? { ...model.declared, target: model.target } : model
  if (!learner.beliefs) checkNumbers(declared.spec, learner.name)
  prepareKernels()
  const request = {
    model: declared,
    learner,
    seed,
    weighting: weightingOf(declared, options),
    threads,
    spill,
    signal,
    onRows,
    checkpoint,
    dice: dice(seed),
  }
  yield* isStream(data) ? learnFromStream(request, data, before) : learnFromTable(request, data, before)
}

/** em, or in an update of a posterior the learner of posteriors, with the model's own prior. */
function defaultLearner(before: Knowledge | undefined): Learner {
  if (!before) return em()
  const { model, prior } = before
  return model.beliefs ? { ...em({ prior }), name: "bayes", beliefs: model.beliefs } : em({ prior })
}

/** Priors in the units of the data are of use to a posterior alone. */
function checkNumbers(spec: Description, learner: string): void {
  const prior = (isRecord(spec.options) ? spec.options : spec).prior
  if (isRecord(prior)) {
    const where = spec.family ?? spec.kind
    throw new SufficeError(
      "option",
      `${learner}: ${show(where)} of ${list(((spec.columns ?? [spec.column ?? spec.name]) as string[]).map(String), 3)} has a prior in the units of the data. Only a posterior uses it, and ${learner} estimates parameters. Learn by bayes(), or give prior a number.`,
      { option: "prior", learner },
    )
  }
  for (const value of Object.values(spec)) {
    for (const inner of Array.isArray(value) ? value : [value])
      if (isRecord(inner) && ("kind" in inner || "family" in inner))
        checkNumbers(inner as Description, learner)
  }
}

function checkModel(model: Model): void {
  if (typeof model?.lay === "function" && Array.isArray(model.uses)) return
  throw new SufficeError(
    "model",
    `fit: the model is ${show(model)}. It must be made by classes, mixture, independent or normal. Write for example fit(independent({ x: gaussian() }), rows).`,
  )
}

const OPTIONS = [
  "learner",
  "seed",
  "weight",
  "classWeights",
  "threads",
  "spill",
  "signal",
  "onStep",
  "onRows",
  "checkpoint",
]

function checkSpill(spill: FitOptions["spill"]): void {
  if (spill === undefined || spill === false) return
  const isObject = typeof spill === "object" && spill !== null
  expected("fit", "spill", spill, isObject, "be { folder }, or false", '{ spill: { folder: "/data/tmp" } }')
  refuseUnknown("fit: spill", spill, ["folder", "onSpill"])
  const { folder, onSpill } = spill
  const named = typeof folder === "string" && folder !== ""
  expected("fit", "spill.folder", folder, named, "name a folder", '{ spill: { folder: "/data/tmp" } }')
  const calls = typeof onSpill === "function"
  expected("fit", "spill.onSpill", onSpill, calls, "be a function", "{ spill: { onSpill: … } }")
}

function checked(options: FitOptions): FitOptions {
  refuseUnknown("fit", options, OPTIONS)
  checkSeed("fit", options.seed)
  const { learner, weight, threads, spill, onStep, onRows, signal, checkpoint } = options
  expected(
    "fit",
    "learner",
    learner,
    typeof learner?.learn === "function",
    "be a learner",
    "{ learner: em() }",
  )
  expected("fit", "weight", weight, typeof weight === "string", "name a column", '{ weight: "count" }')
  const countable = threads === "auto" || (Number.isSafeInteger(threads) && threads! >= 1)
  expected("fit", "threads", threads, countable, 'be a whole number ≥ 1, or "auto"', "{ threads: 2 }")
  checkSpill(spill)
  expected("fit", "onStep", onStep, typeof onStep === "function", "be a function", "{ onStep: step => … }")
  expected("fit", "onRows", onRows, typeof onRows === "function", "be a function", "{ onRows: rows => … }")
  const aborts = typeof signal?.throwIfAborted === "function"
  expected("fit", "signal", signal, aborts, "be an AbortSignal", "{ signal: controller.signal }")
  const kept = typeof checkpoint?.read === "function" && typeof checkpoint?.write === "function"
  expected(
    "fit",
    "checkpoint",
    checkpoint,
    kept,
    "have read() and write(bytes)",
    "{ checkpoint: { read, write } }",
  )
  return options
}
